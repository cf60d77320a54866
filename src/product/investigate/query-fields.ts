/** The fields of the query language: columns of numbers and times, and search parameters, with the operators that each supports. */
import { dayMs, hourMs, minuteMs, secondMs, weekMs } from '../../model/durations.ts';
import { findDayNumber } from '../../model/instant.ts';
import type { Column, Comparison, Condition } from '../../model/record/condition.ts';
import type { SearchContext } from './search-parameter.ts';
import { componentFault, findParameter, isParsedName } from './search-parameters.ts';
import { dayNumber, InvalidValue, instantMs, wholeNumber } from './value-rules.ts';

export type Operator =
  | 'EQUALS'
  | 'NOT_EQUALS'
  | 'CONTAINS'
  | 'GREATER_THAN'
  | 'GREATER_THAN_OR_EQUAL'
  | 'LESS_THAN'
  | 'LESS_THAN_OR_EQUAL'
  | 'WITHIN';

const comparisons: Partial<Record<Operator, Comparison>> = {
  EQUALS: '=',
  GREATER_THAN: '>',
  GREATER_THAN_OR_EQUAL: '>=',
  LESS_THAN: '<',
  LESS_THAN_OR_EQUAL: '<=',
};

/** The field of a condition does not exist, so its value cannot be what is wrong. */
export class UnknownField extends InvalidValue {}

type ColumnKind = 'number' | 'day' | 'time';

const columns: Readonly<Record<string, readonly [Column, ColumnKind]>> = {
  risk_score: ['risk_score', 'number'],
  rank: ['popularity_rank', 'number'],
  popularity_rank: ['popularity_rank', 'number'],
  website_response: ['website_response', 'number'],
  create_date: ['create_date', 'day'],
  expiration_date: ['expiration_date', 'day'],
  first_seen: ['first_seen', 'time'],
  first_seen_since: ['first_seen', 'time'],
  data_updated: ['data_updated', 'time'],
  data_updated_timestamp: ['data_updated', 'time'],
};

const unitMs: Readonly<Record<string, number>> = {
  second: secondMs,
  minute: minuteMs,
  hour: hourMs,
  day: dayMs,
  week: weekMs,
  month: 30 * dayMs,
  year: 365 * dayMs,
};

/** `field` is in lower case. Throws `InvalidValue` for an invalid field, operator or value. */
export function conditionOf(
  field: string,
  operator: Operator,
  value: string,
  context: SearchContext,
): Condition {
  const column = Object.hasOwn(columns, field) ? columns[field] : undefined;
  if (column) return columnCondition(column, operator, value, context);
  const parameter = findParameter(isParsedName(field) ? field : field.replace(/^(parsed_\w+)\./, '$1:'));
  if (!parameter) throw new UnknownField(unknownField(field));
  const equals = parameter.equals ?? parameter.parse;
  if (operator === 'EQUALS') return equals(value, context);
  if (operator === 'NOT_EQUALS') return { kind: 'not', of: equals(value, context) };
  if (operator === 'CONTAINS' && parameter.contains) return parameter.contains(value, context);
  const supported = parameter.contains ? 'EQUALS, NOT_EQUALS and CONTAINS' : 'EQUALS and NOT_EQUALS';
  throw new InvalidValue(`${field} supports only ${supported}`);
}

/** The operators that a field supports. */
export function operatorsOf(field: string): readonly Operator[] {
  const column = Object.hasOwn(columns, field) ? columns[field] : undefined;
  if (column) {
    const compared: Operator[] = ['EQUALS', 'NOT_EQUALS', ...comparing];
    return column[1] === 'number' ? compared : [...compared, 'WITHIN'];
  }
  return findParameter(field)?.contains ? ['EQUALS', 'NOT_EQUALS', 'CONTAINS'] : ['EQUALS', 'NOT_EQUALS'];
}

const comparing: readonly Operator[] = [
  'GREATER_THAN',
  'GREATER_THAN_OR_EQUAL',
  'LESS_THAN',
  'LESS_THAN_OR_EQUAL',
];

function unknownField(field: string): string {
  if (/^parsed_(?:whois|domain_rdap)[:.]/.test(field)) return `${field} ${componentFault(field)}`;
  return `unknown field ${field}; a field is a search parameter such as domain, ip, email or registrar`;
}

function columnCondition(
  [column, kind]: readonly [Column, ColumnKind],
  operator: Operator,
  value: string,
  context: SearchContext,
): Condition {
  if (operator === 'WITHIN') return within(column, kind, value, context.nowMs);
  if (operator === 'NOT_EQUALS')
    return { kind: 'not', of: columnCondition([column, kind], 'EQUALS', value, context) };
  const comparison = comparisons[operator];
  if (comparison === undefined) throw new InvalidValue(`${column} does not support CONTAINS`);
  if (kind === 'time' && comparison === '=' && findDayNumber(value.trim()) !== undefined)
    return wholeDay(column, dayNumber(value));
  const number = numberOf(kind, value, context.nowMs);
  return { kind: 'compare', column, comparison, value: number };
}

function numberOf(kind: ColumnKind, value: string, nowMs: number): number {
  if (kind === 'number') return wholeNumber(0)(value);
  return kind === 'day' ? dayNumber(value) : instantMs(value, nowMs);
}

/** A time equals a day when it is within that day in UTC. */
function wholeDay(column: Column, day: number): Condition {
  return {
    kind: 'and',
    of: [
      { kind: 'compare', column, comparison: '>=', value: day * dayMs },
      { kind: 'compare', column, comparison: '<', value: (day + 1) * dayMs },
    ],
  };
}

/** "The last 30 days", "the last 3 hour", "90 minutes". */
function within(column: Column, kind: ColumnKind, value: string, nowMs: number): Condition {
  const [, number, unit = ''] = /^\s*(?:the\s+)?(?:last\s+)?(\d{1,9})\s+([a-z]+?)s?\s*$/i.exec(value) ?? [];
  const length = unitMs[unit.toLowerCase()];
  if (kind === 'number')
    throw new InvalidValue(`${column} does not support WITHIN, which is for dates and times`);
  if (number === undefined || length === undefined)
    throw new InvalidValue('WITHIN needs a text such as "the last 30 days"');
  const sinceMs = nowMs - Number(number) * length;
  const since = kind === 'day' ? Math.floor(sinceMs / dayMs) : sinceMs;
  return { kind: 'compare', column, comparison: '>=', value: since };
}
