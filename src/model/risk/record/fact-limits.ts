/**
 * Bounds on what facts may contribute, in log-odds. Ordinary domains with all their facts are hard to obtain, so a weight says partly how the
 * examples were collected; bounds keep that from deciding. They are judgements, and tests check their outcomes.
 */
import type { Evidence, RecordFact } from './record-fact.ts';

/** What a fact is about, where being new is the normal case: the scores of names are calibrated for new registrations. */
const ages = ['registration age', 'registration term', 'certificate age'];

const factMin = -1;
const factMax = 2;
/** All identifying facts together: who is chosen by bad actors is mostly who is chosen by everybody. */
const identityMax = 0.5;

/** All facts of one kind of evidence together. */
const evidenceMin = -1.5;
const evidenceMax: Readonly<Record<Evidence, number>> = {
  registrar: 2,
  registrant: 0.5,
  'name server': 0.5,
  'ip address': 0.5,
  mail: 0.4,
  certificate: 2,
  'web site': 1.8,
};

/** The bounded weight of a single fact, by its text. */
export function limitedWeight(fact: string, weight: number): number {
  const isAge = ages.some((what) => fact.startsWith(`${what} `));
  return Math.max(factMin, Math.min(isAge ? 0 : factMax, weight));
}

/** Scales the log-odds of facts in place, so that they keep the bounds for several facts together. */
export function limitSums(facts: readonly RecordFact[], logOdds: number[]): void {
  let identity = 0;
  for (let at = 0; at < facts.length; at += 1) if (facts[at]?.isIdentity) identity += logOdds[at] as number;
  const scale = scaleTo(identity, -identityMax, identityMax);
  const sums: Partial<Record<Evidence, number>> = {};
  for (let at = 0; at < facts.length; at += 1) {
    const { evidence, isIdentity } = facts[at] as RecordFact;
    if (isIdentity && scale !== 1) logOdds[at] = (logOdds[at] as number) * scale;
    sums[evidence] = (sums[evidence] ?? 0) + (logOdds[at] as number);
  }
  for (const [evidence, sum] of Object.entries(sums) as [Evidence, number][]) {
    const scaled = scaleTo(sum, evidenceMin, evidenceMax[evidence]);
    if (scaled === 1) continue;
    for (let at = 0; at < facts.length; at += 1)
      if (facts[at]?.evidence === evidence) logOdds[at] = (logOdds[at] as number) * scaled;
  }
}

/** The factor that brings a sum into its bounds. */
function scaleTo(sum: number, min: number, max: number): number {
  if (sum > max) return max / sum;
  return sum < min ? min / sum : 1;
}
