/** The parameters of Investigate: the search as it was written, and the options of the response. */
import type { FastifyRequest } from 'fastify';
import { type Static, type TSchema, Type } from 'typebox';
import { fieldProblem } from '../../../model/problem.ts';
import { recordParts } from '../../../model/record/attributes.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import type { PositionCodec } from '../../../product/investigate/position.ts';
import { prepareSearch, searchOrders } from '../../../product/investigate/prepare-search.ts';
import type { Search } from '../../../product/investigate/search.ts';
import { getHashedSearch } from '../../../product/investigate/search-hash.ts';
import type { SearchContext } from '../../../product/investigate/search-parameter.ts';
import {
  findParameter,
  isParsedName,
  namedParameters,
} from '../../../product/investigate/search-parameters.ts';
import { canonicalText, type SearchPair, type SearchText } from '../../../product/investigate/search-text.ts';
import { neutralName } from '../../compat/translate.ts';
import type { OperationContext } from '../operation/define-operation.ts';
import { findList, listForm } from '../operation/list-value.ts';
import type { RawParameters, RawValue } from '../operation/raw-parameters.ts';

const flag = (description: string) => Type.Optional(Type.Boolean({ description }));

/** Everything but the search itself. */
export const responseOptions = Type.Object({
  position: Type.Optional(Type.String({ description: 'from the previous response: requests the next page' })),
  next: flag('adds the URL of the next page'),
  page_size: Type.Optional(Type.Integer({ minimum: 1, description: 'only smaller than the default' })),
  sort_by: Type.Optional(Type.Unsafe<string>({ type: 'string', enum: Object.keys(searchOrders) })),
  sort_direction: Type.Optional(Type.Unsafe<'asc' | 'dsc'>({ type: 'string', enum: ['asc', 'dsc'] })),
  parsed_whois: flag('adds the parsed WHOIS record; parsed_whois:<field> searches by a component'),
  parsed_domain_rdap: flag('adds the parsed RDAP record; parsed_domain_rdap:<field> searches by a component'),
  screenshots: flag('adds the latest screenshot, if there is one'),
  count_only: flag('only the number of matches, without results'),
});

export type ResponseOptions = Static<typeof responseOptions>;

/** Read by `readSearch`; declared for the documentation. */
export const searchParameters: Readonly<Record<string, TSchema>> = Object.fromEntries([
  ...namedParameters.map(({ name, role, about }) => [
    name,
    Type.Optional(Type.String({ description: role === 'filter' ? `filter: ${about}` : about })),
  ]),
  [
    'search_hash',
    Type.Optional(Type.String({ description: 'a search as one text; allows no other search parameter' })),
  ],
]);

/** Parameters that are lists: all their values together are one value, joined by commas. */
const isList = (name: string) => name === 'domain' || name.includes('tagged_with_');

/** The search as written. A search hash is decoded here; nothing else is validated. */
export function readSearch(raw: RawParameters, key: Buffer): SearchText {
  const parameters: SearchPair[] = [];
  for (const [name, value] of raw.values) {
    if (!isSearchName(name)) continue;
    for (const text of textsOf(name, value)) parameters.push([name, text]);
  }
  const hashed = raw.values.get('search_hash');
  const hashes = hashed ? textsOf('search_hash', hashed) : [];
  const conflict = (what: string) => `no other search or filter parameter is allowed with ${what}`;
  if (raw.query !== undefined) {
    if (parameters.length + hashes.length > 0)
      throw fieldProblem('invalid-parameters', 'query', conflict('a query'));
    return { query: raw.query };
  }
  if (hashes.length === 0) return { parameters };
  if (parameters.length > 0 || hashes.length > 1)
    throw fieldProblem('invalid-parameters', 'search_hash', conflict('it'));
  return getHashedSearch(hashes[0] as string, key);
}

/** The search of a request, the same text for every spelling and order of its parameters. */
export function searchIdentity(key: Buffer): (raw: RawParameters) => string {
  return (raw) => canonicalText(readSearch(raw, key));
}

export function isSearchName(name: string): boolean {
  return findParameter(name) !== undefined || isParsedName(name);
}

/** Text unchanged; JSON numbers and booleans as text; null counts as absent. */
export function textsOf(name: string, value: RawValue): readonly string[] {
  if (isList(name)) return listTexts(name, value);
  if ('text' in value) return value.text;
  const { member } = value;
  if (member === null) return [];
  const items = (Array.isArray(member) ? member : [member]) as unknown[];
  if (!items.every((item) => ['string', 'number', 'boolean'].includes(typeof item)))
    throw fieldProblem('invalid-parameters', name, 'must be text');
  return items.map(String);
}

/** More than any list may have. */
const listItemsMax = 10_000;

/** Empty without a value at all, so that such a parameter counts as absent. */
function listTexts(name: string, value: RawValue): readonly string[] {
  const items = findList(value, listItemsMax);
  if (items === undefined) throw fieldProblem('invalid-parameters', name, listForm);
  if (items.length > listItemsMax)
    throw fieldProblem('invalid-parameters', name, `must not have more than ${listItemsMax} items`);
  return 'member' in value && items.length === 0 ? [] : [items.join(',')];
}

export function searchContextOf(
  { caller, nowMs, request }: Pick<OperationContext<unknown>, 'caller' | 'nowMs' | 'request'>,
  { limits }: Pick<Settings, 'limits'>,
): SearchContext {
  return {
    accountId: caller.account.id,
    userId: caller.user.id,
    nowMs,
    domainsMax: limits.investigate.domainsMax,
    ...fieldWords(request),
  };
}

function fieldWords(request: FastifyRequest): Pick<SearchContext, 'nameOf'> {
  return request.wording === 'vendor' ? { nameOf: neutralName } : {};
}

/** Throws `invalid-parameters`. */
export function getSearch(context: OperationContext<ResponseOptions>, needs: SearchReadingNeeds): Search {
  const { parameters: options } = context;
  const pageOptions = {
    sortBy: options.sort_by,
    sortDirection: options.sort_direction,
    position: options.position,
    pageSize: options.page_size,
    parts: recordParts.filter((part) => part === 'root' || options[part] === true),
    countOnly: options.count_only,
  };
  const text = readSearch(context.raw, needs.linkKey);
  return prepareSearch(text, pageOptions, searchContextOf(context, needs.settings), needs);
}

export interface SearchReadingNeeds {
  readonly settings: Pick<Settings, 'limits'>;
  readonly positions: PositionCodec;
  readonly linkKey: Buffer;
}
