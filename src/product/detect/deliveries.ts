/** Tells the world outside what it asked to be told, for as long as a server runs: webhooks, digests, submissions. */
import type { Clock } from '../../model/clock.ts';
import type { Subscription } from '../../model/detect/watchlist.ts';
import type { Settings } from '../../model/settings.ts';
import type { Dialer } from '../../outgoing/guarded-dialer.ts';
import type { SendMail } from '../../outgoing/send-mail.ts';
import type { AccountStore } from '../../store/account-store.ts';
import type { SubscriptionOutcome, WatchlistStore } from '../../store/watchlist-store.ts';
import { deliverWebhook } from './deliver-webhook.ts';
import { type Lane, startLane } from './lane.ts';
import { sendDigest } from './send-digest.ts';
import { submitEscalation } from './submit-escalation.ts';

export interface DeliveryNeeds {
  readonly watchlist: Pick<
    WatchlistStore,
    | 'leaseSubmissions'
    | 'settleSubmission'
    | 'leaseSubscriptions'
    | 'settleSubscription'
    | 'listEvents'
    | 'findMonitor'
  >;
  readonly accounts: Pick<AccountStore, 'listUsers'>;
  readonly dialer: Dialer;
  readonly sendMail: SendMail;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'detect' | 'mail'>;
  /** Webhook secrets are made with it. */
  readonly linkKey: Buffer;
  readonly onFailure: (error: unknown) => void;
  /** How often to look for what is due. */
  readonly lookMs?: number;
}

export interface DeliveryStatistics {
  readonly submissions: number;
  readonly webhooks: number;
  readonly digests: number;
  /** Deliveries that were not taken, and will be tried again. */
  readonly refused: number;
  readonly failures: number;
}

export interface Deliveries {
  statistics(): DeliveryStatistics;
  close(): Promise<void>;
}

const submissionsAtOnce = 8;
const subscriptionsAtOnce = 64;
const usualLookMs = 1000;
/** Beyond the time that a receiver has: for what is read and written around it. */
const leaseMarginMs = 60_000;
const inactiveWaitMs = 3_600_000;

export function startDeliveries(needs: DeliveryNeeds): Deliveries {
  const { watchlist, clock, settings, lookMs = usualLookMs } = needs;
  const counts = { submissions: 0, webhooks: 0, digests: 0, refused: 0, failures: 0 };
  const onFailure = (error: unknown) => {
    counts.failures += 1;
    needs.onFailure(error);
  };
  const leaseEnd = () => clock.now() + settings.detect.deliveryTimeoutSeconds * 1000 + leaseMarginMs;
  const lanes: Lane[] = [
    startLane({
      atOnceMax: subscriptionsAtOnce,
      lease: (limit) => watchlist.leaseSubscriptions(limit, clock.now(), leaseEnd()),
      work: async (subscription, signal) => {
        const outcome = await tell(subscription, needs, signal);
        await watchlist.settleSubscription(subscription.id, outcome);
        if (outcome.error !== undefined) counts.refused += 1;
        else if (outcome.toldId > subscription.toldId)
          counts[subscription.by === 'webhook' ? 'webhooks' : 'digests'] += 1;
      },
      onFailure,
      lookMs,
    }),
  ];
  // Without an address they wait.
  if (settings.detect.webRiskUrl !== '') {
    lanes.push(
      startLane({
        atOnceMax: submissionsAtOnce,
        lease: (limit) => watchlist.leaseSubmissions(limit, clock.now(), leaseEnd()),
        work: async (escalation, signal) => {
          const status = await submitEscalation(escalation, needs, signal);
          counts[status === 'submitted' ? 'submissions' : 'refused'] += 1;
        },
        onFailure,
        lookMs,
      }),
    );
  }
  return {
    statistics: () => ({ ...counts }),
    close: async () => void (await Promise.all(lanes.map((lane) => lane.close()))),
  };
}

/** An account that is shut off is told nothing; what happens meanwhile is told when it is back. */
async function tell(
  subscription: Subscription,
  needs: DeliveryNeeds,
  signal: AbortSignal,
): Promise<SubscriptionOutcome> {
  const { accountId, toldId, failures } = subscription;
  const [caller] = await needs.accounts.listUsers({ accountId, limit: 1 });
  if (!caller?.account.active) {
    const nextMs = needs.clock.now() + inactiveWaitMs;
    return { toldId, failures, error: 'the account is not active', nextMs };
  }
  return subscription.by === 'webhook'
    ? deliverWebhook(subscription, needs, signal)
    : sendDigest(subscription, needs);
}
