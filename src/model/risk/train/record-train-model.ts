/** From labelled records to a model of records: weights of facts beside what names say, and the curve to scores. */
import { qualityOf } from '../measure.ts';
import { findNameParts } from '../name-parts.ts';
import type { NameScorer } from '../name-scorer.ts';
import type { RecordModel, RecordSummary, ThreatWeights } from '../record-model.ts';
import type { Quality } from '../risk-model.ts';
import { type Random, seededRandom, shuffledOrder } from '../seeded-random.ts';
import { type ByThreat, byThreat, type Threat, threats } from '../threat.ts';
import { fitLogistic, type WeighedJudgement } from './record-curve.ts';
import { knownFacts } from './record-known-facts.ts';
import { fitRegression, logOddsOf, type RegressionRow } from './record-regression.ts';
import { type RecordRow, speaksOf } from './record-rows.ts';

export interface RecordTrainOptions {
  readonly seed: number;
  readonly names: NameScorer;
}

/** Each part is judged by what the others taught. */
const partCount = 5;
/** Of fewer, on either side, no figure means anything. */
const sideRecordsMin = 20;
/** Fewer bad ones teach too little of what is theirs alone. */
const ownRecordsMin = 1000;
/** Weights are kept in thousandths. */
const stepsPerOne = 1000;

export function trainRecordModel(
  rows: readonly RecordRow[],
  { seed, names }: RecordTrainOptions,
): RecordModel {
  const said = namesOf(rows, names);
  const partOf = partsOf(rows, seededRandom(seed));
  const learnt = byThreat((threat) => learn(rows, threat, { partOf, said }));
  const facts = [...new Set(threats.flatMap((threat) => [...learnt[threat].weights.keys()]))].sort();
  const quality: Partial<Record<Threat, Quality>> = {};
  for (const threat of threats) {
    const measured = measure(learnt[threat].judged.filter(({ isOfThreat }) => isOfThreat));
    if (measured) quality[threat] = measured;
  }
  return {
    summary: { seed, ...summaryOf(rows), quality },
    facts,
    threats: byThreat((threat): ThreatWeights => {
      const { base, nameWeight, weights, judged } = learnt[threat];
      return {
        base: rounded(base),
        nameWeight: rounded(nameWeight),
        factWeights: Float32Array.from(facts, (fact) => rounded(weights.get(fact) ?? 0)),
        curve: fitLogistic(judged),
      };
    }),
  };
}

interface Learnt {
  readonly base: number;
  readonly nameWeight: number;
  readonly weights: ReadonlyMap<string, number>;
  readonly judged: readonly Judged[];
}

interface Judged extends WeighedJudgement {
  /** Or ordinary; others are bad in another way. */
  readonly isOfThreat: boolean;
}

interface OfDomains {
  readonly partOf: ReadonlyMap<string, number>;
  /** What names say. */
  readonly said: ReadonlyMap<string, ByThreat<number>>;
}

/**
 * Bad domains of all kinds are registered, hosted and kept alike: where few records have a threat, all that are bad teach what speaks for
 * it, and only what its names are like is its own.
 */
function teachersOf(all: readonly RecordRow[], threat: Threat): readonly RecordRow[] {
  const own = all.filter(({ labels }) => speaksOf(labels, threat));
  return own.filter(({ labels }) => labels !== 'good').length < ownRecordsMin ? all : own;
}

function learn(all: readonly RecordRow[], threat: Threat, { partOf, said }: OfDomains): Learnt {
  const used = teachersOf(all, threat);
  const known = knownFacts(used);
  const places = new Map(known.map((fact, place) => [fact, place]));
  const rows = balanced(
    used.map((row) => ({
      nameLogOdds: said.get(row.domain)?.[threat] ?? 0,
      facts: row.facts.flatMap((fact) => places.get(fact) ?? []),
      isBad: row.labels !== 'good',
      weight: row.weight,
      isOfThreat: speaksOf(row.labels, threat),
    })),
  );
  const ofPart = used.map(({ domain }) => partOf.get(domain));
  const judged = Array.from({ length: partCount }, (_, part) => {
    const others = fitRegression(
      rows.filter((__, at) => ofPart[at] !== part),
      known,
    );
    return rows
      .filter((__, at) => ofPart[at] === part)
      .map((row) => ({ ...row, logOdds: logOddsOf(others, row) }));
  }).flat();
  const { base, nameWeight, factWeights } = fitRegression(rows, known);
  const weights = known.map(({ fact }, place) => [fact, factWeights[place] as number] as const);
  return {
    base,
    nameWeight,
    weights: new Map(weights.filter(([, weight]) => rounded(weight) !== 0)),
    judged,
  };
}

/** Of what nobody can register a name says nothing. */
function namesOf(rows: readonly RecordRow[], names: NameScorer): OfDomains['said'] {
  const said = new Map<string, ByThreat<number>>();
  for (const { domain } of rows) {
    const parts = said.has(domain) ? undefined : findNameParts(domain);
    if (parts) said.set(domain, names.logOddsOf(parts));
  }
  return said;
}

/** Good and bad records weigh the same in all, as much as the side of which there is less. */
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

/** What is said of one domain at several times stays in one part. */
function partsOf(rows: readonly RecordRow[], random: Random): ReadonlyMap<string, number> {
  const domains = [...new Set(rows.map(({ domain }) => domain))].sort();
  const order = shuffledOrder(domains.length, random);
  return new Map(domains.map((domain, at) => [domain, (order[at] as number) % partCount]));
}

function measure(judged: readonly WeighedJudgement[]): Quality | undefined {
  const side = (isBad: boolean) =>
    Float64Array.from(
      judged.filter((one) => one.isBad === isBad),
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
