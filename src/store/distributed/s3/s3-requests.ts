/**
 * Signed requests to an S3 object store, repeated while it is away. The operator names its address, so it is called directly, not through the guarded
 * dialer. Connections are kept open between requests.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { backoffMs } from '../../../concurrency/backoff.ts';
import { secondMs } from '../../../model/durations.ts';
import { Problem } from '../../../model/problem.ts';
import { tryAgain } from '../postgres/postgres-errors.ts';

export interface S3Options {
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  /** The bucket is part of the path, not of the host name. */
  readonly pathStyle: boolean;
  readonly accessKey: string;
  readonly secretKey: string;
  /** Of all object names: empty, or ends with a slash. */
  readonly prefix: string;
}

/** Bytes with their SHA-256 in hex, which the object store compares with what arrives. */
export interface Payload {
  readonly bytes: Buffer;
  readonly sha256: string;
}

export interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly payload?: Payload;
  /** Statuses beside 2xx that are an answer. */
  readonly expected?: readonly number[];
}

export interface S3Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

/** How long a caller waits for a server that is away. */
const patienceMs = 5 * secondMs;
/** A request without an answer for so long is lost; one with many bytes may take longer. */
const answerMs = 10 * secondMs;
const bytesPerMs = 500;
const backoff = { firstMs: 50, factor: 2, maxMs: 500 };
const away = new Set([408, 425, 429, 500, 502, 503, 504]);
const emptySha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/** The connection failed, or took too long. */
class NoAnswer extends Error {}

export class S3Requests {
  readonly #options: S3Options;
  readonly #root: string;
  /** Since when no attempt has been answered. */
  #awaySinceMs: number | undefined;

  constructor(options: S3Options) {
    if (options.endpoint === '')
      throw new Problem(
        'invalid-parameters',
        'store.s3.endpoint is empty: with store.kind distributed it names the object store',
      );
    this.#options = options;
    const { protocol, host, pathname } = new URL(options.endpoint);
    const path = pathname.replace(/\/$/, '');
    this.#root = options.pathStyle
      ? `${protocol}//${host}${path}/${options.bucket}/${options.prefix}`
      : `${protocol}//${options.bucket}.${host}${path}/${options.prefix}`;
  }

  /** For messages. */
  nameOf(key: string): string {
    return `s3://${this.#options.bucket}/${this.#options.prefix}${key}`;
  }

  async send(request: S3Request): Promise<S3Answer> {
    const beganMs = performance.now();
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.#attempt(request);
      if (!(answer instanceof NoAnswer) && !away.has(answer.status)) {
        this.#awaySinceMs = undefined;
        return this.#accepted(request, answer);
      }
      const nowMs = performance.now();
      this.#awaySinceMs ??= nowMs;
      // Who asks while it has been away for long is not kept waiting.
      if (nowMs - Math.min(beganMs, this.#awaySinceMs) > patienceMs)
        throw tryAgain('the object store', answer instanceof NoAnswer ? answer.cause : codeOf(answer.body));
      await pause(backoffMs(attempt, backoff));
    }
  }

  async #attempt({
    method,
    key,
    query = {},
    headers = {},
    payload,
  }: S3Request): Promise<S3Answer | NoAnswer> {
    const parameters = new URLSearchParams(query).toString();
    const { accessKey, secretKey, region } = this.#options;
    const signed = await new AwsV4Signer({
      method,
      url: `${this.#root}${key}${parameters && `?${parameters}`}`,
      headers: { ...headers, 'x-amz-content-sha256': payload?.sha256 ?? emptySha256 },
      accessKeyId: accessKey,
      secretAccessKey: secretKey,
      service: 's3',
      region,
    }).sign();
    const bytes = payload?.bytes ?? null;
    return exchange(signed.url, {
      method,
      headers: signed.headers,
      body: bytes,
      redirect: 'manual',
      signal: AbortSignal.timeout(answerMs + Math.ceil((bytes?.length ?? 0) / bytesPerMs)),
    });
  }

  #accepted({ method, key, expected = [] }: S3Request, answer: S3Answer): S3Answer {
    const { status, body } = answer;
    if (status >= 200 && status < 300) return answer;
    const code = codeOf(body);
    // Without its bucket every object would seem lost.
    if (expected.includes(status) && code !== 'NoSuchBucket') return answer;
    const what = `${status} ${code}`.trim();
    throw new Error(
      `the object store answered ${what} to ${method} ${this.nameOf(key)}; check the settings store.s3`,
    );
  }
}

async function exchange(url: URL, request: RequestInit): Promise<S3Answer | NoAnswer> {
  try {
    const answer = await fetch(url, request);
    return { status: answer.status, headers: answer.headers, body: Buffer.from(await answer.arrayBuffer()) };
  } catch (cause) {
    return new NoAnswer('no answer', { cause });
  }
}

/** The code of an error, such as `AccessDenied`. */
export function codeOf(body: Buffer): string {
  return elementOf(body.subarray(0, 4096).toString(), 'Code');
}

export function elementOf(text: string, name: string): string {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1] ?? '';
}
