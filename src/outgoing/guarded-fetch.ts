/**
 * The Fetch API on top of the guarded dialer, for libraries that make requests by themselves: GET and POST of small texts, without redirects,
 * bounded in bytes and time.
 */
import { isWebPort } from '../model/address/web-port.ts';
import { Problem } from '../model/problem.ts';
import type { Dialer } from './guarded-dialer.ts';
import { redactUrl } from './redact-url.ts';

export interface FetchBounds {
  readonly timeoutMs: number;
  readonly bytesMax: number;
}

export interface FetchOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

export type GuardedFetch = (url: string, options?: FetchOptions) => Promise<Response>;

/** Statuses whose responses have no body. */
const bodiless = new Set([204, 205, 304]);

/** Throws the Problems of the dialer, and `unavailable` for a response that is too long. */
export function guardedFetch(dialer: Pick<Dialer, 'send'>, bounds: FetchBounds): GuardedFetch {
  return async (address, { method = 'GET', headers = {}, body, signal } = {}) => {
    const url = URL.parse(address);
    if (!url || !isWebPort(url))
      throw new Problem(
        'invalid-parameters',
        `${redactUrl(address)} has a port that may belong to another service`,
      );
    if (method !== 'GET' && method !== 'POST')
      throw new Problem('invalid-parameters', `${method} requests are not made`);
    const response = await dialer.send({
      method,
      url: address,
      headers: { 'user-agent': 'nameglass', ...headers },
      ...(body === undefined || body === null ? {} : { body: textOf(body) }),
      timeoutMs: bounds.timeoutMs,
      ...(signal ? { signal } : {}),
      responseBytesMax: bounds.bytesMax,
      ports: 'configured',
    });
    if (response.isTruncated)
      throw new Problem(
        'unavailable',
        `the response of ${redactUrl(address)} is longer than ${bounds.bytesMax} bytes`,
      );
    const { status } = response;
    return new Response(bodiless.has(status) ? null : new Uint8Array(response.body), {
      status,
      headers: headersOf(response.headers),
    });
  };
}

function textOf(body: unknown): string {
  if (typeof body === 'string') return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new Error('only texts and forms are sent');
}

function headersOf(given: Readonly<Record<string, string | readonly string[] | undefined>>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given))
    for (const one of value === undefined ? [] : [value].flat()) headers.append(name, one);
  return headers;
}
