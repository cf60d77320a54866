/** A parameter that Investigate searches by: its name, whether it may begin a search, and the condition its value becomes. */
import type { Attribute, Column, Comparison, Condition } from '../../model/record/condition.ts';
import type { Rule } from './value-rules.ts';

/** Who asks, and when: some conditions depend on it. */
export interface Asking {
  readonly accountId: string;
  readonly nowMs: number;
  /** Names in one request. */
  readonly domainsMax: number;
  /** From a caller's word for a field of the query language to ours. */
  readonly nameOf?: (field: string) => string;
}

/** Throws a Refusal for what is no value of the parameter. */
export type Reading = (text: string, asking: Asking) => Condition;

export interface SearchParameter {
  readonly name: string;
  /** A filter refines a search and cannot stand alone. */
  readonly role: 'base' | 'filter' | 'both';
  readonly about: string;
  readonly read: Reading;
  /** How the query language reads EQUALS, where the parameter itself means something wider. */
  readonly equals?: Reading;
  /** How the query language reads CONTAINS. */
  readonly contains?: Reading;
}

export function base(name: string, about: string, read: Reading): SearchParameter {
  return { name, role: 'base', about, read };
}

export function filter(name: string, about: string, read: Reading): SearchParameter {
  return { name, role: 'filter', about, read };
}

export function both(name: string, about: string, read: Reading): SearchParameter {
  return { name, role: 'both', about, read };
}

/** One of the attributes has exactly this value. */
export function has(attributes: readonly Attribute[], rule: Rule<string>): Reading {
  return (text) => ({ kind: 'has', attributes, value: rule(text) });
}

export function containing(attribute: Attribute, rule: Rule<string>): Reading {
  return (text) => ({ kind: 'contains', attributes: [attribute], text: rule(text) });
}

export function compared(
  column: Column,
  comparison: Comparison,
  value: (text: string, asking: Asking) => number,
): Reading {
  return (text, asking) => ({ kind: 'compare', column, comparison, value: value(text, asking) });
}
