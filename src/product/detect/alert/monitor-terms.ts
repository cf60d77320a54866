/** The terms of the monitors that events name, by id. */
import type { WatchlistEvent } from '../../../model/detect/watchlist.ts';
import type { MonitorStore } from '../../../store/monitor-store.ts';

export async function findTerms(
  accountId: string,
  events: readonly Pick<WatchlistEvent, 'monitorIds'>[],
  { monitors }: { readonly monitors: Pick<MonitorStore, 'findMonitor'> },
): Promise<ReadonlyMap<string, string>> {
  const terms = new Map<string, string>();
  for (const id of new Set(events.flatMap(({ monitorIds }) => monitorIds))) {
    const monitor = await monitors.findMonitor(accountId, id);
    if (monitor) terms.set(id, monitor.term);
  }
  return terms;
}
