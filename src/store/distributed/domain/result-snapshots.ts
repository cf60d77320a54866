/** Result snapshots: the ids that a search found, kept for the pages that are read later, on whichever node. */
import type { DomainId } from '../../domain-store.ts';
import type { PostgresDatabase } from '../postgres/database.ts';

/** Beyond this the first to expire are removed: a gigabyte at most. */
const snapshotsMax = 10_000;

export class ResultSnapshots {
  readonly #database: PostgresDatabase;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  async save(
    name: string,
    ids: readonly DomainId[],
    { untilMs, nowMs }: { readonly untilMs: number; readonly nowMs: number },
  ): Promise<void> {
    const bytes = Buffer.from(Float64Array.from(ids).buffer);
    await this.#database.writeRepeatable((sql) =>
      Promise.all([
        // In the order of names, as everybody does: no two nodes wait for each other.
        sql`delete from result_snapshot where name in
          (select name from result_snapshot where until_ms <= ${nowMs} order by name for update skip locked)`,
        sql`insert into result_snapshot (name, until_ms, ids) values (${name}, ${untilMs}, ${bytes})
          on conflict (name) do update set until_ms = excluded.until_ms, ids = excluded.ids`,
        sql`delete from result_snapshot where name in (select name from result_snapshot
          order by until_ms desc offset ${snapshotsMax} for update skip locked)`,
      ]),
    );
  }

  async find(name: string, nowMs: number): Promise<readonly DomainId[] | undefined> {
    const [row] = await this.#database.read(
      (sql) => sql<{ ids: Buffer }[]>`
        select ids from result_snapshot where name = ${name} and until_ms > ${nowMs}`,
    );
    return row && Array.from(new Float64Array(Uint8Array.from(row.ids).buffer));
  }
}
