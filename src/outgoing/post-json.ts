/** Posts JSON and reports whether the server accepted it. The response body is not read. */
import { dayMs } from '../model/durations.ts';
import type { Dialer } from './guarded-dialer.ts';

export interface JsonPost {
  /** Set by the operator, port included. */
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

export interface PostResult {
  readonly isAccepted: boolean;
  readonly status: number;
  /** From the `Retry-After` header. */
  readonly retryAfterMs: number | undefined;
}

const retryAfterMsMax = dayMs;

/** Throws a Problem where no response arrives. Redirects are not followed. */
export async function postJson(dialer: Dialer, post: JsonPost, nowMs: number): Promise<PostResult> {
  const { headers, ...rest } = post;
  const { status, headers: responseHeaders } = await dialer.send({
    ...rest,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'nameglass', ...headers },
    responseBytesMax: 0,
    ports: 'configured',
  });
  return {
    isAccepted: status >= 200 && status < 300,
    status,
    retryAfterMs: findRetryAfterMs(responseHeaders['retry-after'], nowMs),
  };
}

/** `Retry-After` is a number of seconds or a date. */
function findRetryAfterMs(header: unknown, nowMs: number): number | undefined {
  if (typeof header !== 'string') return undefined;
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - nowMs;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), retryAfterMsMax);
}
