/**
 * Trains the record model on labelled records: logistic regression over facts and the log-odds of the name. Only the weights of facts are
 * kept, because full scores start from the calibrated score of the name.
 */

import type { Quality } from '../../src/model/risk/name/name-model.ts';
import { findNameParts } from '../../src/model/risk/name/name-parts.ts';
import type { NameScorer } from '../../src/model/risk/name/name-scorer.ts';
import type { RecordModel, RecordSummary } from '../../src/model/risk/record/record-model.ts';
import { type ByThreat, byThreat, type Threat, threats } from '../../src/model/risk/threat.ts';
import { qualityOf } from './evaluation-metrics.ts';
import { fitLogisticRegression, logOddsOf, type RegressionRow } from './logistic-regression.ts';
import { isRelevantTo, type RecordRow } from './record-rows.ts';
import { type Random, seededRandom, shuffledOrder } from './seeded-random.ts';
import { selectFacts } from './select-facts.ts';

export interface RecordTrainOptions {
  readonly seed: number;
  readonly names: NameScorer;
}

/** K-fold cross-validation. */
const foldCount = 5;
/** With fewer bad or good records a quality figure is meaningless. */
const sideRecordsMin = 20;
/** With fewer bad records of a threat, records of all threats are used to train it. */
const ownRecordsMin = 1000;
/** Weights are stored in thousandths. */
const stepsPerOne = 1000;

export function trainRecordModel(
  rows: readonly RecordRow[],
  { seed, names }: RecordTrainOptions,
): RecordModel {
  const nameLogOdds = nameLogOddsOf(rows, names);
  const foldOf = foldsOf(rows, seededRandom(seed));
  const trained = byThreat((threat) => trainThreat(rows, threat, { foldOf, nameLogOdds }));
  const facts = [...new Set(threats.flatMap((threat) => [...trained[threat].weights.keys()]))].sort();
  const quality: Partial<Record<Threat, Quality>> = {};
  for (const threat of threats) {
    const measured = measure(trained[threat].scored.filter(({ isOfThreat }) => isOfThreat));
    if (measured) quality[threat] = measured;
  }
  return {
    summary: { seed, ...summaryOf(rows), quality },
    facts,
    weights: byThreat((threat) =>
      Float32Array.from(facts, (fact) => rounded(trained[threat].weights.get(fact) ?? 0)),
    ),
  };
}

interface TrainedThreat {
  readonly weights: ReadonlyMap<string, number>;
  readonly scored: readonly ScoredExample[];
}

interface ScoredExample {
  readonly logOdds: number;
  readonly isBad: boolean;
  /** Good, or bad for this threat; false for records with other threats only. */
  readonly isOfThreat: boolean;
}

interface DomainInputs {
  readonly foldOf: ReadonlyMap<string, number>;
  /** By domain. */
  readonly nameLogOdds: ReadonlyMap<string, ByThreat<number>>;
}

/**
 * Bad domains of all kinds are registered and hosted alike: a threat with few records is trained on all bad records, and differs only in
 * the log-odds of the name.
 */
function examplesFor(all: readonly RecordRow[], threat: Threat): readonly RecordRow[] {
  const own = all.filter(({ labels }) => isRelevantTo(labels, threat));
  return own.filter(({ labels }) => labels !== 'good').length < ownRecordsMin ? all : own;
}

function trainThreat(
  all: readonly RecordRow[],
  threat: Threat,
  { foldOf, nameLogOdds }: DomainInputs,
): TrainedThreat {
  const used = examplesFor(all, threat);
  const known = selectFacts(used);
  const indexes = new Map(known.map((fact, index) => [fact, index]));
  const rows = balanced(
    used.map((row) => ({
      nameLogOdds: nameLogOdds.get(row.domain)?.[threat] ?? 0,
      facts: row.facts.flatMap((fact) => indexes.get(fact) ?? []),
      isBad: row.labels !== 'good',
      weight: row.weight,
      isOfThreat: isRelevantTo(row.labels, threat),
    })),
  );
  const foldOfRow = used.map(({ domain }) => foldOf.get(domain));
  const scored = Array.from({ length: foldCount }, (_, fold) => {
    const others = fitLogisticRegression(
      rows.filter((__, at) => foldOfRow[at] !== fold),
      known,
    );
    return rows
      .filter((__, at) => foldOfRow[at] === fold)
      .map((row) => ({ ...row, logOdds: logOddsOf(others, row) }));
  }).flat();
  const { factWeights } = fitLogisticRegression(rows, known);
  const weights = known.map(({ fact }, index) => [fact, factWeights[index] as number] as const);
  return {
    weights: new Map(weights.filter(([, weight]) => rounded(weight) !== 0)),
    scored,
  };
}

/** No entry for a name that is not a registrable domain. */
function nameLogOddsOf(rows: readonly RecordRow[], names: NameScorer): DomainInputs['nameLogOdds'] {
  const nameLogOdds = new Map<string, ByThreat<number>>();
  for (const { domain } of rows) {
    const parts = nameLogOdds.has(domain) ? undefined : findNameParts(domain);
    if (parts) nameLogOdds.set(domain, names.logOddsOf(parts));
  }
  return nameLogOdds;
}

/** Scales the weights so that good and bad records have the same total, that of the smaller side. */
function balanced<Row extends RegressionRow>(rows: readonly Row[]): readonly Row[] {
  let [bad, good] = [0, 0];
  for (const { isBad, weight } of rows) {
    if (isBad) bad += weight;
    else good += weight;
  }
  const least = Math.min(bad, good);
  return rows.map((row) => ({
    ...row,
    weight: least === 0 ? 0 : (row.weight * least) / (row.isBad ? bad : good),
  }));
}

/** All records of one domain are in the same fold, so that no fold leaks into another. */
function foldsOf(rows: readonly RecordRow[], random: Random): ReadonlyMap<string, number> {
  const domains = [...new Set(rows.map(({ domain }) => domain))].sort();
  const order = shuffledOrder(domains.length, random);
  return new Map(domains.map((domain, at) => [domain, (order[at] as number) % foldCount]));
}

function measure(scored: readonly ScoredExample[]): Quality | undefined {
  const side = (isBad: boolean) =>
    Float64Array.from(
      scored.filter((one) => one.isBad === isBad),
      ({ logOdds }) => logOdds,
    );
  const [bad, good] = [side(true), side(false)];
  return Math.min(bad.length, good.length) < sideRecordsMin ? undefined : qualityOf(bad, good);
}

function summaryOf(rows: readonly RecordRow[]): Omit<RecordSummary, 'seed' | 'quality'> {
  const trainedOn = { good: 0, phishing: 0, malware: 0, spam: 0 };
  let [from, to] = [Number.POSITIVE_INFINITY, 0];
  for (const { labels, nowMs } of rows) {
    for (const label of labels === 'good' ? (['good'] as const) : labels) trainedOn[label] += 1;
    from = Math.min(from, nowMs);
    to = Math.max(to, nowMs);
  }
  const day = (ms: number) => new Date(Number.isFinite(ms) ? ms : 0).toISOString().slice(0, 10);
  return { trainedOn, datesFrom: day(from), datesTo: day(to) };
}

function rounded(weight: number): number {
  return Math.round(weight * stepsPerOne) / stepsPerOne;
}
