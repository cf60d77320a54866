/**
 * Grows trees one after another, each on what those before it got wrong (gradient boosting over histograms). A tree sees a part of
 * the rows and a part of the features, chosen by chance, so that trees differ.
 */
import { binsMax } from '../feature-bins.ts';
import type { Random } from '../seeded-random.ts';
import { allNodes, innerNodes, type TreeEnsemble, treeDepth } from '../tree-ensemble.ts';

/** Rows with their features in bins, row after row. */
export interface BinnedRows {
  readonly count: number;
  readonly width: number;
  readonly bins: Uint8Array;
  /** 1 for bad names. */
  readonly truths: Uint8Array;
  readonly weights: Float32Array;
}

export interface GrowOptions {
  readonly trees: number;
  readonly onProgress?: (done: number, all: number) => void;
}

const pace = 0.12;
const rowShare = 0.5;
const featureShare = 0.6;
/** A leaf with less than this in it is not made; where there are few rows, a share of what there is. */
const leafMassMin = 40;
const leafShareMin = 0.05;

export function growTrees(rows: BinnedRows, random: Random, options: GrowOptions): TreeEnsemble {
  const ensemble = {
    trees: options.trees,
    features: new Uint8Array(options.trees * innerNodes),
    bins: new Uint8Array(options.trees * innerNodes),
    values: new Float32Array(options.trees * allNodes),
  };
  const said = new Float64Array(rows.count);
  const tree = new GrowingTree(rows);
  for (let done = 0; done < options.trees; done += 1) {
    tree.grow(said, random);
    ensemble.features.set(tree.features, done * innerNodes);
    ensemble.bins.set(tree.bins, done * innerNodes);
    ensemble.values.set(tree.values, done * allNodes);
    for (let row = 0; row < rows.count; row += 1) said[row] = (said[row] as number) + tree.valueOf(row);
    options.onProgress?.(done + 1, options.trees);
  }
  return ensemble;
}

class GrowingTree {
  readonly features = new Uint8Array(innerNodes);
  readonly bins = new Uint8Array(innerNodes);
  readonly values = new Float32Array(allNodes);
  readonly #rows: BinnedRows;
  readonly #slopes: Float32Array;
  readonly #curves: Float32Array;
  readonly #nodes: Uint8Array;
  readonly #picked: Int32Array;
  readonly #slopeSums = new Float64Array(allNodes);
  readonly #curveSums = new Float64Array(allNodes);
  readonly #histogram: Float64Array;
  #leafMass = leafMassMin;

  constructor(rows: BinnedRows) {
    this.#rows = rows;
    this.#slopes = new Float32Array(rows.count);
    this.#curves = new Float32Array(rows.count);
    this.#nodes = new Uint8Array(rows.count);
    this.#picked = new Int32Array(rows.count);
    this.#histogram = new Float64Array(2 ** (treeDepth - 1) * rows.width * binsMax * 2);
  }

  grow(said: Float64Array, random: Random): void {
    const picked = this.#pickRows(said, random);
    const features = pickFeatures(this.#rows.width, random);
    this.#slopeSums[0] = sumOf(this.#slopes, picked);
    this.#curveSums[0] = sumOf(this.#curves, picked);
    this.#leafMass = Math.min(leafMassMin, this.#curveSums[0] * leafShareMin);
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

  #pickRows(said: Float64Array, random: Random): Int32Array {
    const { count, truths, weights } = this.#rows;
    let picked = 0;
    for (let row = 0; row < count; row += 1) {
      if (random() >= rowShare) continue;
      const chance = 1 / (1 + Math.exp(-(said[row] as number)));
      const weight = weights[row] as number;
      this.#slopes[row] = weight * (chance - (truths[row] as number));
      this.#curves[row] = weight * chance * (1 - chance);
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
      const slope = this.#slopes[row] as number;
      const curve = this.#curves[row] as number;
      const from = ((this.#nodes[row] as number) - first) * nodeSize;
      const at = row * width;
      for (const feature of features) {
        const place = from + (feature * binsMax + (bins[at + feature] as number)) * 2;
        histogram[place] = (histogram[place] as number) + slope;
        histogram[place + 1] = (histogram[place + 1] as number) + curve;
      }
    }
  }

  /** Where no split is worth it, all rows go left and nothing changes. */
  #split(node: number, features: Uint8Array, place: number): void {
    const [slope, curve] = [this.#slopeSums[node] as number, this.#curveSums[node] as number];
    const best = { gain: 0, feature: 0, bin: 255, slope, curve };
    const whole = this.#worthOf(slope, curve);
    for (const feature of features) {
      let at = (place * this.#rows.width + feature) * binsMax * 2;
      let [leftSlope, leftCurve] = [0, 0];
      for (let bin = 0; bin < binsMax - 1; bin += 1, at += 2) {
        leftSlope += this.#histogram[at] as number;
        leftCurve += this.#histogram[at + 1] as number;
        if (leftCurve < this.#leafMass) continue;
        if (curve - leftCurve < this.#leafMass) break;
        const gain =
          this.#worthOf(leftSlope, leftCurve) + this.#worthOf(slope - leftSlope, curve - leftCurve) - whole;
        if (gain > best.gain) Object.assign(best, { gain, feature, bin, slope: leftSlope, curve: leftCurve });
      }
    }
    this.features[node] = best.feature;
    this.bins[node] = best.bin;
    const [left, right] = [2 * node + 1, 2 * node + 2];
    this.#slopeSums[left] = best.slope;
    this.#curveSums[left] = best.curve;
    this.#slopeSums[right] = slope - best.slope;
    this.#curveSums[right] = curve - best.curve;
    this.values[left] = this.#leafValue(left);
    this.values[right] = best.bin === 255 ? (this.values[node] as number) : this.#leafValue(right);
  }

  #leafValue(node: number): number {
    const mass = (this.#curveSums[node] as number) + this.#damping;
    return mass === 0 ? 0 : (-pace * (this.#slopeSums[node] as number)) / mass;
  }

  #worthOf(slope: number, curve: number): number {
    return (slope * slope) / (curve + this.#damping);
  }

  /** Keeps leaves with few rows near to nothing. */
  get #damping(): number {
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
