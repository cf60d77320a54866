/** The query of a question: within a time, in an order, page by page. */
import { fieldProblem } from '../../../model/problem.ts';
import type { Parameters } from '../parameters.ts';
import { parseQuery, type Query } from '../query.ts';
import type { Question } from './read-question.ts';

/** Records that were seen at some time between these, in epoch seconds. */
export interface TimeWindow {
  readonly fromSeconds?: number;
  readonly toSeconds?: number;
}

export interface QuestionOptions extends TimeWindow {
  readonly verb: 'lookup' | 'summarize';
  /** One row for each stored time bucket. */
  readonly raw?: boolean;
  readonly newest?: boolean;
  readonly cursor?: string;
  readonly limit: number;
}

export const isFlexible = ({ form }: Question): boolean => form === 'glob' || form === 'regex';

export function pathOf(question: Question, verb: 'lookup' | 'summarize'): readonly string[] {
  return isFlexible(question) ? question.path : [verb, ...question.path];
}

export function parametersOf(question: Question, options: QuestionOptions): ReadonlyMap<string, string> {
  const { fromSeconds, toSeconds, raw = false, newest = false, cursor, limit, verb } = options;
  const isLookup = verb === 'lookup';
  const parameters: readonly (readonly [string, string | undefined])[] = [
    ['limit', String(limit)],
    ['time_last_after', fromSeconds === undefined ? undefined : String(fromSeconds)],
    ['time_first_before', toSeconds === undefined ? undefined : String(toSeconds)],
    ['aggr', raw && !isFlexible(question) ? 'false' : undefined],
    ['sort', newest && isLookup ? 'time_last' : undefined],
    ['cursor', isLookup ? cursor : undefined],
    ['verbose', isFlexible(question) ? 'true' : undefined],
  ];
  return new Map(parameters.filter((entry): entry is readonly [string, string] => entry[1] !== undefined));
}

/** Throws problems that name the field of the form. */
export function queryOf(question: Question, options: QuestionOptions, nowSeconds: number): Query {
  const given: Parameters = new Map(
    [...parametersOf(question, options)].map(([name, value]) => [name, [value]]),
  );
  return parseQuery(pathOf(question, options.verb), given, nowSeconds);
}

/** A day, or an instant with its offset, as epoch seconds. `end`: of a day its last second. */
export function readTime(field: 'from' | 'to', text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text);
  const isInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/.test(text);
  const ms =
    isDay || isInstant ? Date.parse(isDay && field === 'to' ? `${text}T23:59:59Z` : text) : Number.NaN;
  if (!Number.isNaN(ms)) return Math.floor(ms / 1000);
  throw fieldProblem(
    'invalid-parameters',
    field,
    'must be a day such as 2026-03-04, or a time with its offset',
  );
}
