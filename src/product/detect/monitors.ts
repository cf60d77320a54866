/** Creates, changes and deletes monitors. Invalid requests are refused before anything is charged or changed. */
import type { Account, Caller } from '../../model/account/account.ts';
import type { Monitor, MonitorSettings, WatchlistId } from '../../model/detect/watchlist.ts';
import { fieldProblem, Problem } from '../../model/problem.ts';
import type {
  DeletedMonitor,
  MonitorChange,
  MonitorDeletion,
  MonitorStore,
} from '../../store/monitor-store.ts';

export interface MonitorNeeds {
  readonly monitors: Pick<
    MonitorStore,
    'createMonitor' | 'updateMonitor' | 'deleteMonitor' | 'findMonitor' | 'listMonitors'
  >;
}

export const monitorStates = ['active', 'inactive'] as const satisfies readonly Monitor['state'][];

/** More than any brand needs; every term is matched against all new names. */
export const monitorsMax = 10_000;

export function noSuchMonitor(): Problem {
  return new Problem('not-found', 'There is no such monitor.');
}

/** The contract has no state on create, and a monitor that was meant to be paused must not start searching. */
export function refuseCreatedInactive(state: Monitor['state'] | undefined): void {
  if (state === 'inactive') {
    const message = 'must be active for a new monitor; pause it with PUT';
    throw fieldProblem('invalid-members', 'state', message);
  }
}

export async function refuseTooManyMonitors(account: Account, { monitors }: MonitorNeeds): Promise<void> {
  const query = { sort: ['term'], descending: false, offset: 0, limit: 1 } as const;
  const { total } = await monitors.listMonitors(account.id, query);
  if (total >= monitorsMax)
    throw fieldProblem('invalid-members', 'term', `there are ${monitorsMax} monitors already`);
}

export async function createMonitor(
  { account, user }: Caller,
  settings: MonitorSettings,
  { monitors }: MonitorNeeds,
  nowMs: number,
): Promise<Monitor> {
  return monitors.createMonitor(account.id, settings, { username: user.username, atMs: nowMs });
}

export async function getMonitor(
  account: Account,
  id: WatchlistId,
  { monitors }: { readonly monitors: Pick<MonitorStore, 'findMonitor'> },
): Promise<Monitor> {
  const monitor = await monitors.findMonitor(account.id, id);
  if (!monitor) throw noSuchMonitor();
  return monitor;
}

/** The term of a monitor cannot change. */
export function refuseOtherTerm(monitor: Monitor, term: string | undefined): void {
  if (term !== undefined && term !== monitor.term)
    throw fieldProblem('invalid-members', 'term', 'cannot be changed; create a monitor of the new term');
}

export async function updateMonitor(
  account: Account,
  { id, change }: { readonly id: WatchlistId; readonly change: MonitorChange },
  { monitors }: MonitorNeeds,
  nowMs: number,
): Promise<Monitor> {
  const monitor = await monitors.updateMonitor(account.id, id, change, nowMs);
  if (!monitor) throw noSuchMonitor();
  return monitor;
}

export async function deleteMonitor(
  account: Account,
  { id, ...deletion }: MonitorDeletion & { readonly id: WatchlistId },
  { monitors }: MonitorNeeds,
): Promise<DeletedMonitor> {
  const deleted = await monitors.deleteMonitor(account.id, id, deletion);
  if (!deleted) throw noSuchMonitor();
  return deleted;
}
