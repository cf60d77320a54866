/**
 * Many small decision trees whose values are added. All have the same depth and lie in arrays one after another: the children of
 * node n are 2n+1 and 2n+2. Every node has a value, the inner ones too, so that a step down the tree can be told as what the
 * feature that was asked for added.
 */
export const treeDepth = 5;
export const innerNodes = (1 << treeDepth) - 1;
export const allNodes = (2 << treeDepth) - 1;

export interface TreeEnsemble {
  readonly trees: number;
  /** For each inner node: the feature, and the last bin that goes left. */
  readonly features: Uint8Array;
  readonly bins: Uint8Array;
  /** For each node. */
  readonly values: Float32Array;
}

/** What all trees together say of a name whose features were put into bins. Places stay small whole numbers, which is fastest. */
export function valueOf(ensemble: TreeEnsemble, binned: Uint8Array): number {
  const { trees, features, bins, values } = ensemble;
  let sum = 0;
  for (let tree = 0; tree < trees; tree += 1) {
    const first = (tree * innerNodes) | 0;
    let node = 0;
    for (let level = 0; level < treeDepth; level += 1) {
      const place = (first + node) | 0;
      const isRight = (binned[features[place] as number] as number) > (bins[place] as number);
      node = isRight ? (2 * node + 2) | 0 : (2 * node + 1) | 0;
    }
    sum += values[tree * allNodes + node] as number;
  }
  return sum;
}

/** The same value in parts: what each feature added, and what all names have. */
export function partsOf(
  ensemble: TreeEnsemble,
  binned: Uint8Array,
  featureCount: number,
): { readonly base: number; readonly parts: Float64Array } {
  const parts = new Float64Array(featureCount);
  let base = 0;
  for (let tree = 0; tree < ensemble.trees; tree += 1) {
    const values = ensemble.values.subarray(tree * allNodes, (tree + 1) * allNodes);
    base += values[0] as number;
    let node = 0;
    for (let level = 0; level < treeDepth; level += 1) {
      const place = tree * innerNodes + node;
      const feature = ensemble.features[place] as number;
      const isRight = (binned[feature] as number) > (ensemble.bins[place] as number);
      const next = 2 * node + (isRight ? 2 : 1);
      parts[feature] = (parts[feature] as number) + (values[next] as number) - (values[node] as number);
      node = next;
    }
  }
  return { base, parts };
}
