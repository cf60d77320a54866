/**
 * A search as it was written: parameters, or a query. It is what a search hash holds and what a place in its results is bound
 * to; `conditionOf` says what it means today, for this account.
 */
import { hash } from 'node:crypto';
import { type FieldMessages, Problem } from '../../model/problem.ts';
import type { Condition } from '../../model/record/condition.ts';
import { readQuery } from './query-language.ts';
import type { Asking } from './search-parameter.ts';
import { findParameter } from './search-parameters.ts';
import { findHostName, Refusal } from './value-rules.ts';

export type SearchText = { readonly parameters: readonly SearchPair[] } | { readonly query: string };

export type SearchPair = readonly [name: string, value: string];

/** Far more than anybody types, few enough to be searched for together. */
const pairsMax = 500;

/** The same for every way of writing the same parameters. */
export function canonicalText(search: SearchText): string {
  if ('query' in search) return JSON.stringify({ query: search.query });
  const inOrder = search.parameters.map((pair) => JSON.stringify(pair)).sort();
  return `{"parameters":[${inOrder.join(',')}]}`;
}

export function searchDigest(search: SearchText, order: string): Buffer {
  return hash('sha256', `${order}\n${canonicalText(search)}`, 'buffer');
}

/** Throws `invalid-parameters` and names every parameter that is wrong. */
export function conditionOfSearch(search: SearchText, asking: Asking): Condition {
  if ('query' in search) return readQuery(search.query, asking);
  const { parameters } = search;
  if (parameters.length > pairsMax) refuse({}, `There are more than ${pairsMax} search parameters.`);
  const conditions: Condition[] = [];
  const wrong: Record<string, string[]> = {};
  for (const [name, value] of parameters) {
    try {
      conditions.push(readPair(name, value, asking));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      wrong[name] = [error.message];
    }
  }
  const messages = Object.entries(wrong).map(([name, [message]]) => `${name}: ${message}`);
  if (messages.length > 0) refuse(wrong, messages.join('; '));
  if (!parameters.some(([name]) => findParameter(name)?.role !== 'filter')) refuse({}, baseIsMissing);
  return conditions.length === 1 ? (conditions[0] as Condition) : { kind: 'and', of: conditions };
}

const baseIsMissing =
  'At least one base parameter is needed, such as domain, ip, email, registrar or nameserver_host; filters refine a search and cannot stand alone.';

function readPair(name: string, value: string, asking: Asking): Condition {
  const parameter = findParameter(name);
  if (!parameter) throw new Refusal('is no component of a parsed record');
  return parameter.read(value, asking);
}

function refuse(fields: FieldMessages, message: string): never {
  throw new Problem('invalid-parameters', `We could not understand your request. ${message}`, { fields });
}

/** The domains that a search asks for by name, as they are first written, each once. */
export function namesAskedFor(search: SearchText): readonly string[] {
  if ('query' in search) return [];
  const lists = search.parameters.filter(([name]) => name === 'domain').map(([, list]) => list);
  const names = new Map<string, string>();
  for (const written of lists.flatMap((list) => list.split(',')).map((name) => name.trim())) {
    const name = findHostName(written) ?? written;
    if (written !== '' && !names.has(name)) names.set(name, written);
  }
  return [...names.values()];
}
