/** Matched sampling: as many good as bad examples of every stratum, so that nothing can be learnt from the stratum itself. */
import { type Random, shuffledOrder } from './seeded-random.ts';

export interface Sides<Example> {
  readonly bad: readonly Example[];
  readonly good: readonly Example[];
}

/** Of each stratum, all examples of the smaller side and a random sample of the other. */
export function matchStrata<Example>(
  { bad, good }: Sides<Example>,
  stratumOf: (example: Example) => string,
  random: Random,
): Sides<Example> {
  const goodByStratum = Map.groupBy(good, stratumOf);
  const matched: { readonly bad: Example[]; readonly good: Example[] } = { bad: [], good: [] };
  for (const [stratum, ofBad] of Map.groupBy(bad, stratumOf)) {
    const ofGood = goodByStratum.get(stratum) ?? [];
    const count = Math.min(ofBad.length, ofGood.length);
    matched.bad.push(...sampled(ofBad, count, random));
    matched.good.push(...sampled(ofGood, count, random));
  }
  return matched;
}

function sampled<Example>(all: readonly Example[], count: number, random: Random): readonly Example[] {
  const order = shuffledOrder(all.length, random);
  return Array.from({ length: count }, (_, at) => all[order[at] as number] as Example);
}
