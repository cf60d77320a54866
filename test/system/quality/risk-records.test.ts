/**
 * Quality of the record model of the package, on simulated worlds and on the half of the real records that it was not trained on.
 * `tools/training-data/registered-records.ts` describes the few real records of ordinary domains.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { NameScorer } from '../../../src/model/risk/name/name-scorer.ts';
import type { RecordModel } from '../../../src/model/risk/record/record-model.ts';
import { encodeRecordModel } from '../../../src/model/risk/record/record-model-file.ts';
import { readModel } from '../../../src/product/risk/read-model.ts';
import { RecordEvaluator } from '../../../tools/risk-model/evaluate-records.ts';
import type { LabelledRecord } from '../../../tools/risk-model/record-rows.ts';
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
const names = new NameScorer(whole, { capsSuffixes: true });
const model = whole.records as RecordModel;

function measured(t: TestContext, what: string, records: readonly LabelledRecord[]) {
  const measure = new RecordEvaluator(model, names);
  for (const one of records) measure.add(one);
  const found = measure.find('phishing');
  assert.ok(found);
  const { auc, foundAt, bad, good } = found.quality;
  t.diagnostic(`${what}: ${bad} bad, ${good} good, AUC ${auc.toFixed(4)}, found ${JSON.stringify(foundAt)}`);
  t.diagnostic(`by the name alone: AUC ${found.nameAlone.auc.toFixed(4)}`);
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
  assert.ok(quality.auc >= 0.99, `AUC ${quality.auc}`);
  assert.ok((bands[9]?.balancedShare ?? 0) >= 0.9, 'nine in ten of those with 90 and more are bad');
});

test('real bad domains are separated from ordinary ones by name and registration', { skip }, (t) => {
  const isLeft = (one: LabelledRecord) => !isTrainedOn(one);
  const bad = badRecords()
    .filter(isLeft)
    .filter(({ record }) => record.create_date && record.registrar);
  const whois = whoisRecords().filter(isLeft).map(withoutTerm);
  const fresh = newlyRegistered().filter(isLeft);
  const all = measured(t, 'bad ones against all ordinary ones', [...bad, ...whois, ...fresh]);
  assert.ok(all.quality.auc >= 0.96, `AUC ${all.quality.auc}`);
  assert.ok((all.bands[9]?.balancedShare ?? 0) >= 0.9, 'nine in ten of those with 90 and more are bad');
  const aged = measured(t, 'by name and age alone', [
    ...bad.map(nameAndAge),
    ...whois.map(nameAndAge),
    ...fresh,
  ]);
  assert.ok(aged.quality.auc >= 0.92, `AUC ${aged.quality.auc}`);
  measured(t, 'against well-kept old ones', [...bad, ...whois]);
  measured(t, 'the same without age', [...bad, ...whois].map(withoutAge));
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
