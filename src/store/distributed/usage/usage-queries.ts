/** What limits have left, and the requests of the day and the month. */
import type { CountedLimit } from '../../../model/account/limit.ts';
import { bucketState } from '../../usage/bucket-state.ts';
import { counterOf } from '../../usage/counter-of.ts';
import { periodsOf, type TallyRow, talliesByItem, windowStart } from '../../usage/windows.ts';
import type { Tally } from '../../usage-store.ts';
import type { PostgresDatabase } from '../postgres/database.ts';
import { slotKind } from './counted-slots.ts';

interface CountRow {
  readonly value: number | null;
  /** Within a sliding window. */
  readonly grants: number;
}

export async function readRemaining(
  database: PostgresDatabase,
  limits: readonly CountedLimit[],
  nowMs: number,
): Promise<readonly number[]> {
  if (limits.length === 0) return [];
  const rows = await database.read(
    (sql) => sql<CountRow[]>`
      select c.value,
        (select count(*) from usage_grant g where g.counter = s.counter and g.at_ms > s.since_ms) as grants
      from unnest(
        ${limits.map(counterOf)}::text[], ${limits.map(slotKind)}::text[],
        ${limits.map((limit) => windowStart(limit, nowMs))}::bigint[],
        ${limits.map(({ window }) => (window.kind === 'sliding' ? nowMs - window.seconds * 1000 : null))}::bigint[]
      ) with ordinality s (counter, kind, window_ms, since_ms, number)
      left join usage_count c on c.counter = s.counter and c.kind = s.kind and c.window_ms = s.window_ms
      order by s.number`,
  );
  return limits.map((limit, index) =>
    Math.max(0, limit.size - usedOf(limit, rows[index] as CountRow, nowMs)),
  );
}

function usedOf({ window, size }: CountedLimit, { value, grants }: CountRow, nowMs: number): number {
  if (window.kind === 'sliding') return grants;
  if (window.kind !== 'bucket') return value ?? 0;
  const { missingUs, tokenUs } = bucketState(value ?? 0, { size, perSecond: window.perSecond }, nowMs);
  return Math.ceil(missingUs / tokenUs);
}

export async function readTallies(
  database: PostgresDatabase,
  owner: string,
  nowMs: number,
): Promise<ReadonlyMap<string, Tally>> {
  const { dayMs, monthMs } = periodsOf(nowMs);
  const rows = await database.read(
    (sql) => sql<TallyRow[]>`
      select item, period, used from usage_tally
      where owner = ${owner} and (period = 'day' and window_ms = ${dayMs} or period = 'month' and window_ms = ${monthMs})
      order by item`,
  );
  return talliesByItem(rows);
}

export function areSameTallies(one: ReadonlyMap<string, Tally>, other: ReadonlyMap<string, Tally>): boolean {
  if (one.size !== other.size) return false;
  for (const [item, { today, month }] of one) {
    const tally = other.get(item);
    if (tally?.today !== today || tally.month !== month) return false;
  }
  return true;
}
