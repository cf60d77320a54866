/**
 * Inference of gradient-boosted decision trees: the values of all trees are added. All trees are perfect binary trees of the same
 * depth in arrays, heap-ordered: the children of node n are 2n+1 and 2n+2. Inner nodes have values too, so that each step down a tree
 * can be attributed to its feature. `tools/risk-model/gradient-boosting.ts` trains them.
 */
export const treeDepth = 5;
export const innerNodes = (1 << treeDepth) - 1;
export const allNodes = (2 << treeDepth) - 1;

export interface TreeEnsemble {
  readonly trees: number;
  /** By inner node: the feature, and the last bin that goes left. */
  readonly features: Uint8Array;
  readonly bins: Uint8Array;
  /** By node. */
  readonly values: Float32Array;
}

/** The sum of all trees for binned features. `| 0` keeps indexes small integers, which is fastest. */
export function ensembleValue(ensemble: TreeEnsemble, binned: Uint8Array): number {
  const { trees, features, bins, values } = ensemble;
  let sum = 0;
  for (let tree = 0; tree < trees; tree += 1) {
    const first = (tree * innerNodes) | 0;
    let node = 0;
    for (let level = 0; level < treeDepth; level += 1) {
      const index = (first + node) | 0;
      const isRight = (binned[features[index] as number] as number) > (bins[index] as number);
      node = isRight ? (2 * node + 2) | 0 : (2 * node + 1) | 0;
    }
    sum += values[tree * allNodes + node] as number;
  }
  return sum;
}

/**
 * The same value as a base and the contribution of each feature, by the change of the node value along the path (Saabas,
 * http://blog.datadive.net/interpreting-random-forests/).
 */
export function featureContributions(
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
      const index = tree * innerNodes + node;
      const feature = ensemble.features[index] as number;
      const isRight = (binned[feature] as number) > (ensemble.bins[index] as number);
      const next = 2 * node + (isRight ? 2 : 1);
      parts[feature] = (parts[feature] as number) + (values[next] as number) - (values[node] as number);
      node = next;
    }
  }
  return { base, parts };
}
