/**
 * Changes, pauses and resumes a subscription. While it is paused events wait, as long as they are kept, and are delivered when it is resumed;
 * `skip` leaves out what waits.
 */
import type { Caller } from '../../../model/account/account.ts';
import type { Subscription, WatchlistId } from '../../../model/detect/watchlist.ts';
import { fieldProblem, Problem } from '../../../model/problem.ts';
import type { EventStore, SubscriptionChange } from '../../../store/event-store.ts';
import { refuseHourlySchedule } from '../subscribe.ts';
import { getSchedule } from './subscription-rules.ts';

export interface ChangeNeeds {
  readonly events: Pick<EventStore, 'findSubscription' | 'updateSubscription'>;
}

export async function getSubscription(
  accountId: string,
  id: WatchlistId,
  { events }: { readonly events: Pick<EventStore, 'findSubscription'> },
): Promise<Subscription> {
  const found = await events.findSubscription(accountId, id);
  if (!found) throw noSuchSubscription();
  return found;
}

export function noSuchSubscription(): Problem {
  return new Problem('not-found', 'There is no such subscription.');
}

export async function changeSubscription(
  { account, user }: Caller,
  { id, change }: { readonly id: WatchlistId; readonly change: SubscriptionChange },
  needs: ChangeNeeds,
  nowMs: number,
): Promise<Subscription> {
  const before = await getSubscription(account.id, id, needs);
  const { every, schedule } = change;
  if (before.by !== 'email' && (every !== undefined || schedule)) {
    const field = every === undefined ? 'schedule' : 'every';
    throw fieldProblem('invalid-parameters', field, 'applies to e-mail digests only');
  }
  // An hourly digest has no schedule; one that becomes hourly loses it.
  refuseHourlySchedule(every ?? before.every, schedule);
  const made = {
    ...change,
    ...(schedule ? { schedule: getSchedule(schedule) } : every === 'hour' ? { schedule: null } : {}),
  };
  const by = { username: user.username, atMs: nowMs };
  const changed = await needs.events.updateSubscription(account.id, id, made, by);
  if (!changed) throw noSuchSubscription();
  return changed;
}
