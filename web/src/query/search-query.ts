/** A search, its conditions, and how one becomes the other. */
import type { SearchQuery } from '../../../src/http/web/search/search-wire.ts';
import {
  type Comparison,
  type Condition,
  isFilter,
  isParameter,
  isSame,
  listNames,
  usualComparison,
} from './condition.ts';
import { parseConditions, writeCondition, writeConditions } from './query-text.ts';

export type { SearchQuery };

const dateForm = /^\s*([<>]=?)\s*(.*)$/s;

function conditionsOfParameter(field: string, values: readonly string[]): readonly Condition[] {
  if (listNames.has(field)) return [{ field, not: false, comparison: '=', value: values.join(',') }];
  return values.map((value) => {
    const [, sign, rest] = (field === 'create_date' ? dateForm.exec(value) : undefined) ?? [];
    if (sign !== undefined && rest !== undefined)
      return { field, not: false, comparison: sign as Comparison, value: rest };
    return { field, not: false, comparison: usualComparison(field), value };
  });
}

/** Undefined for a query that chips cannot show. */
export function conditionsOf(query: SearchQuery | undefined): readonly Condition[] | undefined {
  if (!query) return [];
  if ('ql' in query) return parseConditions(query.ql);
  return Object.entries(query.parameters).flatMap(([field, values]) => conditionsOfParameter(field, values));
}

/** The value of a parameter that says the same; undefined where only the query language can. */
function parameterValue({ field, not, comparison, value }: Condition): string | undefined {
  if (not || !isParameter(field) || value.trim() === '') return undefined;
  if (field === 'create_date' && /^[<>]=?$/.test(comparison)) return `${comparison}${value}`;
  return comparison === usualComparison(field) ? value : undefined;
}

/** As parameters where those can say it, else in the query language. */
export function queryOf(conditions: readonly Condition[]): SearchQuery | undefined {
  if (conditions.length === 0) return undefined;
  const parameters: Record<string, string[]> = {};
  for (const condition of conditions) {
    const value = parameterValue(condition);
    const { field } = condition;
    // Two lists must both hold, but a parameter has one.
    if (value === undefined || (listNames.has(field) && parameters[field]))
      return { ql: writeConditions(conditions) };
    parameters[field] = listNames.has(field) ? itemsOf(value) : [...(parameters[field] ?? []), value];
  }
  const hasBase = conditions.some(({ field }) => !isFilter(field));
  return hasBase ? { parameters } : { ql: writeConditions(conditions) };
}

const itemsOf = (list: string): string[] =>
  list
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

/** The search with one more condition. */
export function narrowed(query: SearchQuery | undefined, condition: Condition): SearchQuery | undefined {
  const conditions = conditionsOf(query);
  if (conditions) {
    // What was excluded and is now wanted is no longer excluded, and the other way round.
    const opposite = { ...condition, not: !condition.not };
    const others = conditions.filter((one) => !isSame(one, condition) && !isSame(one, opposite));
    return queryOf([...others, condition]);
  }
  return query && 'ql' in query ? { ql: `(\n${query.ql}\n)\nAND ${writeCondition(condition)}` } : query;
}

export function withoutCondition(query: SearchQuery | undefined, index: number): SearchQuery | undefined {
  const conditions = conditionsOf(query);
  return conditions ? queryOf(conditions.toSpliced(index, 1)) : query;
}

export function withCondition(
  query: SearchQuery | undefined,
  index: number,
  condition: Condition,
): SearchQuery | undefined {
  const conditions = conditionsOf(query);
  return conditions ? queryOf(conditions.with(index, condition)) : query;
}

/** The same search in the query language. */
export function textOf(query: SearchQuery | undefined): string {
  if (!query) return '';
  return 'ql' in query ? query.ql : writeConditions(conditionsOf(query) ?? []);
}

/** The parameters of a request for it. */
export const requestOf = (query: SearchQuery): Readonly<Record<string, string | readonly string[]>> =>
  'ql' in query ? { ql: query.ql } : query.parameters;
