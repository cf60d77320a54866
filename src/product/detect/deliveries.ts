/** Runs all outgoing deliveries of Detect while the server runs: webhooks, syslog, mail digests, submissions of escalations. */

import { type LeasedWorkers, startLeasedWorkers } from '../../concurrency/leased-workers.ts';
import { findGrant } from '../../model/account/account.ts';
import type { Clock } from '../../model/clock.ts';
import type { Subscription } from '../../model/detect/watchlist.ts';
import { hourMs, minuteMs } from '../../model/durations.ts';
import type { Settings } from '../../model/settings/settings.ts';
import type { Dialer } from '../../outgoing/guarded-dialer.ts';
import type { SendMail } from '../../outgoing/send-mail.ts';
import type { AccountStore } from '../../store/account-store.ts';
import type { EscalationStore } from '../../store/escalation-store.ts';
import type { DeliveryOutcome, EventStore } from '../../store/event-store.ts';
import type { MonitorStore } from '../../store/monitor-store.ts';
import { deliverEvents } from './deliver-events.ts';
import { sendDigest } from './send-digest.ts';
import { submitEscalation } from './submit-escalation.ts';

export interface DeliveryNeeds {
  readonly escalations: Pick<EscalationStore, 'leaseSubmissions' | 'recordSubmissionOutcome'>;
  readonly events: Pick<EventStore, 'leaseSubscriptions' | 'recordDeliveryOutcome' | 'listEvents'>;
  readonly monitors: Pick<MonitorStore, 'findMonitor'>;
  readonly accounts: Pick<AccountStore, 'listUsers'>;
  readonly dialer: Dialer;
  readonly sendMail: SendMail;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'detect' | 'mail' | 'http' | 'web'>;
  /** Webhook secrets are derived from it, and tokens of receivers are encrypted with it. */
  readonly linkKey: Buffer;
  readonly onFailure: (error: unknown) => void;
  /** How often to poll for due deliveries. */
  readonly pollMs?: number;
}

export interface DeliveryStatistics {
  readonly submissions: number;
  readonly webhooks: number;
  readonly syslog: number;
  readonly digests: number;
  /** Deliveries that the receiver did not accept; they are retried. */
  readonly refused: number;
  readonly failures: number;
}

export interface Deliveries {
  statistics(): DeliveryStatistics;
  close(): Promise<void>;
}

const submissionConcurrency = 8;
const subscriptionConcurrency = 64;
const usualPollMs = 1000;
/** Added to the timeout of a receiver, for the reads and writes around it. */
const leaseMarginMs = minuteMs;
const inactiveWaitMs = hourMs;
/** The product of the operation that streams the same events. */
const eventsProduct = 'intel-detect-watched-domains';

const countOf = { webhook: 'webhooks', syslog: 'syslog', email: 'digests' } as const;

export function startDeliveries(needs: DeliveryNeeds): Deliveries {
  const { escalations, events, clock, settings, pollMs = usualPollMs } = needs;
  const counts = { submissions: 0, webhooks: 0, syslog: 0, digests: 0, refused: 0, failures: 0 };
  const onFailure = (error: unknown) => {
    counts.failures += 1;
    needs.onFailure(error);
  };
  const leaseEnd = () => clock.now() + settings.detect.deliveryTimeoutSeconds * 1000 + leaseMarginMs;
  const workers: LeasedWorkers[] = [
    startLeasedWorkers({
      concurrency: subscriptionConcurrency,
      lease: (limit) => events.leaseSubscriptions(limit, clock.now(), leaseEnd()),
      perform: async (subscription, signal) => {
        const outcome = await deliver(subscription, needs, signal);
        await events.recordDeliveryOutcome(subscription.id, outcome);
        if (outcome.error !== undefined) counts.refused += 1;
        else if (outcome.deliveredId > subscription.deliveredId) counts[countOf[subscription.by]] += 1;
      },
      onFailure,
      pollMs,
    }),
  ];
  // Without a service configured, escalations wait.
  if (settings.detect.webRiskUrl !== '') {
    workers.push(
      startLeasedWorkers({
        concurrency: submissionConcurrency,
        lease: (limit) => escalations.leaseSubmissions(limit, clock.now(), leaseEnd()),
        perform: async (escalation, signal) => {
          const status = await submitEscalation(escalation, needs, signal);
          counts[status === 'submitted' ? 'submissions' : 'refused'] += 1;
        },
        onFailure,
        pollMs,
      }),
    );
  }
  return {
    statistics: () => ({ ...counts }),
    close: async () => void (await Promise.all(workers.map((worker) => worker.close()))),
  };
}

/** Nothing is delivered to an account that could not read the events itself; they wait until it can again. */
async function deliver(
  subscription: Subscription,
  needs: DeliveryNeeds,
  signal: AbortSignal,
): Promise<DeliveryOutcome> {
  const { accountId, deliveredId, failures } = subscription;
  const [caller] = await needs.accounts.listUsers({ accountId, limit: 1 });
  const nowMs = needs.clock.now();
  const wait = (error: string) => ({ deliveredId, failures, error, nextMs: nowMs + inactiveWaitMs });
  if (!caller?.account.active) return wait('the account is not active');
  if (!findGrant(caller.account, eventsProduct, nowMs))
    return wait(`the account is not provisioned for ${eventsProduct}`);
  return subscription.by === 'email'
    ? sendDigest(subscription, needs)
    : deliverEvents(subscription, needs, signal);
}
