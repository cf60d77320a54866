/** Which searches are so quick that a transaction around them would be most of their cost: those of few values with few domains. */
import type { Condition } from '../../../../model/record/condition.ts';

/** What most pivots ask for: the domains that have a value. */
type ValueCondition = Extract<Condition, { kind: 'has' | 'historical' | 'tld' }>;

export const quickDomainsMax = 1000;
const partsMax = 16;

const quickKinds: ReadonlySet<Condition['kind']> = new Set(['has', 'historical', 'tld', 'domain']);

/** Whether it is worth estimating the number of candidates. */
export function mayRunQuickly(condition: Condition): boolean {
  const parts = condition.kind === 'and' ? condition.of : [condition];
  return parts.length > 0 && parts.length <= partsMax && parts.every((part) => quickKinds.has(part.kind));
}

/** The condition, where it is of one value and nothing else. */
export function onlyValue(condition: Condition): ValueCondition | undefined {
  const [only, ...others] = condition.kind === 'and' ? condition.of : [condition];
  if (others.length > 0) return undefined;
  return only?.kind === 'has' || only?.kind === 'historical' || only?.kind === 'tld' ? only : undefined;
}
