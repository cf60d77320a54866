/**
 * A client of the platform, batch and passive DNS APIs, on web standards alone; Node 20 or later. `docs/api/clients.md` shows how to use it.
 */
import { isBatch, isSignable, type KeyHolder, Signer } from './credentials.ts';
import {
  type Body,
  bodyOnWire,
  contentType,
  type Query,
  queryOf,
  queryText,
  serverUrl,
} from './encode-request.ts';
import { NameglassError } from './nameglass-error.ts';
import { readError } from './read-error.ts';
import { framedRecords, isFramed, isUnframedPdns, plainRecords, type StreamEnd } from './read-lines.ts';
import { linkedQuery, readPage } from './read-pages.ts';

export type * from './answers.ts';
export { signatureOf } from './credentials.ts';
export type { Query } from './encode-request.ts';
export { type ErrorCode, NameglassError } from './nameglass-error.ts';
export type { StreamEnd } from './read-lines.ts';

export interface ClientOptions {
  /** Where the server is, its mount prefix included: `https://names.example`. */
  readonly server: string | URL;
  /** Needed for signatures only. */
  readonly username?: string | undefined;
  /** The API key, for the platform and passive DNS. */
  readonly key?: string | undefined;
  /** The batch key, which differs from the API key. */
  readonly batchKey?: string | undefined;
  /** Signs requests to the platform API instead of sending the key. */
  readonly sign?: boolean | undefined;
  readonly fetch?: typeof fetch | undefined;
  readonly userAgent?: string | undefined;
  /** How long a request may wait in all where the server says when to try again; 0: it fails at once. */
  readonly waitSeconds?: number | undefined;
}

export interface RequestOptions {
  /** GET, or POST with a body. */
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | undefined;
  readonly query?: Query | undefined;
  /** An object is sent as JSON, text and bytes as they are. */
  readonly body?: Body | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface LinesOptions extends RequestOptions {
  /** Called at the end of a passive DNS response that has one. */
  readonly onEnd?: ((end: StreamEnd) => void) | undefined;
}

export class NameglassClient {
  readonly #server: URL;
  readonly #holder: KeyHolder;
  readonly #fetch: typeof fetch;
  readonly #userAgent: string;
  readonly #waitSeconds: number;
  readonly #signer = new Signer();

  constructor({
    server,
    fetch: given,
    userAgent = 'nameglass-client',
    waitSeconds = 0,
    ...holder
  }: ClientOptions) {
    this.#server = serverUrl(server);
    if (holder.sign && !(holder.username && holder.key))
      throw new NameglassError('A signature needs username and key.', { code: 'invalid' });
    this.#holder = holder;
    this.#fetch = given ?? ((...request) => fetch(...request));
    this.#userAgent = userAgent;
    this.#waitSeconds = waitSeconds;
  }

  /** The response, whose status is 2xx or 304; anything else throws a `NameglassError`. */
  async request(path: string, options: RequestOptions = {}): Promise<Response> {
    let leftSeconds = this.#waitSeconds;
    for (;;) {
      const response = await this.#send(path, options);
      if (response.ok || response.status === 304) return response;
      const error = await readError(response, this.#pathBelow(this.#urlOf(path)));
      const seconds = error.retryAfterSeconds;
      if (seconds === undefined || seconds > leftSeconds) throw error;
      leftSeconds -= Math.max(seconds, 1);
      await pause(Math.max(seconds, 1), options.signal);
    }
  }

  async json<T = unknown>(path: string, options?: RequestOptions): Promise<T> {
    const response = await this.request(path, options);
    const text = await response.text();
    try {
      return JSON.parse(text) as T;
    } catch (cause) {
      throw new NameglassError('The response is not JSON.', {
        status: response.status,
        code: 'unexpected',
        cause,
      });
    }
  }

  /** Records of a streamed response as they arrive; throws if the response breaks off, or does not say that it succeeded where it must. */
  async *lines<T = unknown>(path: string, { onEnd, ...options }: LinesOptions = {}): AsyncGenerator<T, void> {
    const response = await this.request(path, options);
    const framed = isFramed(this.#pathBelow(this.#urlOf(path)));
    yield* (framed ? framedRecords(response, onEnd) : plainRecords(response)) as AsyncGenerator<T, void>;
  }

  /** The items of all pages of a list, a search, a passive DNS lookup or a feed. */
  async *pages<T = unknown>(path: string, options: RequestOptions = {}): AsyncGenerator<T, void> {
    let query: Query | undefined = options.query ?? {};
    const below = this.#pathBelow(this.#urlOf(path));
    const framed = isFramed(below);
    if (!framed && isUnframedPdns(below))
      throw new NameglassError(
        'Only version 2 of passive DNS says where its next page begins: use /pdns/v2/.',
        {
          code: 'invalid',
        },
      );
    while (query) {
      const response = await this.request(path, { ...options, query });
      const type = response.headers.get('content-type') ?? '';
      if (framed) query = yield* this.#framedPage<T>(response, query);
      else if (type.startsWith('application/x-ndjson')) query = yield* this.#plainPage<T>(response, query);
      else {
        const { items, next } = readPage(await response.json(), query);
        yield* items as readonly T[];
        query = next && { ...query, ...next };
      }
    }
  }

  async *#framedPage<T>(response: Response, query: Query): AsyncGenerator<T, Query | undefined> {
    let end: StreamEnd | undefined;
    yield* framedRecords(response, (given) => (end = given)) as AsyncGenerator<T, void>;
    if (end?.cursor === undefined) return undefined;
    // The cursor says where to go on; an offset would be skipped again.
    const { offset: _offset, ...others } = query;
    return { ...others, cursor: end.cursor };
  }

  /** A feed with a session continues with the same request; otherwise a link says how. */
  async *#plainPage<T>(response: Response, query: Query): AsyncGenerator<T, Query | undefined> {
    yield* plainRecords(response) as AsyncGenerator<T, void>;
    const linked = linkedQuery(response.headers.get('link'));
    if (linked) return queryOf(linked);
    if (response.status !== 206) return undefined;
    if (query['sessionID'] !== undefined) return query;
    throw new NameglassError(
      'There are more records than one response carries: use a session, or a smaller range.',
      {
        status: 206,
        code: 'too-many-results',
      },
    );
  }

  async #send(
    path: string,
    { query = {}, body, headers, signal, method }: RequestOptions,
  ): Promise<Response> {
    const url = this.#urlOf(path);
    const own = url.origin === this.#server.origin;
    const {
      query: signed,
      headers: keyed,
      body: filled,
    } = own ? await this.#authenticated(url, body) : { body };
    url.search = [url.search.slice(1), queryText({ ...query, ...signed })].filter(Boolean).join('&');
    try {
      return await this.#fetch(url, {
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        headers: { 'user-agent': this.#userAgent, ...keyed, ...contentType(filled), ...headers },
        ...(filled === undefined ? {} : { body: bodyOnWire(filled) }),
        ...(signal ? { signal } : {}),
        // A redirected request would carry the key to wherever it leads.
        redirect: 'manual',
      });
    } catch (cause) {
      if (signal?.aborted) throw cause;
      const reason = ((cause as Error).cause as Error | undefined)?.message ?? (cause as Error).message;
      throw new NameglassError(`${url.origin} cannot be reached: ${reason}`, { code: 'unreachable', cause });
    }
  }

  async #authenticated(url: URL, body: RequestOptions['body']) {
    const path = this.#pathBelow(url);
    const { username, key, batchKey, sign } = this.#holder;
    if (isBatch(path))
      return { body: batchKey === undefined ? body : { apikey: batchKey, ...(body as object) } };
    if (key === undefined) return { body };
    if (!sign || !isSignable(path)) return { body, headers: { 'x-api-key': key } };
    return { body, query: await this.#signer.sign(key, username as string, path) };
  }

  /** An absolute URL is used as it is; the key goes to the server alone. */
  #urlOf(path: string): URL {
    if (/^https?:/.test(path)) return new URL(path);
    return new URL(`${this.#server.href.replace(/\/$/, '')}/${path.replace(/^\//, '')}`);
  }

  /** Without the mount prefix, which may be left out of what is signed. */
  #pathBelow({ pathname }: URL): string {
    const prefix = this.#server.pathname.replace(/\/$/, '');
    return pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : pathname;
  }
}

async function pause(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, seconds * 1000);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
}
