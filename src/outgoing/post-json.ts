/** Tells somebody something, and hears whether it was taken. Nothing else of the answer is read. */
import type { Dialer } from './guarded-dialer.ts';

export interface JsonPost {
  /** Written by the operator, its port included. */
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

export interface PostOutcome {
  readonly taken: boolean;
  readonly status: number;
  /** How long the other side asks us to wait. */
  readonly retryAfterMs: number | undefined;
}

const retryAfterMsMax = 86_400_000;

/** Throws a Problem where no answer comes. Redirects are not followed: whoever moves tells the operator. */
export async function postJson(dialer: Dialer, post: JsonPost, nowMs: number): Promise<PostOutcome> {
  const { headers, ...rest } = post;
  const { status, headers: answered } = await dialer.send({
    ...rest,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'nameglass', ...headers },
    answerBytesMax: 0,
    ports: 'configured',
  });
  return {
    taken: status >= 200 && status < 300,
    status,
    retryAfterMs: findRetryAfterMs(answered['retry-after'], nowMs),
  };
}

/** Seconds, or a date. */
function findRetryAfterMs(header: unknown, nowMs: number): number | undefined {
  if (typeof header !== 'string') return undefined;
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - nowMs;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), retryAfterMsMax);
}
