/**
 * Stochastic gradient boosting of decision trees over histogram bins, with Newton steps on the log loss, as in XGBoost and LightGBM
 * (Friedman 2002, https://doi.org/10.1016/S0167-9473(01)00065-2; Chen and Guestrin 2016, https://arxiv.org/abs/1603.02754). Each tree
 * is trained on a random sample of the rows and of the features. Inference is in `src/model/risk/name/tree-ensemble.ts`.
 */
import { binsMax } from '../../src/model/risk/name/feature-bins.ts';
import {
  allNodes,
  innerNodes,
  type TreeEnsemble,
  treeDepth,
} from '../../src/model/risk/name/tree-ensemble.ts';
import type { Random } from './seeded-random.ts';

/** Rows of binned features. */
export interface BinnedRows {
  readonly count: number;
  readonly width: number;
  readonly bins: Uint8Array;
  /** 1 for bad names. */
  readonly targets: Uint8Array;
  readonly weights: Float32Array;
}

export interface BoostingOptions {
  readonly trees: number;
  readonly onProgress?: (done: number, all: number) => void;
}

const learningRate = 0.12;
const rowShare = 0.5;
const featureShare = 0.6;
/** The minimum sum of hessians in a leaf; for small data sets a share of the total. */
const leafMassMin = 40;
const leafShareMin = 0.05;

export function trainBoostedTrees(rows: BinnedRows, random: Random, options: BoostingOptions): TreeEnsemble {
  const ensemble = {
    trees: options.trees,
    features: new Uint8Array(options.trees * innerNodes),
    bins: new Uint8Array(options.trees * innerNodes),
    values: new Float32Array(options.trees * allNodes),
  };
  const predictions = new Float64Array(rows.count);
  const tree = new TreeBuilder(rows);
  for (let done = 0; done < options.trees; done += 1) {
    tree.train(predictions, random);
    ensemble.features.set(tree.features, done * innerNodes);
    ensemble.bins.set(tree.bins, done * innerNodes);
    ensemble.values.set(tree.values, done * allNodes);
    for (let row = 0; row < rows.count; row += 1)
      predictions[row] = (predictions[row] as number) + tree.valueOf(row);
    options.onProgress?.(done + 1, options.trees);
  }
  return ensemble;
}

class TreeBuilder {
  readonly features = new Uint8Array(innerNodes);
  readonly bins = new Uint8Array(innerNodes);
  readonly values = new Float32Array(allNodes);
  readonly #rows: BinnedRows;
  readonly #gradients: Float32Array;
  readonly #hessians: Float32Array;
  readonly #nodes: Uint8Array;
  readonly #picked: Int32Array;
  readonly #gradientSums = new Float64Array(allNodes);
  readonly #hessianSums = new Float64Array(allNodes);
  readonly #histogram: Float64Array;
  #leafMass = leafMassMin;

  constructor(rows: BinnedRows) {
    this.#rows = rows;
    this.#gradients = new Float32Array(rows.count);
    this.#hessians = new Float32Array(rows.count);
    this.#nodes = new Uint8Array(rows.count);
    this.#picked = new Int32Array(rows.count);
    this.#histogram = new Float64Array(2 ** (treeDepth - 1) * rows.width * binsMax * 2);
  }

  train(predictions: Float64Array, random: Random): void {
    const picked = this.#pickRows(predictions, random);
    const features = pickFeatures(this.#rows.width, random);
    this.#gradientSums[0] = sumOf(this.#gradients, picked);
    this.#hessianSums[0] = sumOf(this.#hessians, picked);
    this.#leafMass = Math.min(leafMassMin, this.#hessianSums[0] * leafShareMin);
    this.values[0] = this.#leafValue(0);
    for (let level = 0; level < treeDepth; level += 1) {
      const first = 2 ** level - 1;
      this.#fillHistogram(picked, features, first);
      for (let node = first; node <= 2 * first; node += 1) this.#split(node, features, node - first);
      for (const row of picked) this.#nodes[row] = this.#childOf(row, this.#nodes[row] as number);
    }
  }

  valueOf(row: number): number {
    let node = 0;
    for (let level = 0; level < treeDepth; level += 1) node = this.#childOf(row, node);
    return this.values[node] as number;
  }

  #childOf(row: number, node: number): number {
    const { bins, width } = this.#rows;
    const bin = bins[row * width + (this.features[node] as number)] as number;
    return 2 * node + (bin > (this.bins[node] as number) ? 2 : 1);
  }

  #pickRows(predictions: Float64Array, random: Random): Int32Array {
    const { count, targets, weights } = this.#rows;
    let picked = 0;
    for (let row = 0; row < count; row += 1) {
      if (random() >= rowShare) continue;
      const probability = 1 / (1 + Math.exp(-(predictions[row] as number)));
      const weight = weights[row] as number;
      this.#gradients[row] = weight * (probability - (targets[row] as number));
      this.#hessians[row] = weight * probability * (1 - probability);
      this.#nodes[row] = 0;
      this.#picked[picked++] = row;
    }
    return this.#picked.subarray(0, picked);
  }

  #fillHistogram(picked: Int32Array, features: Uint8Array, first: number): void {
    const histogram = this.#histogram.fill(0);
    const { bins, width } = this.#rows;
    const nodeSize = width * binsMax * 2;
    for (const row of picked) {
      const gradient = this.#gradients[row] as number;
      const hessian = this.#hessians[row] as number;
      const from = ((this.#nodes[row] as number) - first) * nodeSize;
      const at = row * width;
      for (const feature of features) {
        const slot = from + (feature * binsMax + (bins[at + feature] as number)) * 2;
        histogram[slot] = (histogram[slot] as number) + gradient;
        histogram[slot + 1] = (histogram[slot + 1] as number) + hessian;
      }
    }
  }

  /** Chooses the split with the greatest gain. Without a gain all rows go left and the value does not change. */
  #split(node: number, features: Uint8Array, nodeInLevel: number): void {
    const [gradient, hessian] = [this.#gradientSums[node] as number, this.#hessianSums[node] as number];
    const best = { gain: 0, feature: 0, bin: 255, gradient, hessian };
    const whole = this.#gainOf(gradient, hessian);
    for (const feature of features) {
      let at = (nodeInLevel * this.#rows.width + feature) * binsMax * 2;
      let [leftGradient, leftHessian] = [0, 0];
      for (let bin = 0; bin < binsMax - 1; bin += 1, at += 2) {
        leftGradient += this.#histogram[at] as number;
        leftHessian += this.#histogram[at + 1] as number;
        if (leftHessian < this.#leafMass) continue;
        if (hessian - leftHessian < this.#leafMass) break;
        const gain =
          this.#gainOf(leftGradient, leftHessian) +
          this.#gainOf(gradient - leftGradient, hessian - leftHessian) -
          whole;
        if (gain > best.gain)
          Object.assign(best, { gain, feature, bin, gradient: leftGradient, hessian: leftHessian });
      }
    }
    this.features[node] = best.feature;
    this.bins[node] = best.bin;
    const [left, right] = [2 * node + 1, 2 * node + 2];
    this.#gradientSums[left] = best.gradient;
    this.#hessianSums[left] = best.hessian;
    this.#gradientSums[right] = gradient - best.gradient;
    this.#hessianSums[right] = hessian - best.hessian;
    this.values[left] = this.#leafValue(left);
    this.values[right] = best.bin === 255 ? (this.values[node] as number) : this.#leafValue(right);
  }

  #leafValue(node: number): number {
    const mass = (this.#hessianSums[node] as number) + this.#regularization;
    return mass === 0 ? 0 : (-learningRate * (this.#gradientSums[node] as number)) / mass;
  }

  #gainOf(gradient: number, hessian: number): number {
    return (gradient * gradient) / (hessian + this.#regularization);
  }

  /** L2 regularization: shrinks the values of leaves with few rows. */
  get #regularization(): number {
    return this.#leafMass / 2;
  }
}

function pickFeatures(width: number, random: Random): Uint8Array {
  const picked = Uint8Array.from({ length: width }, (_, feature) => feature).filter(
    () => random() < featureShare,
  );
  return picked.length > 0 ? picked : Uint8Array.of(0);
}

function sumOf(values: Float32Array, rows: Int32Array): number {
  let sum = 0;
  for (const row of rows) sum += values[row] as number;
  return sum;
}
