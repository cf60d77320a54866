/**
 * A search as the client wrote it: parameters or a query. Search hashes contain it and positions are bound to it;
 * `conditionOfSearch` evaluates it for the account and the current time.
 */
import { hash } from 'node:crypto';
import { type FieldMessages, Problem } from '../../model/problem.ts';
import type { Condition } from '../../model/record/condition.ts';
import { type RequestedDomain, requestedDomains } from '../../model/record/requested-domains.ts';
import type { Settings } from '../../model/settings/settings.ts';
import { parseQuery } from './parse-query.ts';
import type { SearchContext } from './search-parameter.ts';
import { componentFault, findParameter } from './search-parameters.ts';
import { InvalidValue, listItems } from './value-rules.ts';

export type SearchText = { readonly parameters: readonly SearchPair[] } | { readonly query: string };

export type SearchPair = readonly [name: string, value: string];

/** More than any client needs, few enough for one search. */
const pairsMax = 500;

/** Independent of the order of parameters, and of repetitions. */
export function canonicalText(search: SearchText): string {
  if ('query' in search) return JSON.stringify({ query: search.query });
  const sorted = [...new Set(search.parameters.map((pair) => JSON.stringify(pair)))].sort();
  return `{"parameters":[${sorted.join(',')}]}`;
}

export function searchDigest(search: SearchText, order: string): Buffer {
  return hash('sha256', `${order}\n${canonicalText(search)}`, 'buffer');
}

/** Throws `invalid-parameters` with a message for every invalid parameter. */
export function conditionOfSearch(search: SearchText, context: SearchContext): Condition {
  if ('query' in search) return parseQuery(search.query, context);
  const { parameters } = search;
  if (parameters.length > pairsMax) refuse({}, `There are more than ${pairsMax} search parameters.`);
  const conditions: Condition[] = [];
  const invalid: Record<string, string[]> = {};
  for (const [name, value] of parameters) {
    try {
      conditions.push(parsePair(name, value, context));
    } catch (error) {
      if (!(error instanceof InvalidValue)) throw error;
      invalid[name] = [error.message];
    }
  }
  const messages = Object.entries(invalid).map(([name, [message]]) => `${name}: ${message}`);
  if (messages.length > 0) refuse(invalid, messages.join('; '));
  if (!parameters.some(([name]) => findParameter(name)?.role !== 'filter')) refuse({}, baseIsMissing);
  return conditions.length === 1 ? (conditions[0] as Condition) : { kind: 'and', of: conditions };
}

const baseIsMissing =
  'At least one base parameter is needed, such as domain, ip, email, registrar or nameserver_host; filters only refine a search.';

function parsePair(name: string, value: string, context: SearchContext): Condition {
  const parameter = findParameter(name);
  if (!parameter) throw new InvalidValue(componentFault(name));
  return parameter.parse(value, context);
}

function refuse(fields: FieldMessages, message: string): never {
  throw new Problem('invalid-parameters', `We could not understand your request. ${message}`, { fields });
}

/** The domains that a search requests by name. */
export function domainsOfSearch(search: SearchText): readonly RequestedDomain[] {
  if ('query' in search) return [];
  const lists = search.parameters.filter(([name]) => name === 'domain').map(([, list]) => list);
  return requestedDomains(lists.flatMap(listItems));
}

/** The two free searches for testing clients: one by domain, one by address. */
export function isTestQuery(search: SearchText, { investigate }: Pick<Settings, 'investigate'>): boolean {
  if ('query' in search || search.parameters.length !== 1) return false;
  const [name, value] = search.parameters[0] as SearchPair;
  const free = name === 'domain' ? investigate.testDomain : name === 'ip' ? investigate.testIp : '';
  return free !== '' && value.trim().toLowerCase() === free;
}
