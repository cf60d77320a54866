/** Searches over all records: each tool answers with another subset of the fields, and all of them with the count first. */
import { type Static, Type } from 'typebox';
import { fieldProblem } from '../../../model/problem.ts';
import type { DomainRecord } from '../../../model/record/domain-record.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import { oneDecimal } from '../../../product/assistant/dossier/dossier-lists.ts';
import { type RecordSubset, recordRow } from '../../../product/assistant/record-rows.ts';
import { type Detail, thirdParties } from '../../../product/assistant/third-parties.ts';
import { parameterOfColumn } from '../../../product/investigate/catalogue/columns.ts';
import { type FacetNeeds, facetsOf } from '../../../product/investigate/facets.ts';
import { type NarrowingNeeds, narrow } from '../../../product/investigate/narrowing.ts';
import type { PositionCodec } from '../../../product/investigate/position.ts';
import { prepareSearch } from '../../../product/investigate/prepare-search.ts';
import { findPage, type Search, type SearchNeeds } from '../../../product/investigate/search.ts';
import { getHashedSearch } from '../../../product/investigate/search-hash.ts';
import type { SearchContext } from '../../../product/investigate/search-parameter.ts';
import { findParameter } from '../../../product/investigate/search-parameters.ts';
import { conditionOfSearch, type SearchText } from '../../../product/investigate/search-text.ts';
import type { DomainStore, StoredRecord } from '../../../store/domain-store.ts';
import { fitAnswer, rowsAnswer } from '../answer.ts';
import { type ChargeCallNeeds, chargeCall } from '../charge-call.ts';
import { defineTool, type Tool, type ToolAnswer, type ToolContext } from '../tool.ts';
import { Cursor, choiceOf, input, limitOf } from './inputs.ts';

export interface SearchToolNeeds extends SearchNeeds, FacetNeeds, NarrowingNeeds, ChargeCallNeeds {
  readonly domains: SearchNeeds['domains'] &
    FacetNeeds['domains'] &
    NarrowingNeeds['domains'] &
    Pick<DomainStore, 'averageRiskOf'>;
  readonly positions: PositionCodec;
  readonly linkKey: Buffer;
  readonly settings: SearchNeeds['settings'] & Pick<Settings, 'assistant'>;
}

const product = 'intel-investigate';

const parameterNames =
  'ip, asn, nameserver_host, nameserver_domain, mailserver_host, registrar, registrant, registrant_org, email, email_domain, ssl_hash, website_title, redirect_domain, analytics_code, tagged_with_any; filters: risk_score, tld, active, create_date, first_seen_within … nameglass://docs/search has all';

/** Every client reads every schema, so the names are in one of them. */
const whereOf = (description: string) =>
  Type.Array(
    input({
      parameter: Type.String({ maxLength: 100, description }),
      value: Type.String({ minLength: 1, maxLength: 1024 }),
    }),
    { minItems: 1, maxItems: 10, description: 'all must hold' },
  );

const paging = {
  sort: Type.Optional(
    choiceOf(
      ['risk_score', 'first_seen_since', 'create_date', 'domain'],
      'by default risk_score, highest first',
    ),
  ),
  limit: limitOf(25, 100),
  cursor: Cursor,
};

const searchInput = input({ where: whereOf(parameterNames), ...paging });
const likeEvaluate = input({ where: whereOf('as in evaluate'), ...paging });
type Paging = Omit<Static<typeof searchInput>, 'where'>;

const subsets: readonly (readonly [subset: RecordSubset, title: string, answer: string])[] = [
  ['evaluate', 'Search: essentials', 'risk, dates, rank and activity'],
  ['infrastructure', 'Search: infrastructure', 'addresses, name servers, mail servers, SPF'],
  ['registration', 'Search: registration', 'registrar, registrant, contacts, dates, status'],
  ['website', 'Search: websites', 'title, server, redirect, certificates, tracker codes'],
];

export function searchTools(needs: SearchToolNeeds): readonly Tool[] {
  return [
    ...subsets.map((subset) => subsetTool(subset, needs)),
    importHashTool(needs),
    countPivotTool(needs),
  ];
}

function subsetTool([subset, title, what]: (typeof subsets)[number], needs: SearchToolNeeds): Tool {
  return defineTool({
    name: subset,
    title,
    description:
      subset === 'evaluate'
        ? `Finds domains by shared values and answers with ${what} of each. total_count comes first; where too many match, narrow_by says how to go on. count_pivot is cheaper if a number is enough.`
        : `Searches like evaluate, and answers with ${what} of each domain.`,
    input: subset === 'evaluate' ? searchInput : likeEvaluate,
    products: [product],
    permission: 'read',
    call: ({ where, ...page }, context) => {
      const parameters = where.map(({ parameter, value }) => [known(parameter), value] as const);
      return searchAnswer({ text: { parameters }, page, subset }, context, needs);
    },
  });
}

function known(parameter: string): string {
  if (findParameter(parameter)) return parameter;
  const fault = 'has an unknown parameter; the resource docs/search has all of them';
  throw fieldProblem('invalid-parameters', 'where', fault);
}

function importHashTool(needs: SearchToolNeeds): Tool {
  return defineTool({
    name: 'import_hash',
    title: 'Search by hash',
    description:
      'Runs a search that somebody saved or shared as a search hash, and answers as evaluate does.',
    input: input({ search_hash: Type.String({ minLength: 1, maxLength: 180_000 }), ...paging }),
    products: [product],
    permission: 'read',
    call: async ({ search_hash, ...page }, context) => {
      const text = getHashedSearch(search_hash, needs.linkKey);
      return searchAnswer({ text, page, subset: 'evaluate' }, context, needs);
    },
  });
}

interface SearchQuery {
  readonly text: SearchText;
  readonly page: Paging;
  readonly subset: RecordSubset;
}

async function searchAnswer(
  query: SearchQuery,
  context: ToolContext,
  needs: SearchToolNeeds,
): Promise<ToolAnswer> {
  const {
    page: { sort = 'risk_score', limit = 25, cursor },
    subset,
    text,
  } = query;
  const options = {
    sortBy: sort,
    sortDirection: sort === 'domain' ? ('asc' as const) : ('dsc' as const),
    position: cursor,
    pageSize: limit,
    parts: [],
  };
  const search = prepareSearch(text, options, searchContext(context, needs), needs);
  await chargeCall(context, { product }, needs);
  const page = await findPage(search, needs, context.nowMs);
  if (page === 'too-many') return { data: await tooMany(search, needs) };
  const records = page.records.map(parsed);
  const head = {
    total_count: page.total,
    ...(page.missing.length > 0 ? { unknown_domains: page.missing.length } : {}),
  };
  const answer = {
    head,
    name: 'domains',
    rowsIn: (detail: Detail) => records.map((record) => recordRow(record, subset, detail)),
  };
  const fitted = fitAnswer(answer, needs.settings.assistant.answerBytesMax);
  // Rows that did not fit begin the next page.
  const next =
    fitted.cut === 0 ? page.next : await nextAfter(search, fitted.rows.length, needs, context.nowMs);
  const shownBefore = search.position?.offset ?? 0;
  const more = page.total - shownBefore - fitted.rows.length;
  return {
    data: rowsAnswer(answer, fitted, { more, cursor: next && needs.positions.encode(search.owner, next) }),
  };
}

async function nextAfter(search: Search, shown: number, needs: SearchToolNeeds, nowMs: number) {
  const page = await findPage({ ...search, pageSize: Math.max(1, shown) }, needs, nowMs);
  return page === 'too-many' ? undefined : page.next;
}

/** The count, and which values would leave few enough. */
async function tooMany({ condition }: Search, needs: SearchToolNeeds): Promise<object> {
  const { limits } = needs.settings;
  const { total, facets } = await narrow(condition, limits.investigate.guidedPivotDomainsMax, needs);
  return {
    total_count: total,
    too_many: true,
    advice: `At most ${limits.investigate.matchesMax} are listed. Add a condition to where; these values would cut best.`,
    narrow_by: facets.map(({ attribute, values }) => facetOf(attribute, values.slice(0, 5))),
  };
}

function countPivotTool(needs: SearchToolNeeds): Tool {
  const by = ['registrar', 'ip.country_code', 'name_server.domain', 'ip.isp'];
  return defineTool({
    name: 'count_pivot',
    title: 'Count a pivot',
    description:
      'How many domains share a value, their average risk, and what else they share most; never the domains themselves.',
    input: input({
      parameter: Type.String({
        maxLength: 100,
        description: 'as in where of evaluate: ip, email, nameserver_host …',
      }),
      value: Type.String({ minLength: 1, maxLength: 1024 }),
    }),
    products: [product],
    permission: 'read',
    call: async ({ parameter, value }, context) => {
      const text = { parameters: [[known(parameter), value]] } as const;
      const condition = conditionOfSearch(text, searchContext(context, needs));
      await chargeCall(context, { product }, needs);
      const { matchesMax, guidedPivotDomainsMax } = needs.settings.limits.investigate;
      const matches = await needs.domains.search(condition, { by: 'domain', descending: false }, matchesMax);
      if (matches.total === 'too-many') {
        const total = await needs.domains.countMatches(condition);
        return { data: { total_count: total, advice: 'Too many share it to say more: a weak pivot.' } };
      }
      const { total, ids } = matches;
      const facets = await facetsOf(ids, { attributes: by, limit: 5 }, needs);
      const risk = await needs.domains.averageRiskOf(ids);
      return {
        data: {
          total_count: total,
          ...(risk === undefined ? {} : { average_risk: oneDecimal(risk) }),
          guided_pivot: total > 1 && total <= guidedPivotDomainsMax,
          facets: by.map((attribute, index) => facetOf(attribute, facets[index] ?? [])),
        },
      };
    },
  });
}

/** Counts and values in the same order. */
function facetOf(
  attribute: string,
  found: readonly { readonly value: string; readonly domains: number }[],
): object {
  const parameter = parameterOfColumn(attribute);
  return {
    attribute,
    ...(parameter === undefined ? {} : { parameter }),
    domains: found.map(({ domains }) => domains),
    ...thirdParties({ values: found.map(({ value }) => value) }),
  };
}

function searchContext({ caller, nowMs }: ToolContext, { settings }: SearchToolNeeds): SearchContext {
  const { domainsMax } = settings.limits.investigate;
  return { accountId: caller.account.id, userId: caller.user.id, nowMs, domainsMax };
}

function parsed({ json }: StoredRecord): DomainRecord {
  return JSON.parse(json) as DomainRecord;
}
