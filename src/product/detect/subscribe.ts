/** Subscribes a webhook or a mail address to events. For the operator only: no API operation does this. */
import { randomBytes } from 'node:crypto';
import type { Clock } from '../../model/clock.ts';
import { type EventKind, eventKinds, type Subscription } from '../../model/detect/watchlist.ts';
import { isMailAddress } from '../../model/mail-address.ts';
import { fieldProblem } from '../../model/problem.ts';
import type { Settings } from '../../model/settings/settings.ts';
import { createDialer } from '../../outgoing/guarded-dialer.ts';
import type { EventStore } from '../../store/event-store.ts';

export interface SubscriptionRequest {
  readonly accountId: string;
  /** Exactly one of the two. */
  readonly webhook?: string | undefined;
  readonly email?: string | undefined;
  /** By default all. */
  readonly events?: readonly EventKind[] | undefined;
  /** Interval of digests; by default a day. */
  readonly every?: 'hour' | 'day' | undefined;
  readonly createdBy: string;
}

export interface SubscribeNeeds {
  readonly events: Pick<EventStore, 'createSubscription'>;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'outgoing'>;
}

/** Throws `invalid-parameters` for a target that could never be delivered to. */
export async function subscribe(
  request: SubscriptionRequest,
  { events: store, clock, settings }: SubscribeNeeds,
): Promise<Subscription> {
  const { accountId, webhook, email, events = eventKinds, every = 'day', createdBy } = request;
  if ((webhook === undefined) === (email === undefined))
    throw fieldProblem('invalid-parameters', 'webhook', 'give either a webhook or an e-mail address');
  if (webhook !== undefined) {
    if (request.every !== undefined)
      throw fieldProblem(
        'invalid-parameters',
        'every',
        'applies to e-mail digests only; webhooks are called immediately',
      );
    await createDialer({ settings }).check(webhook, 'configured');
  } else if (!isMailAddress(email ?? '')) {
    throw fieldProblem('invalid-parameters', 'email', 'must be one plain address, such as soc@example.com');
  }
  const createdMs = clock.now();
  const common = { events: [...new Set(events)], createdBy, createdMs, nextMs: createdMs };
  return store.createSubscription(
    accountId,
    webhook === undefined
      ? { ...common, by: 'email', target: email ?? '', every, seed: '' }
      : { ...common, by: 'webhook', target: webhook, every: 'event', seed: randomBytes(16).toString('hex') },
  );
}
