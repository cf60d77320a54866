/** Creates, changes and deletes monitors. What cannot be done is refused before anything is counted or changed. */
import type { Account, Caller } from '../../model/account.ts';
import type { Monitor, MonitorSettings, WatchlistId } from '../../model/detect/watchlist.ts';
import { fieldProblem, Problem } from '../../model/problem.ts';
import type { WatchlistStore } from '../../store/watchlist-store.ts';

export interface MonitorNeeds {
  readonly watchlist: Pick<
    WatchlistStore,
    'createMonitor' | 'updateMonitor' | 'deleteMonitor' | 'findMonitor' | 'listMonitors'
  >;
}

export type MonitorChange = Partial<Omit<MonitorSettings, 'term'>>;

/** More terms than a brand has; every one of them is searched for in all names that come. */
const monitorsMax = 10_000;

export function noSuchMonitor(): Problem {
  return new Problem('not-found', 'There is no such monitor.');
}

export async function refuseTooManyMonitors(account: Account, { watchlist }: MonitorNeeds): Promise<void> {
  const query = { sort: ['term'], descending: false, offset: 0, limit: 1 } as const;
  const { total } = await watchlist.listMonitors(account.id, query);
  if (total >= monitorsMax)
    throw fieldProblem('invalid-members', 'term', `there are ${monitorsMax} monitors already`);
}

export async function createMonitor(
  { account, user }: Caller,
  settings: MonitorSettings,
  { watchlist }: MonitorNeeds,
  nowMs: number,
): Promise<Monitor> {
  return watchlist.createMonitor(account.id, settings, { username: user.username, atMs: nowMs });
}

export async function getMonitor(
  account: Account,
  id: WatchlistId,
  { watchlist }: { readonly watchlist: Pick<WatchlistStore, 'findMonitor'> },
): Promise<Monitor> {
  const monitor = await watchlist.findMonitor(account.id, id);
  if (!monitor) throw noSuchMonitor();
  return monitor;
}

/** A monitor of another term is another monitor. */
export function refuseOtherTerm(monitor: Monitor, term: string | undefined): void {
  if (term !== undefined && term !== monitor.term)
    throw fieldProblem('invalid-members', 'term', 'cannot be changed; create a monitor of the new term');
}

export async function updateMonitor(
  account: Account,
  id: WatchlistId,
  change: MonitorChange,
  { watchlist }: MonitorNeeds,
  nowMs: number,
): Promise<Monitor> {
  const monitor = await watchlist.updateMonitor(account.id, id, change, nowMs);
  if (!monitor) throw noSuchMonitor();
  return monitor;
}

export async function deleteMonitor(
  account: Account,
  id: WatchlistId,
  { watchlist }: MonitorNeeds,
): Promise<void> {
  if (!(await watchlist.deleteMonitor(account.id, id))) throw noSuchMonitor();
}
