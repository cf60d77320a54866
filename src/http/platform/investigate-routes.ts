/** Investigate: one search, by GET, form, JSON or query language; and the searches kept as one text. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Caller } from '../../model/account.ts';
import { Problem } from '../../model/problem.ts';
import { Positions } from '../../product/investigate/position.ts';
import { findPage, type Search, type SearchNeeds } from '../../product/investigate/search.ts';
import { searchHash } from '../../product/investigate/search-hash.ts';
import { conditionOfSearch } from '../../product/investigate/search-text.ts';
import { isTestQuery } from '../../product/investigate/test-query.ts';
import type { DomainStore } from '../../store/domain-store.ts';
import {
  bodyOfAnswer,
  InvestigateAnswer,
  pageAnswer,
  tableFormats,
  tooManyAnswer,
} from './investigate-answer.ts';
import {
  askingOf,
  getSearch,
  readSearch,
  searchParameters,
  type Wishes,
  wishParameters,
} from './investigate-parameters.ts';
import { nextPageUrl } from './next-page-url.ts';
import { type Asked, type Offer, sendBody } from './offer.ts';
import { readRecords, recordsOnWire } from './record-wire.ts';
import { type ScreenshotNeeds, screenshotsOf } from './screenshot-wire.ts';
import type { Sent } from './sent.ts';

export interface InvestigateNeeds extends Omit<SearchNeeds, 'positions'>, ScreenshotNeeds {
  readonly domains: SearchNeeds['domains'] & Pick<DomainStore, 'tagsOf'>;
  readonly linkKey: Buffer;
  /** Where clients reach this server, mount prefix included. */
  readonly serverUrl: () => string;
}

interface Question {
  readonly search: Search;
  readonly wishes: Wishes;
  readonly format: string;
  readonly sent: Sent;
  readonly caller: Caller;
  readonly nowMs: number;
}

export function investigateRoutes(offer: Offer, given: InvestigateNeeds): void {
  const needs = { ...given, positions: new Positions(given.linkKey) };
  for (const id of ['getIntelInvestigate', 'postIntelInvestigate'] as const) {
    offer(id, {
      parameters: wishParameters,
      alsoRead: searchParameters,
      moreFormats: tableFormats,
      answers: { 200: { ...InvestigateAnswer, description: 'A page of records, or that too many match' } },
      draw: ({ sent }) => (isTestQuery(readSearch(sent, needs.linkKey), needs.settings) ? 'free' : 'product'),
      understand: (asked): Question => questionOf(asked, needs),
      deliver: (question, request, reply) => deliver(question, needs, request, reply),
    });
  }

  offer('getInvestigateSearchHash', {
    parameters: Type.Object({}),
    answer: Type.Object({ response: Type.Object({ search_hash: Type.String() }) }),
    alsoRead: searchParameters,
    draw: 'free',
    run: async (asked) => {
      const search = readSearch(asked.sent, needs.linkKey);
      conditionOfSearch(search, askingOf(asked, needs.settings));
      return { response: { search_hash: searchHash(search, needs.linkKey) } };
    },
  });
}

function questionOf(asked: Asked<Wishes>, needs: InvestigateNeeds & SearchNeeds): Question {
  const { parameters: wishes, format, sent, caller, nowMs } = asked;
  return { search: getSearch(asked, needs), wishes, format, sent, caller, nowMs };
}

async function deliver(
  question: Question,
  needs: InvestigateNeeds & SearchNeeds,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { format } = question;
  const answer = await answerOf(question, needs, request);
  const tabular = tableFormats.includes(format);
  if (tabular && answer.response.error)
    throw new Problem('invalid-parameters', answer.response.error.message);
  if (tabular && answer.response.next !== undefined)
    reply.header('link', `<${answer.response.next}>; rel="next"`);
  const { type, body } = await bodyOfAnswer(answer, format, request.wording === 'vendor');
  return sendBody(type, body, request, reply);
}

async function answerOf(
  { search, wishes, format, sent, caller, nowMs }: Question,
  needs: InvestigateNeeds & SearchNeeds,
  request: FastifyRequest,
): Promise<InvestigateAnswer> {
  const { settings, linkKey, positions } = needs;
  const page = await findPage(search, needs, nowMs);
  if (page === 'too-many') return tooManyAnswer(settings.limits.investigate.matchesMax);
  const serverUrl = needs.serverUrl();
  const view = {
    wrapping: 'counted',
    parsedWhois: wishes.parsed_whois ?? false,
    parsedRdap: wishes.parsed_domain_rdap ?? false,
    screenshotsOf: wishes.screenshots ? screenshotsOf(needs) : undefined,
    who: { accountId: caller.account.id, userId: caller.user.id },
    serverUrl,
  } as const;
  const results = await recordsOnWire(readRecords(page.records), view, needs.domains);
  const position = page.next && positions.text(search.owner, page.next);
  // Rows and lines have no place for a position, so they tell the next page in a header.
  const wantsNext = wishes.next === true || tableFormats.includes(format);
  const next =
    position !== undefined && wantsNext
      ? nextPageUrl(
          { request, sent, search: search.text, position },
          { serverUrl, mountPrefix: settings.http.mountPrefix, linkKey },
        )
      : undefined;
  return pageAnswer({ total: page.total, results, missing: page.missing, position, next });
}
