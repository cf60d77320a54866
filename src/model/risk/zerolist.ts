/** Zero-listing: a domain scores 0 if a list says that it is good, or if it is popular and on no list of bad domains. */
import type { RiskFacts } from './assessment.ts';
import { badVerdictsOf } from './verdict.ts';

/** The reason in words; undefined for a domain that is not zero-listed. */
export function findZerolistReason(
  { verdicts, record }: Pick<RiskFacts, 'verdicts' | 'record'>,
  popularRankMax: number,
): string | undefined {
  const good = verdicts.find(({ label }) => label === 'good');
  if (good) return `list ${good.list} (good)`;
  if (badVerdictsOf(verdicts).length > 0) return undefined;
  const ranks = [
    record?.popularity_rank,
    ...verdicts.map(({ label, rank }) => (label === 'popular' ? rank : undefined)),
  ];
  const best = Math.min(...ranks.map((rank) => rank ?? Number.POSITIVE_INFINITY));
  return best <= popularRankMax ? `popularity rank ${best}` : undefined;
}
