/**
 * Producer marks: how far each producer has come. A mark moves by compare-and-set in the transaction of the append, which makes the append idempotent
 * (exactly-once).
 */
import type { ProducerMarkMove } from '../../stream-store.ts';
import type { PostgresDatabase, Transaction } from '../postgres/database.ts';

export interface TimedMove extends ProducerMarkMove {
  readonly nowMs: number;
}

/** Of each move, in order, whether the mark was at `from`; true where there is none. */
export async function moveMarks(
  sql: Transaction,
  moves: readonly (TimedMove | undefined)[],
): Promise<readonly boolean[]> {
  const producers = [...new Set(moves.flatMap((move) => move?.producer ?? []))].sort();
  if (producers.length === 0) return moves.map(() => true);
  const values = await lockMarks(sql, producers);
  const moved = new Map<string, TimedMove>();
  const outcomes = moves.map((move) => {
    if (!move) return true;
    if (values.get(move.producer) !== move.from) return false;
    values.set(move.producer, move.to);
    moved.set(move.producer, move);
    return true;
  });
  const rows = [...moved.values()].map(({ producer, to, nowMs }) => ({
    producer,
    value: to,
    moved_ms: nowMs,
  }));
  if (rows.length > 0)
    await sql`insert into producer_mark ${sql(rows)} on conflict (producer)
      do update set value = excluded.value, moved_ms = excluded.moved_ms`;
  return outcomes;
}

async function lockMarks(sql: Transaction, producers: readonly string[]): Promise<Map<string, string>> {
  const lock = async () => {
    const rows = await sql<{ producer: string; value: string }[]>`
      select producer, value from producer_mark where producer = any(${producers})
      order by producer for update`;
    return new Map(rows.map(({ producer, value }) => [producer, value]));
  };
  const values = await lock();
  const missing = producers.filter((producer) => !values.has(producer));
  if (missing.length === 0) return values;
  // A mark that does not exist yet has no row to lock.
  const keys = missing.map((producer) => `producer ${producer}`);
  await sql`select pg_advisory_xact_lock(hashtextextended(key, 0)) from unnest(${keys}::text[]) as locked (key)`;
  return lock();
}

export async function findProducerMark(
  database: PostgresDatabase,
  producer: string,
): Promise<string | undefined> {
  const [row] = await database.read(
    (sql) => sql<{ value: string }[]>`select value from producer_mark where producer = ${producer}`,
  );
  return row?.value;
}

export async function removeIdleProducerMarks(
  database: PostgresDatabase,
  producerPrefix: string,
  beforeMs: number,
): Promise<void> {
  await database.writeRepeatable(
    (sql) =>
      sql`delete from producer_mark where starts_with(producer, ${producerPrefix}) and moved_ms < ${beforeMs}`,
  );
}
