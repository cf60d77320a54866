/**
 * Zero-listing: a domain scores 0 if a list says that it is good. It also does if it is popular or well known, unless a list names it as
 * bad: popular sites are broken into, and what everybody knows is no statement of the operator.
 */
import type { RiskFacts } from './assessment.ts';
import type { RiskReason } from './risk-reason.ts';
import { badVerdictsOf } from './verdict.ts';

export interface ZerolistRules {
  /** Domains up to this popularity rank are zero-listed; 0 disables the rule. */
  readonly popularRankMax: number;
  /** Registrable domains that are known to belong to the organizations of their names; empty disables the rule. */
  readonly wellKnown: ReadonlySet<string>;
}

/** Undefined for a domain that is not zero-listed. */
export function findZerolistReason(
  { domain, verdicts, record }: Pick<RiskFacts, 'domain' | 'verdicts' | 'record'>,
  { popularRankMax, wellKnown }: ZerolistRules,
): RiskReason | undefined {
  const good = verdicts.find(({ label }) => label === 'good');
  if (good) return { code: 'good-list', reason: 'on a list of good domains', value: good.list };
  if (badVerdictsOf(verdicts).length > 0) return undefined;
  if (wellKnown.has(domain)) return { code: 'well-known', reason: 'well-known domain' };
  const ranks = [
    record?.popularity_rank,
    ...verdicts.map(({ label, rank }) => (label === 'popular' ? rank : undefined)),
  ];
  const best = Math.min(...ranks.map((rank) => rank ?? Number.POSITIVE_INFINITY));
  return best <= popularRankMax ? { code: 'popular', reason: `popularity rank ${best}` } : undefined;
}
