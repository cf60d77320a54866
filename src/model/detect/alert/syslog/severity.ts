/** How serious an event is, for the programs that sort by it. */
import type { WatchlistEvent } from '../../watchlist.ts';

/** From 0 to 10, as in the Common Event Format; the score of a domain, a tenth of it. */
export function severityOf(event: Pick<WatchlistEvent, 'kind' | 'detail'> | undefined): number {
  if (event === undefined) return 0;
  const { kind, detail } = event;
  const { riskScore } = detail;
  if (typeof riskScore === 'number') return Math.min(10, Math.max(0, Math.round(riskScore / 10)));
  if (kind === 'resolved' || kind === 'campaign-joined') return 7;
  return kind === 'escalated' ? 8 : kind === 'withdrawn' ? 3 : 5;
}
