/** The search of a request of the web UI: parameters of Investigate, `ql` or `search_hash` beside the options of the operation. */
import type { FastifyRequest } from 'fastify';
import type { TObject } from 'typebox';
import { fieldProblem, Problem } from '../../../model/problem.ts';
import { type Condition, dependsOnUser } from '../../../model/record/condition.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import { getHashedSearch } from '../../../product/investigate/search-hash.ts';
import type { SearchContext } from '../../../product/investigate/search-parameter.ts';
import {
  conditionOfSearch,
  type SearchPair,
  type SearchText,
  searchDigest,
} from '../../../product/investigate/search-text.ts';
import { isSearchName, textsOf } from '../../platform/investigate/search-parameters.ts';
import type { WebCaller, WebInput } from '../web-operation.ts';
import type { SearchQuery } from './search-wire.ts';

/** `options`: the parameters that the operation reads itself. */
export function readSearch(request: FastifyRequest, options: TObject, key: Buffer): SearchText {
  const pairs: SearchPair[] = [];
  const { ql, search_hash, ...named } = Object.fromEntries(request.query as Map<string, string[]>);
  for (const [name, values] of Object.entries(named)) {
    if (Object.hasOwn(options.properties, name)) continue;
    pairs.push(...pairsOf(name, values));
  }
  const texts = [...(ql ?? []), ...(search_hash ?? [])];
  if (texts.length === 0) return { parameters: pairs };
  const field = ql ? 'ql' : 'search_hash';
  if (texts.length > 1 || pairs.length > 0)
    throw fieldProblem('invalid-parameters', field, 'allows no other search parameter beside it');
  const [text = ''] = texts;
  return ql ? languageSearch(text) : getHashedSearch(text, key);
}

export function searchOfQuery(query: SearchQuery): SearchText {
  if ('ql' in query) return languageSearch(query.ql);
  const pairs = Object.entries(query.parameters).flatMap(([name, values]) => pairsOf(name, values));
  return { parameters: pairs };
}

export function queryOfSearch(search: SearchText): SearchQuery {
  if ('query' in search) return { ql: search.query };
  const parameters = new Map<string, string[]>();
  for (const [name, value] of search.parameters)
    parameters.set(name, [...(parameters.get(name) ?? []), value]);
  return { parameters: Object.fromEntries(parameters) };
}

function languageSearch(text: string): SearchText {
  if (text.trim() === '') throw fieldProblem('invalid-parameters', 'ql', 'must not be empty');
  return { query: text };
}

function pairsOf(name: string, values: readonly string[]): SearchPair[] {
  if (!isSearchName(name))
    throw fieldProblem('invalid-parameters', name, 'is not a search parameter; choose one of the list');
  return textsOf(name, { text: values }).map((value) => [name, value]);
}

export function searchContext(
  { account, user }: WebCaller,
  nowMs: number,
  { limits }: Pick<Settings, 'limits'>,
): SearchContext {
  const { domainsMax } = limits.investigate;
  return { accountId: account.id, userId: user.id, nowMs, domainsMax };
}

/** Mistakes in a query are reported under the name that the app sent it by. */
export function withQueryNamed<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Problem) || !error.fields || !('query' in error.fields)) throw error;
    const { query = [], ...others } = error.fields;
    const { code, members = {}, message } = error;
    throw new Problem(code, message.replace(/^query: /, ''), { fields: { ...others, ql: query }, members });
  }
}

export interface WebSearch {
  readonly text: SearchText;
  readonly condition: Condition;
  /** The same for every spelling and order of the parameters. Accounts share nothing, and searches by tags differ by person. */
  readonly key: string;
}

export function webSearch(text: SearchText, condition: Condition, { account, user }: WebCaller): WebSearch {
  const whose = dependsOnUser(condition) ? user.id : '';
  const digest = searchDigest(text, '').toString('base64url');
  return { text, condition, key: JSON.stringify([account.id, whose, digest]) };
}

/** Throws `invalid-parameters`. */
export function getWebSearch(
  {
    request,
    caller,
    nowMs,
  }: Pick<WebInput<unknown, unknown, unknown, WebCaller>, 'request' | 'caller' | 'nowMs'>,
  options: TObject,
  { linkKey, settings }: { readonly linkKey: Buffer; readonly settings: Pick<Settings, 'limits'> },
): WebSearch {
  const text = readSearch(request, options, linkKey);
  const context = searchContext(caller, nowMs, settings);
  const condition = withQueryNamed(() => conditionOfSearch(text, context));
  return webSearch(text, condition, caller);
}
