/**
 * Leases on ranges of streams that readers have open: lines in them are not deleted. They are rows that are renewed, by the clock of the database, so that
 * those of a node that dies end by themselves.
 */
import { randomUUID } from 'node:crypto';
import { secondMs } from '../../../model/durations.ts';
import type { Offset, StreamName } from '../../stream-store.ts';
import type { PostgresDatabase } from '../postgres/database.ts';

const renewalMs = 20 * secondMs;
const leaseMs = 60 * secondMs;

export interface LeasedRange {
  readonly from: Offset;
  readonly to: Offset;
  release(): Promise<void>;
}

interface Lease {
  readonly stream: StreamName;
  readonly from: Offset;
}

export class RangeLeases {
  readonly #database: PostgresDatabase;
  readonly #held = new Map<string, Lease>();
  #timer: NodeJS.Timeout | undefined;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  /** The stored part of a range; undefined if there is none. */
  async acquire(stream: StreamName, from: Offset, to: Offset): Promise<LeasedRange | undefined> {
    if (to <= from) return undefined;
    const id = randomUUID();
    // One statement, for readers open many ranges. The lock keeps deletion, but not appends, waiting. Nothing waits for the disk: a lease that is
    // lost with the server is made again when it is renewed.
    const [range] = await this.#database.read(
      (sql) => sql<{ from: Offset; to: Offset }[]>`
        with stored as (
          select greatest(start_byte, ${from}) as from_byte, least(end_byte, ${to}) as to_byte,
            set_config('synchronous_commit', 'off', true)
          from stream where name = ${stream} for key share),
        leased as (
          insert into range_lease (id, stream, from_byte, until)
          select ${id}::uuid, ${stream}, from_byte, now() + ${leaseMs} * interval '1 millisecond'
          from stored where from_byte < to_byte on conflict do nothing)
        select from_byte as from, to_byte as to from stored where from_byte < to_byte`,
    );
    if (!range) return undefined;
    this.#held.set(id, { stream, from: range.from });
    this.#timer ??= setInterval(() => void this.renew().catch(() => undefined), renewalMs).unref();
    return { ...range, release: () => this.#release([id]) };
  }

  /** All that are held. One that has ended is made again: if lines of its range were deleted meanwhile, its reader finds out. */
  async renew(): Promise<void> {
    const held = [...this.#held];
    if (held.length === 0) return;
    await this.#database.read(
      (sql) => sql`
        insert into range_lease (id, stream, from_byte, until)
        select id, stream, from_byte, now() + ${leaseMs} * interval '1 millisecond'
        from unnest(${held.map(([id]) => id)}::uuid[], ${held.map(([, { stream }]) => stream)}::text[],
          ${held.map(([, { from }]) => from)}::bigint[]) as held (id, stream, from_byte)
        on conflict (id) do update set until = excluded.until`,
    );
    const closed = held.map(([id]) => id).filter((id) => !this.#held.has(id));
    await this.#release(closed);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#release([...this.#held.keys()]);
  }

  /** Where the server is away, they end by themselves. */
  async #release(ids: readonly string[]): Promise<void> {
    for (const id of ids) this.#held.delete(id);
    if (ids.length === 0) return;
    await this.#database
      .read((sql) => sql`delete from range_lease where id = any(${ids}::uuid[])`)
      .catch(() => undefined);
  }
}
