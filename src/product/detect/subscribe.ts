/** Subscribes a webhook or a mail address to events, for the operator and for people who manage an account's alerts. */
import { randomBytes } from 'node:crypto';
import type { Clock } from '../../model/clock.ts';
import type { DigestSchedule } from '../../model/detect/digest-schedule.ts';
import { type EventKind, eventKinds, type Subscription } from '../../model/detect/watchlist.ts';
import { isMailAddress } from '../../model/mail-address.ts';
import { fieldProblem } from '../../model/problem.ts';
import type { Settings } from '../../model/settings/settings.ts';
import { createDialer } from '../../outgoing/guarded-dialer.ts';
import type { EventStore, NewSubscription } from '../../store/event-store.ts';
import { checkWebhook, getSchedule } from './alert/subscription-rules.ts';

export interface SubscriptionRequest {
  readonly accountId: string;
  /** Exactly one of the two. */
  readonly webhook?: string | undefined;
  readonly email?: string | undefined;
  /** By default all but withdrawals. */
  readonly events?: readonly EventKind[] | undefined;
  /** Interval of digests; by default a day. */
  readonly every?: 'hour' | 'day' | undefined;
  /** Of a daily digest; by default it is sent at the end of the UTC day. */
  readonly schedule?: DigestSchedule | undefined;
  readonly createdBy: string;
}

export interface SubscribeNeeds {
  readonly events: Pick<EventStore, 'createSubscription' | 'listSubscriptions'>;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'outgoing'>;
}

/** Each is polled for. */
const subscriptionsMax = 100;

/** Throws `invalid-parameters` for a target that could never be delivered to. */
export async function subscribe(
  request: SubscriptionRequest,
  { events: store, clock, settings }: SubscribeNeeds,
): Promise<Subscription> {
  const { accountId, webhook, events = eventKinds, createdBy } = request;
  const receiver = getReceiver(request);
  if (webhook !== undefined) await checkWebhook(webhook, createDialer({ settings }));
  if ((await store.listSubscriptions(accountId)).length >= subscriptionsMax) {
    const message = `there are ${subscriptionsMax} subscriptions already`;
    throw fieldProblem('invalid-parameters', receiver.by, message);
  }
  const createdMs = clock.now();
  const common = { events: [...new Set(events)], createdBy, createdMs, nextMs: createdMs };
  return store.createSubscription(accountId, { ...common, ...receiver });
}

type Receiver = Pick<NewSubscription, 'by' | 'target' | 'every' | 'seed' | 'schedule'>;

function getReceiver({ webhook, email, every, schedule }: SubscriptionRequest): Receiver {
  if ((webhook === undefined) === (email === undefined))
    throw fieldProblem('invalid-parameters', 'webhook', 'give either a webhook or an e-mail address');
  if (webhook !== undefined) {
    const digestOption = every !== undefined ? 'every' : schedule ? 'schedule' : undefined;
    if (digestOption !== undefined) {
      const message = 'applies to e-mail digests only; webhooks are called immediately';
      throw fieldProblem('invalid-parameters', digestOption, message);
    }
    return { by: 'webhook', target: webhook, every: 'event', seed: randomBytes(16).toString('hex') };
  }
  if (email === undefined || !isMailAddress(email))
    throw fieldProblem('invalid-parameters', 'email', 'must be one plain address, such as soc@example.com');
  refuseHourlySchedule(every ?? 'day', schedule);
  return {
    by: 'email',
    target: email,
    every: every ?? 'day',
    seed: '',
    ...(schedule ? { schedule: getSchedule(schedule) } : {}),
  };
}

export function refuseHourlySchedule(
  every: Subscription['every'],
  schedule: DigestSchedule | null | undefined,
): void {
  if (schedule && every !== 'day')
    throw fieldProblem('invalid-parameters', 'schedule', 'applies to daily digests only');
}
