/** Quantile binning: chooses the bin edges of each feature so that about the same number of names falls into each bin. */
import { type BinEdges, binsMax } from '../../src/model/risk/name/feature-bins.ts';
import type { FeatureRows } from './feature-rows.ts';

const samplesMax = 50_000;

export function quantileEdges(rows: FeatureRows, featureCount: number): BinEdges {
  const step = Math.max(1, Math.floor(rows.count / samplesMax));
  const samples = Math.ceil(rows.count / step);
  return Array.from({ length: featureCount }, (_, feature) => {
    const values = new Float32Array(samples);
    for (let sample = 0; sample < samples; sample += 1)
      values[sample] = rows.features[sample * step * featureCount + feature] as number;
    return edgesOf(values.sort());
  });
}

/** A feature with few distinct values gets an edge for each. */
function edgesOf(sorted: Float32Array): Float32Array {
  const edges = new Set<number>();
  for (let edge = 1; edge < binsMax; edge += 1)
    edges.add(sorted[Math.floor((edge * sorted.length) / binsMax)] as number);
  return Float32Array.from(edges);
}
