/** Why a domain is taken for good without being judged: a list says so, or many use it and no list says that it is bad. */
import type { RiskFacts } from './assessment.ts';
import { badVerdictsOf } from './verdict.ts';

/** In words; undefined for a domain that is judged like any other. */
export function findTrust(
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
