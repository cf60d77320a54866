/** Chooses where the bins of each feature end, so that about as many names fall into each. */
import { type BinEdges, binsMax } from '../feature-bins.ts';
import type { FeatureRows } from './feature-rows.ts';

const looksMax = 50_000;

export function chooseEdges(rows: FeatureRows, featureCount: number): BinEdges {
  const step = Math.max(1, Math.floor(rows.count / looksMax));
  const looks = Math.ceil(rows.count / step);
  return Array.from({ length: featureCount }, (_, feature) => {
    const values = new Float32Array(looks);
    for (let look = 0; look < looks; look += 1)
      values[look] = rows.features[look * step * featureCount + feature] as number;
    return edgesOf(values.sort());
  });
}

/** Few values get an edge each. */
function edgesOf(sorted: Float32Array): Float32Array {
  const edges = new Set<number>();
  for (let edge = 1; edge < binsMax; edge += 1)
    edges.add(sorted[Math.floor((edge * sorted.length) / binsMax)] as number);
  return Float32Array.from(edges);
}
