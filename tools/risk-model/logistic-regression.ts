/**
 * Logistic regression over facts by coordinate descent with Newton steps and L2 regularization (ridge;
 * https://en.wikipedia.org/wiki/Logistic_regression). Weights are shrunk towards a prior: 0 for facts, 1 for the log-odds of the name.
 * Identifying facts are shrunk more than descriptive ones, so that rare values have little effect. Descriptive facts are centred within
 * their attribute: that an attribute is known adds nothing, only its value does.
 */

export interface RegressionRow {
  readonly nameLogOdds: number;
  /** Indexes of its facts. */
  readonly facts: readonly number[];
  readonly isBad: boolean;
  readonly weight: number;
}

/** The part of a fact used here. A row has at most one descriptive fact for each `what`. */
export interface RegressionFact {
  readonly what: string;
  readonly isIdentity: boolean;
}

export interface Regression {
  readonly base: number;
  readonly nameWeight: number;
  readonly factWeights: Float64Array;
}

const roundsMax = 40;
const stepMax = 1;
/** Converged when no weight moves further than this in a round. */
const stepMin = 0.002;
/** Regularization strengths. */
const formPenalty = 3;
const identityPenalty = 6;
/** As shares of the total row weight: with few records the name decides. */
const basePenaltyShare = 0.1;
const namePenaltyShare = 1;
const penaltyMin = 20;

export function fitLogisticRegression(
  rows: readonly RegressionRow[],
  facts: readonly RegressionFact[],
): Regression {
  const fit = new Fit(rows);
  const mass = rows.reduce((sum, { weight }) => sum + weight, 0);
  const all: Column = {
    rows: Int32Array.from(rows, (_, row) => row),
    values: new Float64Array(rows.length).fill(1),
  };
  const names: Column = { rows: all.rows, values: Float64Array.from(rows, (row) => row.nameLogOdds) };
  const columns = columnsOf(rows, facts);
  let [base, nameWeight] = [0, 1];
  fit.move(names, 1);
  const weights = new Float64Array(facts.length);
  for (let round = 0; round < roundsMax && fit.isMoving; round += 1) {
    fit.isMoving = false;
    base += fit.step(all, base, penaltyMin + basePenaltyShare * mass);
    nameWeight += fit.step(names, nameWeight - 1, penaltyMin + namePenaltyShare * mass);
    for (const [index, { isIdentity }] of facts.entries()) {
      const weight = weights[index] as number;
      weights[index] =
        weight + fit.step(columns[index] as Column, weight, isIdentity ? identityPenalty : formPenalty);
    }
  }
  return { base, nameWeight, factWeights: centred(weights, rows, facts) };
}

export function logOddsOf({ base, nameWeight, factWeights }: Regression, row: RegressionRow): number {
  let sum = base + nameWeight * row.nameLogOdds;
  for (const index of row.facts) sum += factWeights[index] as number;
  return sum;
}

/** A sparse column of the design matrix. */
interface Column {
  readonly rows: Int32Array;
  readonly values: Float64Array;
}

function columnsOf(rows: readonly RegressionRow[], facts: readonly RegressionFact[]): readonly Column[] {
  const shares = sharesOf(rows, facts);
  const rowsByWhat = new Map<string, number[]>();
  const holders = facts.map((): number[] => []);
  for (const [row, { facts: indexes }] of rows.entries())
    for (const index of indexes) {
      const { what, isIdentity } = facts[index] as RegressionFact;
      holders[index]?.push(row);
      if (isIdentity) continue;
      const known = rowsByWhat.get(what);
      if (known) known.push(row);
      else rowsByWhat.set(what, [row]);
    }
  return facts.map(({ what, isIdentity }, index) => {
    const held = holders[index] as number[];
    if (isIdentity) return { rows: Int32Array.from(held), values: new Float64Array(held.length).fill(1) };
    const share = shares[index] as number;
    const has = new Set(held);
    const all = rowsByWhat.get(what) ?? [];
    return {
      rows: Int32Array.from(all),
      values: Float64Array.from(all, (row) => (has.has(row) ? 1 : 0) - share),
    };
  });
}

/** By fact: the weighted share of the rows with its attribute that have the fact. */
function sharesOf(rows: readonly RegressionRow[], facts: readonly RegressionFact[]): Float64Array {
  const masses = new Float64Array(facts.length);
  const massByWhat = new Map<string, number>();
  for (const { facts: indexes, weight } of rows)
    for (const index of indexes) {
      const { what } = facts[index] as RegressionFact;
      masses[index] = (masses[index] as number) + weight;
      massByWhat.set(what, (massByWhat.get(what) ?? 0) + weight);
    }
  return masses.map(
    (mass, index) => mass / ((massByWhat.get((facts[index] as RegressionFact).what) ?? 0) || 1),
  );
}

function centred(
  weights: Float64Array,
  rows: readonly RegressionRow[],
  facts: readonly RegressionFact[],
): Float64Array {
  const shares = sharesOf(rows, facts);
  const means = new Map<string, number>();
  for (const [index, { what, isIdentity }] of facts.entries())
    if (!isIdentity)
      means.set(what, (means.get(what) ?? 0) + (weights[index] as number) * (shares[index] as number));
  return weights.map((weight, index) => {
    const { what, isIdentity } = facts[index] as RegressionFact;
    return isIdentity ? weight : weight - (means.get(what) ?? 0);
  });
}

class Fit {
  isMoving = true;
  readonly #targets: Float64Array;
  readonly #weights: Float64Array;
  readonly #logOdds: Float64Array;
  readonly #probabilities: Float64Array;

  constructor(rows: readonly RegressionRow[]) {
    this.#targets = Float64Array.from(rows, ({ isBad }) => (isBad ? 1 : 0));
    this.#weights = Float64Array.from(rows, ({ weight }) => weight);
    this.#logOdds = new Float64Array(rows.length);
    this.#probabilities = new Float64Array(rows.length).fill(0.5);
  }

  /** One Newton step of a weight; `from` is its distance from the prior. */
  step(column: Column, from: number, penalty: number): number {
    const { rows, values } = column;
    let [gradient, hessian] = [penalty * from, penalty];
    for (let at = 0; at < rows.length; at += 1) {
      const row = rows[at] as number;
      const value = values[at] as number;
      const probability = this.#probabilities[row] as number;
      const counts = (this.#weights[row] as number) * value;
      gradient += counts * (probability - (this.#targets[row] as number));
      hessian += counts * value * probability * (1 - probability);
    }
    const step = Math.max(-stepMax, Math.min(stepMax, -gradient / hessian));
    if (Math.abs(step) > stepMin) this.isMoving = true;
    this.move(column, step);
    return step;
  }

  move({ rows, values }: Column, step: number): void {
    for (let at = 0; at < rows.length; at += 1) {
      const row = rows[at] as number;
      const logOdds = (this.#logOdds[row] as number) + step * (values[at] as number);
      this.#logOdds[row] = logOdds;
      this.#probabilities[row] = 1 / (1 + Math.exp(-logOdds));
    }
  }
}
