/** Subscribes a webhook, a mail address or a syslog receiver to events, for the operator and for people who manage an account's alerts. */
import { randomBytes } from 'node:crypto';
import type { Clock } from '../../model/clock.ts';
import type { MessageFormat } from '../../model/detect/alert/receiver.ts';
import type { DigestSchedule } from '../../model/detect/digest-schedule.ts';
import { type EventKind, eventKinds, type Subscription } from '../../model/detect/watchlist.ts';
import { isMailAddress } from '../../model/mail-address.ts';
import { fieldProblem } from '../../model/problem.ts';
import type { Settings } from '../../model/settings/settings.ts';
import { createDialer } from '../../outgoing/guarded-dialer.ts';
import type { EventStore, NewSubscription } from '../../store/event-store.ts';
import { getOptions, type RequestedOptions } from './alert/receiver-options.ts';
import { checkSyslog, checkWebhook, getSchedule } from './alert/subscription-rules.ts';

export interface SubscriptionRequest {
  readonly accountId: string;
  /** Exactly one of the three. */
  readonly webhook?: string | undefined;
  readonly email?: string | undefined;
  readonly syslog?: string | undefined;
  /** Of messages to a webhook (by default our own) or to a syslog receiver (by default CEF). */
  readonly format?: MessageFormat | undefined;
  readonly options?: RequestedOptions | undefined;
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
  readonly linkKey: Buffer;
}

/** Each is polled for. */
const subscriptionsMax = 100;

/** Throws `invalid-parameters` for a target that could never be delivered to. */
export async function subscribe(
  request: SubscriptionRequest,
  { events: store, clock, settings, linkKey }: SubscribeNeeds,
): Promise<Subscription> {
  const { accountId, webhook, syslog, events = eventKinds, createdBy } = request;
  const receiver = getReceiver(request, linkKey);
  if (webhook !== undefined) await checkWebhook(webhook, createDialer({ settings }));
  if (syslog !== undefined) await checkSyslog(syslog, createDialer({ settings }));
  if ((await store.listSubscriptions(accountId)).length >= subscriptionsMax) {
    const message = `there are ${subscriptionsMax} subscriptions already`;
    throw fieldProblem('invalid-parameters', receiver.by, message);
  }
  const createdMs = clock.now();
  const common = { events: [...new Set(events)], createdBy, createdMs, nextMs: createdMs };
  return store.createSubscription(accountId, { ...common, ...receiver });
}

type Receiver = Pick<NewSubscription, 'by' | 'target' | 'every' | 'seed' | 'schedule' | 'format' | 'options'>;

function getReceiver(request: SubscriptionRequest, linkKey: Buffer): Receiver {
  const { webhook, email, syslog, every, schedule, format } = request;
  const given = [webhook, email, syslog].filter((target) => target !== undefined);
  const message = 'give either a webhook, an e-mail address or a syslog receiver';
  if (given.length !== 1) throw fieldProblem('invalid-parameters', 'webhook', message);
  const options = getOptions(request, linkKey);
  if (email !== undefined) return getMailReceiver(request);
  const digestOption = every !== undefined ? 'every' : schedule ? 'schedule' : undefined;
  if (digestOption !== undefined) {
    const by = webhook === undefined ? 'syslog gets events' : 'webhooks are called';
    throw fieldProblem(
      'invalid-parameters',
      digestOption,
      `applies to e-mail digests only; ${by} immediately`,
    );
  }
  if (syslog !== undefined)
    return { by: 'syslog', target: syslog, every: 'event', seed: '', format: format ?? 'cef', options };
  const target = webhook ?? '';
  const seed = randomBytes(16).toString('hex');
  return { by: 'webhook', target, every: 'event', seed, format: format ?? 'nameglass', options };
}

function getMailReceiver({ email = '', every, schedule }: SubscriptionRequest): Receiver {
  if (!isMailAddress(email))
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
