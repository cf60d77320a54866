/** What a request to Investigate asks: its search as it was written, and how the answer is wanted. */
import type { FastifyRequest } from 'fastify';
import { type Static, type TSchema, Type } from 'typebox';
import { fieldProblem } from '../../model/problem.ts';
import { recordParts } from '../../model/record/attributes.ts';
import type { Settings } from '../../model/settings.ts';
import type { Positions } from '../../product/investigate/position.ts';
import type { Search } from '../../product/investigate/search.ts';
import { getHashedSearch } from '../../product/investigate/search-hash.ts';
import type { Asking } from '../../product/investigate/search-parameter.ts';
import { findParameter, isParsedName, namedParameters } from '../../product/investigate/search-parameters.ts';
import {
  conditionOfSearch,
  type SearchPair,
  type SearchText,
  searchDigest,
} from '../../product/investigate/search-text.ts';
import type { SortOrder } from '../../store/domain-store.ts';
import { neutralName } from '../compat/translate.ts';
import type { Asked } from './offer.ts';
import type { Sent, SentValue } from './sent.ts';

/** Each order with its usual direction. */
const orders: Readonly<Record<string, SortOrder>> = {
  first_seen_since: { by: 'first_seen', descending: true },
  create_date: { by: 'create_date', descending: true },
  domain: { by: 'domain', descending: false },
  risk_score: { by: 'risk_score', descending: false },
};

const flag = (description: string) => Type.Optional(Type.Boolean({ description }));

/** Everything but the search itself. */
export const wishParameters = Type.Object({
  position: Type.Optional(Type.String({ description: 'from the previous answer: gives the next page' })),
  next: flag('adds the URL of the next page'),
  page_size: Type.Optional(
    Type.Integer({ minimum: 1, description: 'can only make pages smaller than they are' }),
  ),
  sort_by: Type.Optional(Type.Unsafe<string>({ type: 'string', enum: Object.keys(orders) })),
  sort_direction: Type.Optional(Type.Unsafe<'asc' | 'dsc'>({ type: 'string', enum: ['asc', 'dsc'] })),
  parsed_whois: flag('adds the parsed WHOIS record; parsed_whois:<field> searches by a component'),
  parsed_domain_rdap: flag('adds the parsed RDAP record; parsed_domain_rdap:<field> searches by a component'),
  screenshots: flag('adds the latest screenshot, where there is one'),
  count_only: flag('how many there are, without results'),
});

export type Wishes = Static<typeof wishParameters>;

/** For the OpenAPI description; `readSearch` reads them. */
export const searchParameters: Readonly<Record<string, TSchema>> = Object.fromEntries([
  ...namedParameters.map(({ name, role, about }) => [
    name,
    Type.Optional(Type.String({ description: role === 'filter' ? `filter: ${about}` : about })),
  ]),
  ['search_hash', Type.Optional(Type.String({ description: 'a search kept as one text; alone' }))],
]);

/** A list in JSON is one value of these, as one separated by commas. */
const isList = (name: string) => name === 'domain' || name.includes('tagged_with_');

/** The search as written. A search hash is opened here; nothing else is judged. */
export function readSearch(sent: Sent, key: Buffer): SearchText {
  const parameters: SearchPair[] = [];
  for (const [name, value] of sent.values) {
    if (!isSearchName(name)) continue;
    for (const text of textsOf(name, value)) parameters.push([name, text]);
  }
  const hashed = sent.values.get('search_hash');
  const hashes = hashed ? textsOf('search_hash', hashed) : [];
  const alone = (what: string) => `no search or filter parameter is allowed beside ${what}`;
  if (sent.query !== undefined) {
    if (parameters.length + hashes.length > 0)
      throw fieldProblem('invalid-parameters', 'query', alone('a query'));
    return { query: sent.query };
  }
  if (hashes.length === 0) return { parameters };
  if (parameters.length > 0 || hashes.length > 1)
    throw fieldProblem('invalid-parameters', 'search_hash', alone('it'));
  return getHashedSearch(hashes[0] as string, key);
}

export function isSearchName(name: string): boolean {
  return findParameter(name) !== undefined || isParsedName(name);
}

/** Text as it is; of JSON numbers and truth values too. Null is as good as left out. */
export function textsOf(name: string, value: SentValue): readonly string[] {
  if ('text' in value) return value.text;
  const { member } = value;
  if (member === null) return [];
  const items = (Array.isArray(member) ? member : [member]) as unknown[];
  if (!items.every((item) => ['string', 'number', 'boolean'].includes(typeof item)))
    throw fieldProblem('invalid-parameters', name, 'must be text');
  return isList(name) && items.length > 0 ? [items.join(',')] : items.map(String);
}

export function askingOf(
  { caller, nowMs, request }: Pick<Asked<unknown>, 'caller' | 'nowMs' | 'request'>,
  { limits }: Settings,
): Asking {
  return {
    accountId: caller.account.id,
    nowMs,
    domainsMax: limits.investigate.domainsMax,
    ...fieldWords(request),
  };
}

function fieldWords(request: FastifyRequest): Pick<Asking, 'nameOf'> {
  return request.wording === 'vendor' ? { nameOf: neutralName } : {};
}

/** Throws `invalid-parameters`, before anything is counted. */
export function getSearch(asked: Asked<Wishes>, { settings, positions, linkKey }: SearchReaders): Search {
  const { parameters: wishes, caller } = asked;
  const text = readSearch(asked.sent, linkKey);
  const condition = conditionOfSearch(text, askingOf(asked, settings));
  const order = orderOf(wishes);
  const digest = searchDigest(text, `${order.by} ${order.descending}`);
  const owner = { accountId: caller.account.id, digest };
  const position = wishes.position === undefined ? undefined : positions.find(owner, wishes.position);
  if (wishes.position !== undefined && position === undefined)
    throw fieldProblem('invalid-parameters', 'position', 'is none that was given for this search');
  const { pageSizeMax } = settings.limits.investigate;
  const pageSize = Math.min(wishes.page_size ?? pageSizeMax, pageSizeMax);
  const parts = recordParts.filter((part) => part === 'root' || wishes[part] === true);
  const countOnly = wishes.count_only ?? false;
  return { text, condition, order, owner, position, pageSize, parts, countOnly };
}

export interface SearchReaders {
  readonly settings: Settings;
  readonly positions: Positions;
  readonly linkKey: Buffer;
}

function orderOf({ sort_by = 'first_seen_since', sort_direction }: Wishes): SortOrder {
  const usual = orders[sort_by] as SortOrder;
  return sort_direction === undefined ? usual : { ...usual, descending: sort_direction === 'dsc' };
}
