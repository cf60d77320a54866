/** Investigate: a search by GET, form, JSON or query language; and search hashes, which hold a search in one text. */
import { isDeepStrictEqual } from 'node:util';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Caller } from '../../../model/account/account.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import { PositionCodec } from '../../../product/investigate/position.ts';
import { findPageOf, type Search, type SearchNeeds } from '../../../product/investigate/search.ts';
import { searchHash } from '../../../product/investigate/search-hash.ts';
import { conditionOfSearch, isTestQuery } from '../../../product/investigate/search-text.ts';
import { tagReader } from '../../../product/investigate/tags.ts';
import type { DomainStore } from '../../../store/domain-store.ts';
import { families } from '../families.ts';
import { defineOperation, type Operation, type OperationContext } from '../operation/define-operation.ts';
import type { RawParameters } from '../operation/raw-parameters.ts';
import { sendBody } from '../operation/send-response.ts';
import { AnswerCache } from '../records/answer-cache.ts';
import { FinishedRecords } from '../records/finished-records.ts';
import { showRecords } from '../records/record-wire.ts';
import { type ScreenshotNeeds, screenshotFinder } from '../records/screenshot-wire.ts';
import { nextPageUrl } from './next-page-url.ts';
import {
  getSearch,
  type ResponseOptions,
  readSearch,
  responseOptions,
  searchContextOf,
  searchIdentity,
  searchParameters,
} from './search-parameters.ts';
import {
  envelopeFormat,
  pageAnswer,
  renderAnswer,
  type SearchAnswer,
  SearchResponse,
  tableFormats,
  tooManyMatches,
} from './search-response.ts';

export interface SearchOperationNeeds extends Omit<SearchNeeds, 'positions'>, ScreenshotNeeds {
  readonly domains: SearchNeeds['domains'] &
    Pick<DomainStore, 'findUnparsed' | 'getRecords' | 'tagsOf' | 'state'>;
  readonly settings: Settings;
  readonly linkKey: Buffer;
  /** Where clients reach this server, mount prefix included. */
  readonly serverUrl: () => string;
}

type Needs = SearchOperationNeeds &
  SearchNeeds & { readonly cache: AnswerCache; readonly records: FinishedRecords };

interface PageQuery {
  readonly search: Search;
  readonly options: ResponseOptions;
  readonly format: string;
  readonly raw: RawParameters;
  readonly caller: Caller;
  readonly nowMs: number;
}

export function searchOperations(given: SearchOperationNeeds): readonly Operation[] {
  const bytesMax = given.settings.caches.recordBytes / 2;
  const needs = {
    ...given,
    positions: new PositionCodec(given.linkKey),
    cache: new AnswerCache(bytesMax),
    records: new FinishedRecords(given.domains, bytesMax),
  };
  return [
    searchOperation('getIntelInvestigate', 'GET', needs),
    searchOperation('postIntelInvestigate', 'POST', needs),
    searchHashOperation(needs),
  ];
}

function searchOperation(id: string, method: 'GET' | 'POST', needs: Needs): Operation {
  return defineOperation({
    id,
    family: families.investigate,
    route: `${method} /intel-investigate/`,
    product: 'intel-investigate',
    permission: 'read',
    summary: 'Pivot search over domain records',
    description:
      'Domains that match all parameters, at least one of them a base parameter. The next page is requested with `position`. Where more domains match than are returned, the answer is a 200 with `response.error`.',
    parameters: responseOptions,
    rawParameters: searchParameters,
    rawIdentity: searchIdentity(needs.linkKey),
    extraFormats: tableFormats,
    responses: { 200: { ...SearchResponse, description: 'A page of records, or that too many match' } },
    parse: (context) => readPageQuery(context, needs),
    charge: ({ raw }) => (isTestQuery(readSearch(raw, needs.linkKey), needs.settings) ? 'free' : 'product'),
    respond: (query, request, reply) => sendPage(query, needs, request, reply),
    findAgain: (url, caller, nowMs) => needs.cache.findByUrl(url, caller, needs.domains.state(), nowMs),
  });
}

function searchHashOperation(needs: Needs): Operation {
  return defineOperation({
    id: 'getInvestigateSearchHash',
    family: families.investigate,
    route: 'GET /intel-investigate/search-hash/',
    product: 'intel-investigate',
    permission: 'read',
    summary: 'A search as one text, to be repeated with search_hash',
    description: 'Takes the parameters of a search.',
    parameters: Type.Object({}),
    rawParameters: searchParameters,
    rawIdentity: searchIdentity(needs.linkKey),
    response: Type.Object({ response: Type.Object({ search_hash: Type.String() }) }),
    charge: 'free',
    handle: async (context) => {
      const search = readSearch(context.raw, needs.linkKey);
      conditionOfSearch(search, searchContextOf(context, needs.settings));
      return { response: { search_hash: searchHash(search, needs.linkKey) } };
    },
  });
}

function readPageQuery(context: OperationContext<ResponseOptions>, needs: Needs): PageQuery {
  const { parameters: options, format, raw, caller, nowMs } = context;
  return { search: getSearch(context, needs), options, format, raw, caller, nowMs };
}

async function sendPage(
  query: PageQuery,
  needs: Needs,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { options, format, nowMs } = query;
  const state = await needs.domains.state();
  const key = cacheKeyOf(query, request);
  const known = key === undefined ? undefined : needs.cache.find(key, state, nowMs);
  if (known) {
    await known.renew?.(nowMs);
    return sendBody(known, request, reply);
  }
  const answer = await findAnswer(query, needs, request);
  const { next, error } = answer.head;
  if (tableFormats.includes(format) && next !== undefined) reply.header('link', `<${next}>; rel="next"`);
  // A count, or that too many match, is no row of a table.
  const shown = error !== undefined || options.count_only ? envelopeFormat(format) : format;
  const { contentType, body } = await renderAnswer(answer, shown, request.wording === 'vendor');
  const { validUntilMs, renew } = answer;
  const finished = { contentType, body, validUntilMs, renew };
  if (key === undefined) return sendBody(finished, request, reply);
  const byUrl = isOfUrlAlone(query, needs, request) ? AnswerCache.keyOf(request, query.caller) : undefined;
  const kept = needs.cache.set(byUrl === undefined ? [key] : [key, byUrl], state, finished);
  return sendBody(kept, request, reply);
}

/** Whether it counts as usual, and means the same at any other time. */
function isOfUrlAlone({ search, caller }: PageQuery, { settings }: Needs, request: FastifyRequest): boolean {
  if (isTestQuery(search.text, settings)) return false;
  const muchLater = searchContextOf({ caller, nowMs: farFutureMs, request }, settings);
  return isDeepStrictEqual(conditionOfSearch(search.text, muchLater), search.condition);
}

/** In the year 2200. */
const farFutureMs = Date.UTC(2200);

/**
 * A condition that depends on the time, such as the last seven days, has the numbers of this moment and is found never again. Screenshots
 * are in another store, a table may have its next page in a header, and a later page expires.
 */
function cacheKeyOf({ search, options, format, caller }: PageQuery, request: FastifyRequest) {
  if (options.screenshots || options.position !== undefined || tableFormats.includes(format))
    return undefined;
  return AnswerCache.keyOf(request, caller, JSON.stringify(search.condition));
}

async function findAnswer(
  { search, options, format, raw, caller, nowMs }: PageQuery,
  needs: Needs,
  request: FastifyRequest,
): Promise<SearchAnswer> {
  const { settings, linkKey, positions } = needs;
  const serverUrl = needs.serverUrl();
  const form = {
    wrapping: 'counted',
    parsedWhois: options.parsed_whois ?? false,
    parsedRdap: options.parsed_domain_rdap ?? false,
    serverUrl,
  } as const;
  const page = await findPageOf(search, needs, nowMs, (ids, parts) =>
    needs.records.getRecords(ids, parts, form),
  );
  if (page === 'too-many') return tooManyMatches(settings.limits.investigate.matchesMax);
  const view = {
    findScreenshots: options.screenshots ? screenshotFinder(needs) : undefined,
    viewer: tagReader(caller, nowMs),
  };
  const { texts: results, validUntilMs } = await showRecords(page.records, view, needs.domains);
  const position = page.next && positions.encode(search.owner, page.next);
  // CSV and JSON lines have no member for a position, so the next page is in a header.
  const wantsNext = options.next === true || tableFormats.includes(format);
  const next =
    position !== undefined && wantsNext
      ? nextPageUrl(
          { request, raw, search: search.text, position },
          { serverUrl, mountPrefix: settings.http.mountPrefix, linkKey },
        )
      : undefined;
  const { total, missing, keepResults: renew } = page;
  return pageAnswer({ total, results, missing, position, next, validUntilMs, renew });
}
