/** Rows of events, and their conversion to the model. */
import {
  type DecisionEvent,
  type DecisionEventKind,
  decisionEventKinds,
  type EventKind,
  followableEventKinds,
  type WatchlistEvent,
} from '../../../model/detect/watchlist.ts';
import { parsed, type StoredJson } from './stored-json.ts';

export type AnyEventKind = EventKind | DecisionEventKind;

export const allEventKinds: readonly AnyEventKind[] = [...followableEventKinds, ...decisionEventKinds];

/** What the event of a decision says. */
export type DecisionDetail = Pick<DecisionEvent, 'decisionId' | 'by' | 'target' | 'domainIds'>;

export interface EventRow {
  readonly number: number;
  readonly kind: AnyEventKind;
  readonly at_ms: number;
  readonly domain_id: string;
  readonly domain: string;
  readonly monitor_ids: StoredJson<readonly string[]>;
  readonly detail: string;
  readonly withdrawn_by: number | null;
  readonly withdraws: number | null;
}

export function anyEventOf(row: EventRow): WatchlistEvent | DecisionEvent {
  return row.kind === 'decided' || row.kind === 'undone' ? decisionEventOf(row, row.kind) : eventOf(row);
}

export function eventOf(row: EventRow): WatchlistEvent {
  return {
    id: row.number,
    kind: row.kind as EventKind,
    atMs: row.at_ms,
    domainId: row.domain_id,
    domain: row.domain,
    monitorIds: parsed(row.monitor_ids),
    detail: JSON.parse(row.detail),
    ...(row.withdrawn_by === null ? {} : { isWithdrawn: true }),
    ...(row.withdraws === null ? {} : { withdraws: row.withdraws }),
  };
}

function decisionEventOf(row: EventRow, kind: DecisionEventKind): DecisionEvent {
  return { id: row.number, kind, atMs: row.at_ms, ...(JSON.parse(row.detail) as DecisionDetail) };
}
