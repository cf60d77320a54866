/** One fact of a record, as a short text: a categorical feature of the record model, and a line of an explanation. */
import { dayMs } from '../../durations.ts';
import { codeOf, type RiskReason } from '../risk-reason.ts';

/** The contract's words for evidence, and our own where it has none. */
export type Evidence =
  | 'registrar'
  | 'registrant'
  | 'name server'
  | 'ip address'
  | 'mail'
  | 'certificate'
  | 'web site';

export interface RecordFact {
  readonly evidence: Evidence;
  /** What it is about: `registration age`, `asn`. */
  readonly what: string;
  /** With its value: `registration age under 7 days`, `asn 13335`. Stored models have weights for these exact texts. */
  readonly fact: string;
  /** The part of the fact that a third party wrote, if any. */
  readonly value?: string;
  /**
   * Identifies an operator or a region (a registrar, a network, a country) rather than describing behaviour: it generalizes only
   * within the same population, and a simulated world teaches nothing about it.
   */
  readonly isIdentity: boolean;
}

const valueCharactersMax = 60;

/** A descriptive fact: `registration age under 7 days`. */
export function form(evidence: Evidence, what: string, value: string): RecordFact {
  return { evidence, what, fact: `${what} ${value}`, isIdentity: false };
}

/** An identifying fact by a value that a third party wrote; none if it is unknown. */
export function identity(evidence: Evidence, what: string, value: string | undefined): readonly RecordFact[] {
  if (value === undefined || value === '') return [];
  const shown = value.slice(0, valueCharactersMax).toLowerCase();
  return [{ evidence, what, fact: `${what} ${shown}`, value: shown, isIdentity: true }];
}

/** An identifying fact in our own words. */
export function trait(evidence: Evidence, what: string, value: string): readonly RecordFact[] {
  return [{ evidence, what, fact: `${what} ${value}`, isIdentity: true }];
}

/** For explanations. */
export function reasonOf({ what, fact, value }: RecordFact): RiskReason {
  return value === undefined
    ? { code: codeOf(what), reason: fact }
    : { code: codeOf(what), reason: what, value };
}

/** The maximum number of values of one attribute, so that a record cannot gain weight by listing more. */
const valuesMax = 8;

/** Distinct identifying facts. */
export function identities(
  evidence: Evidence,
  what: string,
  values: Iterable<string>,
): readonly RecordFact[] {
  const facts: RecordFact[] = [];
  const known = new Set<string>();
  for (const value of values) {
    if (known.size === valuesMax) break;
    if (known.has(value)) continue;
    known.add(value);
    facts.push(...identity(evidence, what, value));
  }
  return facts;
}

/** The range of a number, by the first bound above it: `under 7 days`. */
export function under(value: number, bounds: readonly number[], unit: string): string {
  const bound = bounds.find((least) => value < least);
  return bound === undefined ? 'more' : `under ${bound} ${unit}`;
}

/** Days from one time to another; undefined if one of them is unknown or not a date. */
export function daysBetween(from: string | undefined, to: string | number | undefined): number | undefined {
  if (from === undefined || to === undefined) return undefined;
  const days = ((typeof to === 'number' ? to : Date.parse(to)) - Date.parse(from)) / dayMs;
  return Number.isNaN(days) ? undefined : days;
}
