/**
 * Quality of the record model of the package, on simulated worlds and on the half of the real records that it was not trained on.
 * `tools/training-data/registered-records.ts` describes the few real records of ordinary domains.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { assessDomain } from '../../../src/model/risk/assess-domain.ts';
import { NameScorer } from '../../../src/model/risk/name/name-scorer.ts';
import type { RecordModel } from '../../../src/model/risk/record/record-model.ts';
import { encodeRecordModel } from '../../../src/model/risk/record/record-model-file.ts';
import { RiskScorer } from '../../../src/model/risk/risk-scorer.ts';
import { readModel } from '../../../src/product/risk/read-model.ts';
import { RecordEvaluator } from '../../../tools/risk-model/evaluate-records.ts';
import type { ScoreBand } from '../../../tools/risk-model/evaluation-metrics.ts';
import type { LabelledRecord } from '../../../tools/risk-model/record-rows.ts';
import { fullFeed } from '../../../tools/training-data/evaluation-records.ts';
import {
  badRecords,
  isTrainedOn,
  newlyRegistered,
  sharedData,
  whoisRecords,
} from '../../../tools/training-data/registered-records.ts';
import { storyRecords } from '../../model/risk/story-records.ts';

const skip = existsSync(sharedData) ? false : 'skipped: no shared data';
const whole = readModel();
const names = new NameScorer(whole);
const model = whole.records as RecordModel;

function measured(t: TestContext, what: string, records: readonly LabelledRecord[], isMatched = false) {
  const measure = new RecordEvaluator(model, names);
  for (const one of records) measure.add(one);
  const found = measure.find('phishing', { isMatched });
  assert.ok(found);
  const { auc, foundAt, bad, good } = found.quality;
  t.diagnostic(`${what}: ${bad} bad, ${good} good, AUC ${auc.toFixed(4)}, found ${JSON.stringify(foundAt)}`);
  t.diagnostic(`by the name alone: AUC ${found.nameAlone.auc.toFixed(4)}`);
  for (const { evidence, quality } of found.without)
    t.diagnostic(`without ${evidence}: AUC ${quality.auc.toFixed(4)}`);
  t.diagnostic(
    found.bands.map(({ from, balancedShare }) => `${from}: ${(100 * balancedShare).toFixed(0)} %`).join(', '),
  );
  return found;
}

test('the record model is at most 300 kB and describes its training data', () => {
  assert.ok(encodeRecordModel(model).length <= 300_000);
  assert.ok(model.summary.trainedOn.phishing > 1000 && model.summary.trainedOn.good > 1000);
  assert.ok((model.summary.quality.phishing?.auc ?? 0) > 0.85);
  assert.ok(
    model.facts.every((fact) => !/brax|velt|nimbo|keyhaven|emberash/.test(fact)),
    'nobody of a world is in it',
  );
});

test('records of crews in a world are separated from ordinary ones, and scores are calibrated', async (t) => {
  const { quality, bands } = measured(t, 'world', await storyRecords(77, 1000));
  assert.ok(quality.auc >= 0.98, `AUC ${quality.auc}`);
  const from70 = bands.slice(7);
  const [bad, good] = [countOf(from70, 'bad'), countOf(from70, 'good')];
  assert.ok(bad >= 100 && good <= bad / 50, `${bad} bad and ${good} ordinary ones score 70 or more`);
});

function countOf(bands: readonly ScoreBand[], side: 'bad' | 'good'): number {
  return bands.reduce((sum, band) => sum + band[side], 0);
}

test('ordinary domains of every top-level domain of the world score under 40, but for one name that resembles generated ones', async (t) => {
  const scorer = new RiskScorer(whole, { popularRankMax: 0 });
  const scores = (await storyRecords(77, 1000))
    .filter(({ labels }) => labels === 'good')
    .map(({ record, nowMs }) => {
      const facts = { domain: record.domain, record, verdicts: [], links: [], seenMs: 0, nowMs };
      const { risk } = assessDomain({ ...facts, status: 'full' }, scorer);
      return {
        domain: record.domain,
        tld: record.domain.split('.').at(-1) ?? '',
        score: risk.risk_score,
      };
    });
  for (const [tld, own] of Map.groupBy(scores, (one) => one.tld)) {
    const [suspected, bad] = [40, 70].map((least) => own.filter(({ score }) => score >= least).length);
    const highest = Math.max(...own.map(({ score }) => score));
    t.diagnostic(`${tld}: ${own.length}, highest ${highest}, 40 and more ${suspected}, 70 and more ${bad}`);
  }
  const suspected = scores
    .filter(({ score }) => score >= 40)
    .map(({ domain, score }) => `${domain} ${score}`);
  assert.ok(scores.length > 1000 && suspected.length <= 1, suspected.join(', '));
  assert.ok(scores.every(({ score }) => score < 60));
});

test('real bad domains are separated from ordinary ones by name and registration', { skip }, (t) => {
  const isLeft = (one: LabelledRecord) => !isTrainedOn(one);
  const bad = badRecords()
    .filter(isLeft)
    .filter(({ record }) => record.create_date && record.registrar);
  const whois = whoisRecords().filter(isLeft).map(withoutTerm);
  const fresh = newlyRegistered().filter(isLeft);
  const all = measured(t, 'bad ones against all ordinary ones', [...bad, ...whois, ...fresh]);
  assert.ok(all.quality.auc >= Math.max(0.85, all.nameAlone.auc + 0.01), `AUC ${all.quality.auc}`);
  const ordinary = countOf(all.bands.slice(7), 'good') / all.quality.good;
  assert.ok(ordinary <= 0.01, `${ordinary} of the ordinary ones score 70 or more`);
  const aged = measured(t, 'by name and age alone', [
    ...bad.map(nameAndAge),
    ...whois.map(nameAndAge),
    ...fresh,
  ]);
  assert.ok(aged.quality.auc >= aged.nameAlone.auc, `AUC ${aged.quality.auc}`);
  measured(t, 'against well-kept old ones', [...bad, ...whois]);
  measured(t, 'the same without age', [...bad, ...whois].map(withoutAge));
});

test('against ordinary domains of the same suffix and age, age alone separates nothing', { skip }, (t) => {
  const bad = badRecords().filter((one) => !isTrainedOn(one));
  const ordinary = [...whoisRecords(), ...newlyRegistered(), ...fullFeed()];
  const byAge = measured(t, 'matched, by name and age', [...bad, ...ordinary].map(nameAndAge), true);
  const nameless = byAge.without.find(({ evidence }) => evidence === 'domain name');
  assert.ok(Math.abs((nameless?.quality.auc ?? 0) - 0.5) < 0.01);
  assert.ok(byAge.quality.auc >= 0.65, `AUC ${byAge.quality.auc}`);
  measured(t, 'matched, with all that is known of both', [...bad, ...whoisRecords()], true);
});

function withoutTerm(labelled: LabelledRecord): LabelledRecord {
  const { expiration_date: _, ...record } = labelled.record;
  return { ...labelled, record };
}

function withoutAge(labelled: LabelledRecord): LabelledRecord {
  const { create_date: _, ...record } = labelled.record;
  return { ...labelled, record };
}

function nameAndAge(labelled: LabelledRecord): LabelledRecord {
  const { domain, create_date } = labelled.record;
  return { ...labelled, record: { domain, ...(create_date === undefined ? {} : { create_date }) } };
}
