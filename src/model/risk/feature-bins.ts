/** Numbers as bins: trees compare small whole numbers only. */
export const binsMax = 64;

/** For each feature its edges, ascending; a value is in the bin of how many edges are below it. */
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
