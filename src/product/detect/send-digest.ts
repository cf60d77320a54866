/**
 * Mails a digest at the end of an hour or a day with events, or at the scheduled time of the day, covering the events since the last
 * digest. Without events no mail is sent.
 */
import type { Clock } from '../../model/clock.ts';
import { nextScheduledMs } from '../../model/detect/digest-schedule.ts';
import type { Subscription } from '../../model/detect/watchlist.ts';
import { dayMs, hourMs } from '../../model/durations.ts';
import type { DeliveryOutcome } from '../../store/event-store.ts';
import { gatherEvents, type MailNeeds, mailDigest, noMailHost } from './alert/mail-digest.ts';
import { deliveryIdOf } from './alert/send-events.ts';
import { retryTimeMs } from './retry-time.ts';

export interface DigestNeeds extends MailNeeds {
  readonly clock: Clock;
}

export async function sendDigest(subscription: Subscription, needs: DigestNeeds): Promise<DeliveryOutcome> {
  const { deliveredId, failures } = subscription;
  const nowMs = needs.clock.now();
  const gathered = await gatherEvents(subscription, { afterId: deliveredId }, needs);
  const [first] = gathered.events;
  const { range } = gathered;
  const nextMs = waitUntil(digestTimeMs(subscription, nowMs), nowMs);
  if (!first || !range) return { deliveredId, failures, nextMs };
  // The first event may be of the current period, however old the last digest is.
  const dueMs = digestTimeMs(subscription, first.atMs);
  if (nowMs < dueMs) return { deliveredId, failures, nextMs: waitUntil(dueMs, nowMs) };
  const error = await mailDigest(subscription, gathered, deliveryIdOf(subscription, range), needs);
  const attempt = { kind: 'events', atMs: needs.clock.now(), events: range, error } as const;
  if (error === undefined) return { deliveredId: range.lastId, failures: 0, nextMs, attempt };
  if (error === noMailHost) return { deliveredId, failures, error, nextMs, attempt };
  const againMs = retryTimeMs(failures, needs.clock.now());
  return { deliveredId, failures: failures + 1, error, nextMs: againMs, attempt };
}

/** When the period ends that a time belongs to. */
export function digestTimeMs({ every, schedule }: Subscription, ms: number): number {
  if (every === 'day' && schedule) return nextScheduledMs(schedule, ms);
  const periodMs = every === 'day' ? dayMs : hourMs;
  // Hours and days in UTC.
  return (Math.floor(ms / periodMs) + 1) * periodMs;
}

/** A schedule may leave out days. No delivery waits for longer than one: a later time counts as that of a clock which was ahead. */
function waitUntil(ms: number, nowMs: number): number {
  return Math.min(ms, nowMs + dayMs);
}
