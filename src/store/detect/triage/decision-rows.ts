/** Rows of the log of decisions, and what follows from them. */
import type {
  DecisionTarget,
  DomainState,
  EscalationType,
  Submission,
  WatchlistId,
} from '../../../model/detect/watchlist.ts';
import type { DecisionOfDomain, KeptDomain, LoggedDecision, RefusedDomain } from '../../decision-store.ts';
import type { TriageFilter } from '../../triage-store.ts';
import type { StoredFlag } from '../rows/stored-json.ts';

export interface DecisionRow {
  readonly id: string;
  readonly username: string;
  readonly at_ms: number;
  readonly target: DecisionTarget;
  readonly undone_by: string | null;
  readonly undone_ms: number | null;
  readonly domains: number;
  readonly can_undo: StoredFlag;
}

/** Of a decision that is listed. */
export const namesShown = 3;

export function decisionOf(row: DecisionRow, firstNames: readonly string[]): LoggedDecision {
  return {
    id: row.id,
    by: row.username,
    atMs: row.at_ms,
    target: row.target,
    domains: row.domains,
    firstNames,
    undone: actorOf(row.undone_by, row.undone_ms),
    canUndo: Boolean(row.can_undo),
  };
}

export type OfDomainRow = Omit<DecisionOfDomain, 'undone'> & {
  readonly undoneBy: string | null;
  readonly undoneMs: number | null;
};

export function decisionOfDomain({ undoneBy, undoneMs, ...rest }: OfDomainRow): DecisionOfDomain {
  return { ...rest, undone: actorOf(undoneBy, undoneMs) };
}

/** A domain about which something is to be decided. */
export interface CurrentRow {
  readonly number: number;
  readonly name: string;
  readonly state: DomainState;
  readonly assigned_by: string | null;
  readonly assigned_ms: number | null;
}

export function refusalOf(id: WatchlistId, row: CurrentRow, why: RefusedDomain['why']): RefusedDomain {
  const assigned = actorOf(row.assigned_by, row.assigned_ms);
  return { id, why, state: row.state, ...(assigned ? { assigned } : {}) };
}

/** The state that the domains of a list are in. The blocklist has domains of every state. */
export function stateOf({ list }: TriageFilter): DomainState | undefined {
  if (list === 'blocked') return undefined;
  return list === 'changed' ? 'watched' : list;
}

/** An escalation that a decision made. */
export interface MadeEscalation {
  readonly id: WatchlistId;
  readonly type: EscalationType;
  readonly submission: Submission['status'] | null;
  readonly attempts: number;
  readonly event: number | null;
}

/** An attempt that has begun may have reached the service, even if no answer came back. One that failed for good was refused. */
export function whyNotWithdrawn({
  submission,
  attempts,
}: MadeEscalation): Extract<KeptDomain['why'], 'submitted' | 'submitting'> | undefined {
  if (submission === 'submitted') return 'submitted';
  return submission === 'waiting' && attempts > 0 ? 'submitting' : undefined;
}

function actorOf(username: string | null, atMs: number | null) {
  return username === null || atMs === null ? undefined : { username, atMs };
}
