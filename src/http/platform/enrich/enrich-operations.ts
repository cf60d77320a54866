/** Enrich: the records of up to a hundred domains, without a search. GET and POST are the same operation. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import type { RequestedDomain } from '../../../model/record/requested-domains.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import { enrich, getRequestedDomains } from '../../../product/enrich/enrich.ts';
import { tagReader } from '../../../product/investigate/tags.ts';
import type { DomainStore } from '../../../store/domain-store.ts';
import { families } from '../families.ts';
import { defineOperation, type Operation, type OperationContext } from '../operation/define-operation.ts';
import type { Format } from '../operation/formats.ts';
import { joinChunks, withCommas } from '../operation/join-chunks.ts';
import { sendBody, sendResponse } from '../operation/send-response.ts';
import { AnswerCache } from '../records/answer-cache.ts';
import { DomainList } from '../records/domain-list.ts';
import { FinishedRecords } from '../records/finished-records.ts';
import { recordSchema, type WireRecord } from '../records/record-schema.ts';
import { showRecords } from '../records/record-wire.ts';
import { type ScreenshotNeeds, screenshotFinder } from '../records/screenshot-wire.ts';

export interface EnrichNeeds extends ScreenshotNeeds {
  readonly domains: Pick<DomainStore, 'findUnparsed' | 'getRecords' | 'tagsOf' | 'state'>;
  readonly settings: Settings;
  /** Where clients reach this server, mount prefix included. */
  readonly serverUrl: () => string;
}

const parameters = Type.Object({
  domain: DomainList,
  parsed_whois: Type.Optional(Type.Boolean({ description: 'adds the parsed WHOIS record' })),
  parsed_domain_rdap: Type.Optional(Type.Boolean({ description: 'adds the parsed RDAP record' })),
  screenshots: Type.Optional(Type.Boolean({ description: 'adds the latest screenshot, if there is one' })),
});

const EnrichResponse = Type.Object({
  response: Type.Object({
    limit_exceeded: Type.Boolean(),
    message: Type.String(),
    results_count: Type.Integer(),
    results: Type.Array(recordSchema('bare')),
    missing_domains: Type.Array(Type.String({ description: 'as written in the request' })),
  }),
});

export function enrichOperations(given: EnrichNeeds): readonly Operation[] {
  const bytesMax = given.settings.caches.recordBytes / 2;
  const needs = {
    ...given,
    cache: new AnswerCache(bytesMax),
    records: new FinishedRecords(given.domains, bytesMax),
  };
  const namesMax = needs.settings.limits.investigate.domainsMax;
  const methods = [
    ['getIntelEnrich', 'GET'],
    ['postIntelEnrich', 'POST'],
  ] as const;
  return methods.map(([id, method]) =>
    defineOperation({
      id,
      family: families.enrich,
      route: `${method} /intel-enrich/`,
      product: 'intel-enrich',
      permission: 'read',
      summary: 'Records of domains',
      description: `Up to ${namesMax} domains; those that are not known are listed in \`missing_domains\`.`,
      parameters,
      responses: { 200: { ...EnrichResponse, description: 'Records of domains' } },
      parse: (context) => ({ context, requested: getRequestedDomains(context.parameters.domain, namesMax) }),
      respond: (query, request, reply) => sendRecords(query, needs, request, reply),
      findAgain: (url, caller, nowMs) => needs.cache.findByUrl(url, caller, needs.domains.state(), nowMs),
    }),
  );
}

type Needs = EnrichNeeds & { readonly cache: AnswerCache; readonly records: FinishedRecords };

interface EnrichQuery {
  readonly context: OperationContext<Static<typeof parameters>>;
  readonly requested: readonly RequestedDomain[];
}

async function sendRecords(
  { context, requested }: EnrichQuery,
  needs: Needs,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { jsonContentType } = families.enrich;
  const { caller, format, nowMs, parameters: options } = context;
  const isText = format === 'json' && request.wording !== 'vendor';
  const state = await needs.domains.state();
  const isCacheable = isText && !options.screenshots;
  const key = isCacheable ? AnswerCache.keyOf(request, caller) : undefined;
  const known = key === undefined ? undefined : needs.cache.find(key, state, nowMs);
  if (known) return sendBody(known, request, reply);
  const { texts, missing, validUntilMs } = await enrichDomains(context, requested, needs);
  const head = { limit_exceeded: false, message: 'Enjoy your data.', results_count: texts.length };
  if (isText) {
    const body = await joinChunks(jsonChunks(head, texts, missing));
    const finished = { contentType: jsonContentType, body, validUntilMs };
    return sendBody(key === undefined ? finished : needs.cache.set([key], state, finished), request, reply);
  }
  const results = texts.map((text) => JSON.parse(text.toString()) as WireRecord);
  const response = { ...head, results, missing_domains: missing };
  return sendResponse({ response }, { format: format as Format, jsonContentType }, request, reply);
}

function* jsonChunks(head: object, texts: readonly Buffer[], missing: readonly string[]) {
  yield `{"response":${JSON.stringify(head).slice(0, -1)},"results":[`;
  yield* withCommas(texts);
  yield `],"missing_domains":${JSON.stringify(missing)}}}`;
}

async function enrichDomains(
  { caller, parameters: options, nowMs }: OperationContext<Static<typeof parameters>>,
  requested: readonly RequestedDomain[],
  needs: Needs,
) {
  const form = {
    wrapping: 'bare',
    parsedWhois: options.parsed_whois ?? false,
    parsedRdap: options.parsed_domain_rdap ?? false,
    serverUrl: needs.serverUrl(),
  } as const;
  const { records, missing } = await enrich(requested, (names) => needs.records.findRecords(names, form));
  const view = {
    findScreenshots: options.screenshots ? screenshotFinder(needs) : undefined,
    viewer: tagReader(caller, nowMs),
  };
  return { ...(await showRecords(records, view, needs.domains)), missing };
}
