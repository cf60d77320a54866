/**
 * Logistic regression over facts, one weight after another (coordinate descent). Weights are drawn towards what they are without any
 * record: nothing for facts, and 1 for what the name says. Who somebody is is drawn harder than what they are like, so whatever few
 * records have hardly leaves its place. What they are like is weighed against the others of which the same was asked: that a thing is
 * known of a domain adds nothing by itself, only what it is.
 */

export interface RegressionRow {
  readonly nameLogOdds: number;
  /** Places of its facts. */
  readonly facts: readonly number[];
  readonly isBad: boolean;
  readonly weight: number;
}

/** A fact as far as it matters here; of one `what` that is no identity a row has one fact. */
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
/** A round in which no weight moves further is the last. */
const stepMin = 0.002;
const formPull = 3;
const identityPull = 6;
/** As shares of all rows: a record that says little is judged by its name, and so is everything where there are few records. */
const basePullShare = 0.1;
const namePullShare = 1;
const leastPull = 20;

/** Rows count as much as their weights say. */
export function fitRegression(rows: readonly RegressionRow[], facts: readonly RegressionFact[]): Regression {
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
    base += fit.step(all, base, leastPull + basePullShare * mass);
    nameWeight += fit.step(names, nameWeight - 1, leastPull + namePullShare * mass);
    for (const [place, { isIdentity }] of facts.entries()) {
      const weight = weights[place] as number;
      weights[place] =
        weight + fit.step(columns[place] as Column, weight, isIdentity ? identityPull : formPull);
    }
  }
  return { base, nameWeight, factWeights: againstOthers(weights, rows, facts) };
}

export function logOddsOf({ base, nameWeight, factWeights }: Regression, row: RegressionRow): number {
  let sum = base + nameWeight * row.nameLogOdds;
  for (const place of row.facts) sum += factWeights[place] as number;
  return sum;
}

/** What a weight is multiplied with, in the rows where that is something. */
interface Column {
  readonly rows: Int32Array;
  readonly values: Float64Array;
}

function columnsOf(rows: readonly RegressionRow[], facts: readonly RegressionFact[]): readonly Column[] {
  const shares = sharesOf(rows, facts);
  const asked = new Map<string, number[]>();
  const holders = facts.map((): number[] => []);
  for (const [row, { facts: places }] of rows.entries())
    for (const place of places) {
      const { what, isIdentity } = facts[place] as RegressionFact;
      holders[place]?.push(row);
      if (isIdentity) continue;
      const known = asked.get(what);
      if (known) known.push(row);
      else asked.set(what, [row]);
    }
  return facts.map(({ what, isIdentity }, place) => {
    const held = holders[place] as number[];
    if (isIdentity) return { rows: Int32Array.from(held), values: new Float64Array(held.length).fill(1) };
    const share = shares[place] as number;
    const has = new Set(held);
    const all = asked.get(what) ?? [];
    return {
      rows: Int32Array.from(all),
      values: Float64Array.from(all, (row) => (has.has(row) ? 1 : 0) - share),
    };
  });
}

/** Of all rows of which the same was asked, how many have the fact. */
function sharesOf(rows: readonly RegressionRow[], facts: readonly RegressionFact[]): Float64Array {
  const masses = new Float64Array(facts.length);
  const asked = new Map<string, number>();
  for (const { facts: places, weight } of rows)
    for (const place of places) {
      const { what } = facts[place] as RegressionFact;
      masses[place] = (masses[place] as number) + weight;
      asked.set(what, (asked.get(what) ?? 0) + weight);
    }
  return masses.map((mass, place) => mass / ((asked.get((facts[place] as RegressionFact).what) ?? 0) || 1));
}

function againstOthers(
  weights: Float64Array,
  rows: readonly RegressionRow[],
  facts: readonly RegressionFact[],
): Float64Array {
  const shares = sharesOf(rows, facts);
  const means = new Map<string, number>();
  for (const [place, { what, isIdentity }] of facts.entries())
    if (!isIdentity)
      means.set(what, (means.get(what) ?? 0) + (weights[place] as number) * (shares[place] as number));
  return weights.map((weight, place) => {
    const { what, isIdentity } = facts[place] as RegressionFact;
    return isIdentity ? weight : weight - (means.get(what) ?? 0);
  });
}

class Fit {
  isMoving = true;
  readonly #truths: Float64Array;
  readonly #weights: Float64Array;
  readonly #logOdds: Float64Array;
  readonly #chances: Float64Array;

  constructor(rows: readonly RegressionRow[]) {
    this.#truths = Float64Array.from(rows, ({ isBad }) => (isBad ? 1 : 0));
    this.#weights = Float64Array.from(rows, ({ weight }) => weight);
    this.#logOdds = new Float64Array(rows.length);
    this.#chances = new Float64Array(rows.length).fill(0.5);
  }

  /** One step of a weight towards its best; `from` is how far it is from where it is drawn to. */
  step(column: Column, from: number, pull: number): number {
    const { rows, values } = column;
    let [slope, curve] = [pull * from, pull];
    for (let at = 0; at < rows.length; at += 1) {
      const row = rows[at] as number;
      const value = values[at] as number;
      const chance = this.#chances[row] as number;
      const counts = (this.#weights[row] as number) * value;
      slope += counts * (chance - (this.#truths[row] as number));
      curve += counts * value * chance * (1 - chance);
    }
    const step = Math.max(-stepMax, Math.min(stepMax, -slope / curve));
    if (Math.abs(step) > stepMin) this.isMoving = true;
    this.move(column, step);
    return step;
  }

  move({ rows, values }: Column, step: number): void {
    for (let at = 0; at < rows.length; at += 1) {
      const row = rows[at] as number;
      const logOdds = (this.#logOdds[row] as number) + step * (values[at] as number);
      this.#logOdds[row] = logOdds;
      this.#chances[row] = 1 / (1 + Math.exp(-logOdds));
    }
  }
}
