/** The events of a change of a record, for one account that has the domain on a list. */
import type { DomainState, EventKind, WatchlistEvent } from '../../../model/detect/watchlist.ts';
import type { RecordChange } from '../../watchlist-store.ts';

interface RowBefore {
  readonly state: DomainState;
  readonly risk_status: 'provisional' | 'full' | null;
}

export interface RecordEvent {
  readonly kind: EventKind;
  readonly atMs: number;
  readonly detail: WatchlistEvent['detail'];
}

/** Only watched domains have events of changes, and only listed ones those of scores. */
export function recordEvents(
  before: RowBefore,
  { facts, changed }: RecordChange,
  isListed: boolean,
  nowMs: number,
): readonly RecordEvent[] {
  const events: RecordEvent[] = [];
  if (changed && before.state === 'watched')
    events.push({ kind: 'changed', atMs: changed.atMs, detail: { fields: changed.fields } });
  if (isListed && facts.riskStatus === 'full' && before.risk_status !== 'full')
    events.push({ kind: 'risk-full', atMs: nowMs, detail: { riskScore: facts.riskScore } });
  return events;
}
