/** The terms of monitors by id. */
import type { Account } from '../../../model/account/account.ts';
import type { MonitorStore } from '../../../store/monitor-store.ts';

/** Ids of monitors that are gone are left out. */
export async function termsOf(
  account: Account,
  ids: readonly string[],
  { monitors }: { readonly monitors: Pick<MonitorStore, 'findMonitor'> },
): Promise<Record<string, string>> {
  const unique = [...new Set(ids)];
  const found = await Promise.all(unique.map((id) => monitors.findMonitor(account.id, id)));
  return Object.fromEntries(found.flatMap((monitor) => (monitor ? [[monitor.id, monitor.term]] : [])));
}
