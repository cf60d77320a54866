/** The right to compact, which one node has at a time. It goes by the clock of the database, which all nodes share. */
import { randomUUID } from 'node:crypto';
import type { PostgresDatabase } from '../postgres/database.ts';

const leaseSeconds = 60;
const renewMs = 20_000;

export class CompactionLease {
  readonly epoch: number;
  readonly #database: PostgresDatabase;
  readonly #holder: string;
  readonly #timer: NodeJS.Timeout;

  constructor(database: PostgresDatabase, holder: string, epoch: number) {
    this.#database = database;
    this.#holder = holder;
    this.epoch = epoch;
    this.#timer = setInterval(() => this.#renew().catch(() => undefined), renewMs).unref();
  }

  async release(): Promise<void> {
    clearInterval(this.#timer);
    await this.#database.writeRepeatable(
      (sql) => sql`update segment_compactor set until = '-infinity' where holder = ${this.#holder}`,
    );
  }

  async #renew(): Promise<void> {
    await this.#database.writeRepeatable(
      (sql) => sql`
        update segment_compactor set until = now() + ${leaseSeconds} * interval '1 second' where holder = ${this.#holder}`,
    );
  }
}

/** Undefined while another node has it. */
export async function acquireLease(database: PostgresDatabase): Promise<CompactionLease | undefined> {
  const holder = randomUUID();
  const [row] = await database.writeRepeatable(
    (sql) => sql<{ epoch: number }[]>`
      update segment_compactor set holder = ${holder}, epoch = epoch + 1, until = now() + ${leaseSeconds} * interval '1 second'
      where until < now() or holder = ${holder} returning epoch`,
  );
  if (!row) return undefined;
  await database.writeRepeatable((sql) => sql`delete from listed_batch where at < now() - interval '1 day'`);
  return new CompactionLease(database, holder, row.epoch);
}
