/** Quantile binning of features, so that trees compare small integers (histogram-based gradient boosting). */
export const binsMax = 64;

/** The ascending bin edges of each feature; the bin of a value is the number of edges below it. */
export type BinEdges = readonly Float32Array[];

export function binAll(features: Float32Array, edges: BinEdges, binned: Uint8Array): void {
  for (let feature = 0; feature < edges.length; feature += 1)
    binned[feature] = binOf(features[feature] as number, edges[feature] as Float32Array);
}

function binOf(value: number, edges: Float32Array): number {
  let [low, high] = [0, edges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((edges[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
