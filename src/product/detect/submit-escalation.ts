/**
 * Submits a domain that was escalated as `external_safe` to the configured web-risk service, at least once. The idempotency key is the id of the
 * escalation.
 */
import type { Clock } from '../../model/clock.ts';
import type { Escalation } from '../../model/detect/watchlist.ts';
import type { Settings } from '../../model/settings/settings.ts';
import type { Dialer } from '../../outgoing/guarded-dialer.ts';
import { postJson } from '../../outgoing/post-json.ts';
import type { EscalationStore, SubmissionOutcome } from '../../store/escalation-store.ts';
import { faultOf } from './delivery-fault.ts';
import { retryTimeMs } from './retry-time.ts';

export interface SubmitNeeds {
  readonly escalations: Pick<EscalationStore, 'recordSubmissionOutcome'>;
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
  await needs.escalations.recordSubmissionOutcome(escalation.id, outcome);
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
  // The current attempt included.
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
    const response = await postJson(dialer, post, clock.now());
    if (response.isAccepted) return { status: 'submitted', atMs: clock.now() };
    [error, retryAfterMs] = [`the service answered ${response.status}`, response.retryAfterMs];
  } catch (failure) {
    // A shutdown is not a failure; the next start retries immediately.
    if (signal.aborted) return { status: 'waiting', nextMs: clock.now(), atMs: clock.now() };
    error = faultOf(failure);
  }
  const atMs = clock.now();
  if (attempts >= submissionAttemptsMax) return { status: 'failed', error, atMs };
  return { status: 'waiting', error, nextMs: retryTimeMs(attempts - 1, atMs, retryAfterMs), atMs };
}

/** An escalation is a manual judgement of the site. */
function submissionOf(domain: string): object {
  return {
    submission: { uri: `http://${domain}/` },
    threatInfo: {
      abuseType: 'SOCIAL_ENGINEERING',
      threatJustification: { labels: ['MANUAL_VERIFICATION'] },
    },
  };
}
