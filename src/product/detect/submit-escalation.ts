/**
 * Tells the configured web-risk service of a domain that was escalated as `external_safe`. At least once: whoever is told twice knows
 * it by the idempotency key, which is the id of the escalation.
 */
import type { Clock } from '../../model/clock.ts';
import type { Escalation } from '../../model/detect/watchlist.ts';
import type { Settings } from '../../model/settings.ts';
import type { Dialer } from '../../outgoing/guarded-dialer.ts';
import { postJson } from '../../outgoing/post-json.ts';
import type { SubmissionOutcome, WatchlistStore } from '../../store/watchlist-store.ts';
import { faultOf } from './delivery-fault.ts';
import { retryTimeMs } from './retry-time.ts';

export interface SubmitNeeds {
  readonly watchlist: Pick<WatchlistStore, 'settleSubmission'>;
  readonly dialer: Dialer;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'detect'>;
}

export async function submitEscalation(
  escalation: Escalation,
  needs: SubmitNeeds,
  signal: AbortSignal,
): Promise<SubmissionOutcome['status']> {
  const outcome = await submit(escalation, needs, signal);
  await needs.watchlist.settleSubmission(escalation.id, outcome);
  return outcome.status;
}

async function submit(
  { id, domain, submission }: Escalation,
  { dialer, clock, settings }: SubmitNeeds,
  signal: AbortSignal,
): Promise<SubmissionOutcome> {
  const {
    webRiskUrl: url,
    webRiskToken: token,
    deliveryTimeoutSeconds,
    submissionAttemptsMax,
  } = settings.detect;
  // This one is among them already.
  const attempts = submission?.attempts ?? 1;
  let [error, retryAfterMs]: [string?, number?] = [];
  try {
    const post = {
      url,
      body: JSON.stringify(submissionOf(domain)),
      headers: { 'idempotency-key': id, ...(token === '' ? {} : { authorization: `Bearer ${token}` }) },
      timeoutMs: deliveryTimeoutSeconds * 1000,
      signal,
    };
    const answer = await postJson(dialer, post, clock.now());
    if (answer.taken) return { status: 'submitted', atMs: clock.now() };
    [error, retryAfterMs] = [`the service answered ${answer.status}`, answer.retryAfterMs];
  } catch (failure) {
    // A stop is nobody's fault; the next start tries at once.
    if (signal.aborted) return { status: 'waiting', nextMs: clock.now(), atMs: clock.now() };
    error = faultOf(failure);
  }
  const atMs = clock.now();
  if (attempts >= submissionAttemptsMax) return { status: 'failed', error, atMs };
  return { status: 'waiting', error, nextMs: retryTimeMs(attempts - 1, atMs, retryAfterMs), atMs };
}

/** Somebody has looked at the site and judged it, which is what an escalation is. */
function submissionOf(domain: string): object {
  return {
    submission: { uri: `http://${domain}/` },
    threatInfo: {
      abuseType: 'SOCIAL_ENGINEERING',
      threatJustification: { labels: ['MANUAL_VERIFICATION'] },
    },
  };
}
