/** Who is told of events by webhook or mail. The operator decides it: no operation of the API does. */
import { randomBytes } from 'node:crypto';
import type { Clock } from '../../model/clock.ts';
import { type EventKind, eventKinds, type Subscription } from '../../model/detect/watchlist.ts';
import { isMailAddress } from '../../model/mail-address.ts';
import { fieldProblem } from '../../model/problem.ts';
import type { Settings } from '../../model/settings.ts';
import { createDialer } from '../../outgoing/guarded-dialer.ts';
import type { WatchlistStore } from '../../store/watchlist-store.ts';

export interface SubscriptionRequest {
  readonly accountId: string;
  /** One of the two. */
  readonly webhook?: string | undefined;
  readonly email?: string | undefined;
  /** By default all. */
  readonly events?: readonly EventKind[] | undefined;
  /** Of letters; by default a day. */
  readonly every?: 'hour' | 'day' | undefined;
  readonly createdBy: string;
}

export interface SubscribeNeeds {
  readonly watchlist: Pick<WatchlistStore, 'createSubscription'>;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'outgoing'>;
}

/** Throws `invalid-parameters` for a target that nothing would ever be sent to. */
export async function subscribe(
  request: SubscriptionRequest,
  { watchlist, clock, settings }: SubscribeNeeds,
): Promise<Subscription> {
  const { accountId, webhook, email, events = eventKinds, every = 'day', createdBy } = request;
  if ((webhook === undefined) === (email === undefined))
    throw fieldProblem('invalid-parameters', 'webhook', 'say either a webhook or an e-mail address');
  if (webhook !== undefined) {
    if (request.every !== undefined)
      throw fieldProblem('invalid-parameters', 'every', 'a webhook is told at once; only letters wait');
    await createDialer({ settings }).check(webhook, 'configured');
  } else if (!isMailAddress(email ?? '')) {
    throw fieldProblem('invalid-parameters', 'email', 'must be one plain address, as soc@example.com');
  }
  const createdMs = clock.now();
  const common = { events: [...new Set(events)], createdBy, createdMs, nextMs: createdMs };
  return watchlist.createSubscription(
    accountId,
    webhook === undefined
      ? { ...common, by: 'email', target: email ?? '', every, seed: '' }
      : { ...common, by: 'webhook', target: webhook, every: 'event', seed: randomBytes(16).toString('hex') },
  );
}
