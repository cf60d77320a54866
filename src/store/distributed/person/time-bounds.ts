/** Conditions on the times of rows. Times that lie in the future, because a clock was set back, end what they belong to. */
import { aheadMaxMs } from '../../person/session-rows.ts';
import type { SessionLimits } from '../../person/session-store.ts';
import type { Fragment, Sql } from '../postgres/database.ts';

/** A link, a step, a request or a result that has not expired. */
export function isOpen(sql: Sql, nowMs: number): Fragment {
  return sql`expires_ms > ${nowMs} and created_ms <= ${nowMs + aheadMaxMs}`;
}

/** A session that has not ended by its age. */
export function isCurrent(sql: Sql, nowMs: number, { idleMs, totalMs }: SessionLimits): Fragment {
  return sql`created_ms > ${nowMs - totalMs} and created_ms <= ${nowMs + aheadMaxMs}
    and seen_ms > ${nowMs - idleMs} and seen_ms <= ${nowMs + aheadMaxMs}`;
}
