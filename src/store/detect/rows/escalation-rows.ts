/** Rows of escalations, joined with the id of the domain, and their conversion to the model. */
import type { Escalation, EscalationType, Submission } from '../../../model/detect/watchlist.ts';
import { dayMs } from '../../../model/durations.ts';

/** A later time was set by a clock that was ahead, and counts as past: no submission waits longer to be tried again. */
export const submissionWaitMsMax = dayMs;

export interface EscalationRow {
  readonly number: number;
  readonly id: string;
  readonly account_id: string;
  readonly domain_id: string;
  readonly name: string;
  readonly type: EscalationType;
  readonly created_ms: number;
  readonly updated_ms: number;
  readonly created_by: string;
  readonly submission: Submission['status'] | null;
  readonly attempts: number;
  readonly error: string | null;
}

export function escalationOf(row: EscalationRow): Escalation {
  return {
    id: row.id,
    domainId: row.domain_id,
    domain: row.name,
    type: row.type,
    createdMs: row.created_ms,
    updatedMs: row.updated_ms,
    createdBy: row.created_by,
    submission:
      row.submission === null
        ? undefined
        : { status: row.submission, attempts: row.attempts, error: row.error ?? undefined },
  };
}
