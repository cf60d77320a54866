/** Sends events, or a test, to a webhook or a syslog receiver at once. */
import type { AlertMessage } from '../../../model/detect/alert/message.ts';
import { isSyslogFormat, isWebhookFormat } from '../../../model/detect/alert/receiver.ts';
import { writeSyslog } from '../../../model/detect/alert/syslog/syslog-message.ts';
import { findSyslogTarget } from '../../../model/detect/alert/syslog/target.ts';
import { webhookEventsMax, writeWebhookBody } from '../../../model/detect/alert/webhook-body.ts';
import type { Subscription, WatchlistEvent } from '../../../model/detect/watchlist.ts';
import { publicUrl } from '../../../model/settings/public-url.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import { sendSyslog } from '../../../outgoing/send-syslog.ts';
import type { MonitorStore } from '../../../store/monitor-store.ts';
import { faultOf } from '../delivery-fault.ts';
import { findTerms } from './monitor-terms.ts';
import { type PostNeeds, postWebhook, type SendOutcome } from './post-webhook.ts';

export interface SendNeeds extends PostNeeds {
  readonly monitors: Pick<MonitorStore, 'findMonitor'>;
  readonly settings: Pick<Settings, 'detect' | 'http' | 'web'>;
}

export interface SendRequest {
  /** The first of those that wait; none for a test. */
  readonly events: readonly WatchlistEvent[];
  /** For the events from the first to the last one given. */
  readonly deliveryId: (events: readonly WatchlistEvent[]) => string;
}

export interface SentEvents {
  readonly outcome: SendOutcome | 'aborted';
  /** How many of the events were in the message. */
  readonly count: number;
}

const syslogEventsMax = 100;

/** Of one message. */
export function eventsMaxOf({ format }: Pick<Subscription, 'format'>): number {
  return isWebhookFormat(format) ? webhookEventsMax(format) : syslogEventsMax;
}

/** The id is made of the first and last event: a retry has the same id, and another set of events another. */
export function deliveryIdOf(
  { id }: Pick<Subscription, 'id'>,
  events: { readonly firstId: number; readonly lastId: number },
): string {
  return `${id}.${events.firstId}-${events.lastId}`;
}

/** As many of the events as the receiver takes in one message. */
export async function sendEvents(
  subscription: Subscription,
  request: SendRequest,
  needs: SendNeeds,
  signal: AbortSignal,
): Promise<SentEvents> {
  const { accountId, format, options } = subscription;
  const events = request.events.slice(0, eventsMaxOf(subscription));
  const { http, web } = needs.settings;
  const message: AlertMessage = {
    subscriptionId: subscription.id,
    deliveryId: request.deliveryId(events),
    events,
    atMs: needs.clock.now(),
    terms: await findTerms(accountId, events, needs),
    webUrl: web.enabled ? publicUrl({ http }) : undefined,
  };
  if (isSyslogFormat(format)) {
    const outcome = await sendLines(
      subscription,
      writeSyslog(format, message, hostOf({ http })),
      needs,
      signal,
    );
    return { outcome, count: events.length };
  }
  const { count } = writeWebhookBody(format, message, options);
  // The id depends on how many fit.
  const fitting = events.slice(0, count);
  const deliveryId = request.deliveryId(fitting);
  const { body } = writeWebhookBody(format, { ...message, events: fitting, deliveryId }, options);
  return { outcome: await postWebhook(subscription, { deliveryId, body }, needs, signal), count };
}

async function sendLines(
  { target, options }: Subscription,
  messages: readonly Buffer[],
  { dialer, settings }: SendNeeds,
  signal: AbortSignal,
): Promise<SendOutcome | 'aborted'> {
  const found = findSyslogTarget(target);
  if (!found) throw new Error(`${target} is not a syslog receiver`);
  const { isSecure, ...address } = found;
  const tls = isSecure ? { ca: options.ca } : undefined;
  const timeoutMs = settings.detect.deliveryTimeoutSeconds * 1000;
  try {
    await sendSyslog(dialer, { ...address, tls, messages, timeoutMs, signal });
    return { error: undefined, retryAfterMs: undefined };
  } catch (failure) {
    return signal.aborted ? 'aborted' : { error: faultOf(failure), retryAfterMs: undefined };
  }
}

/** What syslog messages say where they come from. */
function hostOf(settings: Pick<Settings, 'http'>): string {
  return new URL(publicUrl(settings)).hostname;
}
