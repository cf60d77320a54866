/** Deliveries that a person asks for: a test of a subscription, and events that are sent once more. Both are logged. */
import type { Clock } from '../../../model/clock.ts';
import type { Delivery, DeliveryAttempt } from '../../../model/detect/delivery.ts';
import type { Subscription } from '../../../model/detect/watchlist.ts';
import { Problem } from '../../../model/problem.ts';
import type { EventStore } from '../../../store/event-store.ts';
import { faultOf } from '../delivery-fault.ts';
import { noSuchSubscription } from './change-subscription.ts';
import { gatherEvents, type MailNeeds, mailDigest, noMailHost } from './mail-digest.ts';
import { deliveryIdOf, type SendNeeds, type SendRequest, sendEvents } from './send-events.ts';

export interface SendNowNeeds extends MailNeeds, SendNeeds {
  readonly events: Pick<
    EventStore,
    'listEvents' | 'listDeliveries' | 'recordDelivery' | 'recordDeliveryOutcome'
  >;
  readonly settings: MailNeeds['settings'] & SendNeeds['settings'];
  readonly clock: Clock;
}

const testText = 'This is a test of an alert of Nameglass. Digests of events will come to this address.';

/** The receiver gets a message that says it is a test, and no events. */
export async function sendTest(
  subscription: Subscription,
  needs: SendNowNeeds,
  signal: AbortSignal,
): Promise<Delivery> {
  const deliveryId = `${subscription.id}.test-${needs.clock.now()}`;
  const error =
    subscription.by === 'email'
      ? await mailTest(subscription, deliveryId, needs)
      : await send(subscription, { deliveryId: () => deliveryId, events: [] }, needs, signal);
  return log(subscription, { kind: 'test', atMs: needs.clock.now(), events: undefined, error }, needs);
}

/**
 * Sends the events of a delivery again, under the same delivery id. If they had not been accepted yet, and are now, they count as delivered.
 */
export async function replayDelivery(
  subscription: Subscription,
  number: number,
  needs: SendNowNeeds,
  signal: AbortSignal,
): Promise<Delivery> {
  const { accountId, id, deliveredId } = subscription;
  const deliveries = await needs.events.listDeliveries(accountId, id);
  const original = deliveries.find((one) => one.number === number);
  if (!original) throw new Problem('not-found', 'There is no such delivery in the log.');
  if (!original.events) throw new Problem('conflict', 'A test has no events to send again.');
  const { firstId, lastId } = original.events;
  const gathered = await gatherEvents(subscription, { afterId: firstId - 1, lastId }, needs);
  const { events, range } = gathered;
  if (!range) throw new Problem('conflict', 'The events of this delivery are no longer kept.');
  const deliveryId = deliveryIdOf(subscription, original.events);
  const error =
    subscription.by === 'email'
      ? await mailDigest(subscription, gathered, deliveryId, needs)
      : await send(subscription, { deliveryId: () => deliveryId, events }, needs, signal);
  const atMs = needs.clock.now();
  // It failed and nothing was delivered since: these are the next events.
  if (error === undefined && original.status === 'failed' && deliveredId < firstId)
    await needs.events.recordDeliveryOutcome(id, { deliveredId: range.lastId, failures: 0, nextMs: atMs });
  return log(subscription, { kind: 'replay', atMs, events: range, error }, needs);
}

/**
 * A person who goes away does not make it a failure of the receiver, but nothing is known about it either. What a message of this format has no
 * room for follows in the next one.
 */
async function send(
  subscription: Subscription,
  { deliveryId, events }: SendRequest,
  needs: SendNowNeeds,
  signal: AbortSignal,
): Promise<string | undefined> {
  for (let from = 0; ; ) {
    const request = { deliveryId, events: events.slice(from) };
    const { outcome, count } = await sendEvents(subscription, request, needs, signal);
    if (outcome === 'aborted') return 'it was cancelled';
    from += count;
    if (outcome.error !== undefined || from >= events.length) return outcome.error;
  }
}

async function mailTest(
  { target: to }: Subscription,
  id: string,
  { sendMail, settings }: SendNowNeeds,
): Promise<string | undefined> {
  if (settings.mail.host === '') return noMailHost;
  try {
    const html = `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"></head><body><p>${testText}</p></body></html>\n`;
    await sendMail({ to, subject: 'Nameglass: test', text: `${testText}\n`, html, id });
    return undefined;
  } catch (error) {
    return faultOf(error);
  }
}

async function log(
  { accountId, id }: Subscription,
  attempt: DeliveryAttempt,
  { events }: SendNowNeeds,
): Promise<Delivery> {
  const delivery = await events.recordDelivery(accountId, id, attempt);
  if (!delivery) throw noSuchSubscription();
  return delivery;
}
