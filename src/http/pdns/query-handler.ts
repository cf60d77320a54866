/**
 * The steps that every query goes through: authenticate the key, parse the query, negotiate the media type, check what the key
 * may query, and only then charge its quota. A query that is rejected on the way costs nothing.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { inFlow } from '../../concurrency/event-loop-slices.ts';
import type { Settings } from '../../model/settings/settings.ts';
import type { Parameters } from '../../product/pdns/parameters.ts';
import { parseQuery } from '../../product/pdns/query.ts';
import {
  allowanceOf,
  authorize,
  chargeLookup,
  findKeyHolder,
  findUnlimited,
  type PdnsCaller,
  type QuotaNeeds,
  type QuotaState,
} from '../../product/pdns/quota.ts';
import type { AccountStore } from '../../store/account-store.ts';
import type { UsageStore } from '../../store/usage-store.ts';
import { split } from '../address.ts';
import type { FastAnswer, FastRequest } from '../fast-path/fast-route.ts';
import { findQueryFault, readQuery } from '../query-string.ts';
import type { LogRequest } from '../request-log.ts';
import { ConnectionLimit } from './connection-limit.ts';
import { requiredHeaderKey } from './credentials.ts';
import { csvFraming, type Framing, plainFraming, safFraming } from './framing.ts';
import { csv, type MediaType, negotiateType } from './media-type.ts';
import { pathSegments } from './path-segments.ts';
import { columnsOf, prepare, type Searchable } from './prepare.ts';
import { rateHeaders } from './rate-text.ts';
import { type CachedResponse, ResponseCache } from './response-cache.ts';
import { ResponseStream } from './response-stream.ts';
import { sendBuffered } from './send-buffered.ts';
import { type PreparedQuery, renderSync, streamResults } from './stream-results.ts';
import { Watchdog } from './watchdog.ts';

export interface QueryHandlerNeeds extends QuotaNeeds {
  readonly accounts: QuotaNeeds['accounts'] & Pick<AccountStore, 'findByKeySync'>;
  readonly usage: QuotaNeeds['usage'] & Pick<UsageStore, 'noteUse'>;
  readonly rrsets: Searchable;
  readonly settings: Pick<Settings, 'pdns' | 'http'>;
  /** For responses that end without a Fastify hook, because their connection broke. */
  readonly logAbandoned: LogRequest;
}

/** A family of routes: how many segments of their paths the router matched, and which media types they offer. */
export interface Endpoint {
  readonly apiVersion: 1 | 2;
  readonly mountedSegments: number;
  readonly offered: readonly MediaType[];
}

interface QueryResponse {
  readonly caller: PdnsCaller;
  readonly framing: Framing;
  /** Streams the results. */
  readonly run: (stream: ResponseStream) => Promise<void>;
  /** The whole response, where it is available without waiting; `run` is not called then. */
  readonly renderSync?: () => CachedResponse | undefined;
}

interface FoundQuery {
  readonly framing: Framing;
  readonly known?: CachedResponse;
  /** Undefined where the response is known. */
  readonly prepared?: PreparedQuery<unknown>;
  readonly renderSync: () => CachedResponse | undefined;
}

export class QueryHandler {
  readonly needs: QueryHandlerNeeds;
  readonly #watchdog = new Watchdog();
  readonly #connections: ConnectionLimit;
  readonly #cache = new ResponseCache();

  constructor(needs: QueryHandlerNeeds) {
    this.needs = needs;
    this.#connections = new ConnectionLimit(needs.settings.pdns.connectionsPerKeyMax);
  }

  close(): void {
    this.#watchdog.close();
  }

  get nowSeconds(): number {
    return Math.floor(this.needs.clock.now() / 1000);
  }

  async authenticate(
    request: FastifyRequest,
    apiVersion: number,
    key = requiredHeaderKey(request),
  ): Promise<PdnsCaller> {
    const access = { key, apiVersion, client: request };
    const caller = authorize(await findKeyHolder(access, this.needs), access, this.needs);
    request.username = caller.user.username;
    return caller;
  }

  noteUse({ user, account }: PdnsCaller, item: 'pdns' | 'free', client: Pick<FastifyRequest, 'ip'>): void {
    const use = {
      accountId: account.id,
      username: user.username,
      item,
      key: { userId: user.id, client },
    };
    this.needs.usage.noteUse(use, this.needs.clock.now());
  }

  /** Answers a query in the path, in a form that the endpoint offers. */
  async answer(request: FastifyRequest, reply: FastifyReply, endpoint: Endpoint): Promise<FastifyReply> {
    const caller = await this.authenticate(request, endpoint.apiVersion);
    const { framing, prepared, renderSync: render } = this.#find(request, caller, endpoint);
    const run = prepared
      ? (stream: ResponseStream) => streamResults(prepared, framing, stream, request)
      : notRun;
    return this.respond(request, reply, { caller, framing, run, renderSync: render });
  }

  /**
   * The same at once; undefined where that cannot be: for a search that takes longer than a moment and, of a key with limits, for every search, so
   * that one that is refused costs none. An error, and undefined, mean that nothing was counted.
   */
  answerEarly(request: FastRequest, endpoint: Endpoint): FastAnswer | Promise<FastAnswer> | undefined {
    const { apiVersion } = endpoint;
    const key = request.headers['x-api-key'];
    if (typeof key !== 'string' || key === '') return undefined;
    const holder = this.needs.accounts.findByKeySync?.(key);
    if (!holder) return undefined;
    const caller = authorize(holder, { key, apiVersion, client: request }, this.needs);
    const rate = findUnlimited(caller.grant);
    if (!rate) return this.#answerKnown(request, caller, endpoint);
    const whole = this.#renderAlone(request, caller, endpoint);
    return whole && this.#count(request, caller, whole, rate);
  }

  #renderAlone(request: FastRequest, caller: PdnsCaller, endpoint: Endpoint): CachedResponse | undefined {
    this.#connections.acquire(caller.user.id);
    try {
      return this.#find(request, caller, endpoint).renderSync();
    } finally {
      this.#connections.release(caller.user.id);
    }
  }

  /** A response that is known already, when it is charged. */
  #answerKnown(
    request: FastRequest,
    caller: PdnsCaller,
    endpoint: Endpoint,
  ): Promise<FastAnswer> | undefined {
    const { known } = this.#find(request, caller, endpoint);
    return known && this.#chargeAlone(request, caller, known);
  }

  async #chargeAlone(request: FastRequest, caller: PdnsCaller, known: CachedResponse): Promise<FastAnswer> {
    this.#connections.acquire(caller.user.id);
    try {
      return this.#count(request, caller, known, await chargeLookup(caller, this.needs));
    } finally {
      this.#connections.release(caller.user.id);
    }
  }

  #count(request: FastRequest, caller: PdnsCaller, whole: CachedResponse, rate: QuotaState): FastAnswer {
    request.username = caller.user.username;
    this.noteUse(caller, 'pdns', request);
    const { text, headers, framing } = whole;
    return {
      contentType: framing.contentType,
      body: text,
      headers: { ...rateHeaders(rate), ...headers },
      keeper: whole,
    };
  }

  /** What a query asks for: the response that is known already, or a search that has not started. */
  #find(
    request: Pick<FastRequest, 'url' | 'headers'>,
    { grant }: PdnsCaller,
    endpoint: Endpoint,
  ): FoundQuery {
    const allowance = allowanceOf(grant, this.needs.settings);
    const { path, query: queryString } = split(request.url);
    const state = ResponseCache.isCacheable(queryString) ? this.needs.rrsets.state?.() : undefined;
    const { resultsMax, offsetMax } = allowance;
    const variant = {
      apiVersion: endpoint.apiVersion,
      accept: request.headers.accept,
      resultsMax,
      offsetMax,
    };
    const cached = state === undefined ? undefined : this.#cache.find(request.url, variant, state);
    if (cached) return { framing: cached.framing, known: cached, renderSync: () => cached };

    const parameters = parametersOf(queryString);
    const query = parseQuery(pathSegments(path, endpoint.mountedSegments), parameters, this.nowSeconds);
    const type = negotiateType(parameters, request.headers.accept, endpoint.offered);
    const isFirst = endpoint.apiVersion === 1;
    const form = type === csv ? 'csv' : isFirst ? 'v1' : 'saf';
    const prepared = prepare(query, allowance, form, this.needs.rrsets);
    const framing =
      form === 'csv'
        ? csvFraming(columnsOf(query), isFirst)
        : isFirst
          ? plainFraming(type, true)
          : safFraming;
    return {
      framing,
      prepared,
      renderSync: () => {
        const whole = renderSync(prepared, framing);
        if (whole && state !== undefined) this.#cache.set(request.url, variant, state, whole);
        return whole;
      },
    };
  }

  /** Charges the lookup and sends the response, watched until it has ended in any way. */
  async respond(
    request: FastifyRequest,
    reply: FastifyReply,
    { caller, framing, run, renderSync: render }: QueryResponse,
  ): Promise<FastifyReply> {
    this.#connections.acquire(caller.user.id);
    try {
      const rate = chargeLookup(caller, this.needs);
      reply.headers(rateHeaders(rate instanceof Promise ? await rate : rate));
      this.noteUse(caller, 'pdns', request);
      const whole = render?.();
      if (whole) {
        const { text, headers } = whole;
        const { contentType } = framing;
        const compressed = sendBuffered(request, reply, { contentType, body: text, headers, keeper: whole });
        if (compressed) await compressed;
        return reply;
      }
      const stream = new ResponseStream(request, reply, framing, this.needs.settings.pdns);
      this.#watchdog.add(stream);
      try {
        await inFlow(caller.user.id, () => run(stream));
      } finally {
        this.#watchdog.delete(stream);
      }
      if (stream.broken) this.needs.logAbandoned(request, reply);
      return reply;
    } finally {
      this.#connections.release(caller.user.id);
    }
  }
}

const notRun = () => Promise.resolve();

/** A plus sign is literal here, not a space: patterns contain it, and clients do not escape it. */
export function parametersOf(queryString: string): Parameters {
  const fault = findQueryFault(queryString);
  if (fault) throw fault;
  const written = queryString.slice(1);
  return readQuery(written.includes('+') ? written.replaceAll('+', '%2B') : written);
}
