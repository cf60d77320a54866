/** A search parameter of Investigate: its name, whether a search can consist of it alone, and how its value becomes a condition. */
import type { Attribute, Column, Comparison, Condition } from '../../model/record/condition.ts';
import { type Rule, spellingsOf } from './value-rules.ts';

/** The user and the time of a search, which some conditions depend on. */
export interface SearchContext {
  readonly accountId: string;
  readonly userId: string;
  readonly nowMs: number;
  /** The greatest number of domains in one request. */
  readonly domainsMax: number;
  /** Maps aliases of query fields to our names. */
  readonly nameOf?: (field: string) => string;
}

/** Throws `InvalidValue` for an invalid value of the parameter. */
export type ConditionParser = (text: string, context: SearchContext) => Condition;

export interface SearchParameter {
  readonly name: string;
  /** A filter refines a search and cannot be its only parameter. */
  readonly role: 'base' | 'filter' | 'both';
  readonly about: string;
  readonly parse: ConditionParser;
  /** For EQUALS of the query language, where the parameter itself matches more widely. */
  readonly equals?: ConditionParser;
  /** For CONTAINS of the query language. */
  readonly contains?: ConditionParser;
}

export function base(name: string, about: string, parse: ConditionParser): SearchParameter {
  return { name, role: 'base', about, parse };
}

export function filter(name: string, about: string, parse: ConditionParser): SearchParameter {
  return { name, role: 'filter', about, parse };
}

export function both(name: string, about: string, parse: ConditionParser): SearchParameter {
  return { name, role: 'both', about, parse };
}

/** One of the attributes has exactly this value. */
export function has(attributes: readonly Attribute[], rule: Rule<string>): ConditionParser {
  return (text) => ({ kind: 'has', attributes, value: rule(text) });
}

/** The same for hosts and e-mail addresses, in punycode or in Unicode. */
export function hasHost(attributes: readonly Attribute[], rule: Rule<string>): ConditionParser {
  return (text) => anySpelling(rule(text), (value) => ({ kind: 'has', attributes, value }));
}

export function anySpelling(text: string, conditionOf: (spelling: string) => Condition): Condition {
  const [first, ...others] = spellingsOf(text);
  return others.length === 0
    ? conditionOf(first)
    : { kind: 'or', of: [first, ...others].map((spelling) => conditionOf(spelling)) };
}

export function containing(attribute: Attribute, rule: Rule<string>): ConditionParser {
  return (text) => ({ kind: 'contains', attributes: [attribute], text: rule(text) });
}

export function compared(
  column: Column,
  comparison: Comparison,
  value: (text: string, context: SearchContext) => number,
): ConditionParser {
  return (text, context) => ({ kind: 'compare', column, comparison, value: value(text, context) });
}
