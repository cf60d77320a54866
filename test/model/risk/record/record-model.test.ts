/** Training, file format and scores of record models, on labelled domains of simulated worlds. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { Problem } from '../../../../src/model/problem.ts';
import type { DomainRecord } from '../../../../src/model/record/domain-record.ts';
import { decodeModel, encodeModel } from '../../../../src/model/risk/name/name-model-file.ts';
import { NameScorer } from '../../../../src/model/risk/name/name-scorer.ts';
import { decodeRecordModel, encodeRecordModel } from '../../../../src/model/risk/record/record-model-file.ts';
import { RecordScorer } from '../../../../src/model/risk/record/record-scorer.ts';
import { byThreat, threats } from '../../../../src/model/risk/threat.ts';
import { RecordEvaluator } from '../../../../tools/risk-model/evaluate-records.ts';
import { type LabelledRecord, RecordRows } from '../../../../tools/risk-model/record-rows.ts';
import { trainRecordModel } from '../../../../tools/risk-model/train-record-model.ts';
import { update } from '../../../harness/arbitraries/record-arbitraries.ts';
import { smallModel } from '../../../tools/risk-model/labelled-names.ts';
import { storyRecords } from '../story-records.ts';

const small = smallModel();
const names = new NameScorer(small);
const labelled = await storyRecords(3, 400);
const model = trained(labelled);
const scorer = new RecordScorer(model);
const file = encodeRecordModel(model);
const nowMs = Date.parse('2026-03-10T12:00:00Z');
const noName = byThreat(() => 0);

function trained(records: readonly LabelledRecord[], seed = 1) {
  const rows = new RecordRows();
  for (const one of records) rows.add(one);
  return trainRecordModel(rows.all, { seed, names });
}

test('the same records and the same seed give the same bytes', () => {
  assert.deepEqual(encodeRecordModel(trained(labelled)), file);
});

test('a model separates records of another world, better than names alone', async () => {
  const measure = new RecordEvaluator(model, names);
  for (const one of await storyRecords(4, 400)) measure.add(one);
  const found = measure.find('phishing');
  assert.ok(found && found.quality.auc > 0.97 && found.quality.auc > found.nameAlone.auc);
  assert.ok((found.bands[9]?.balancedShare ?? 0) >= 0.9);
  assert.equal(measure.find('spam'), undefined);
});

test('a model survives a round trip through its file, within 300 kB, alone and inside a name model file', () => {
  assert.deepEqual(decodeRecordModel(file), model);
  assert.ok(file.length < 300_000);
  assert.deepEqual(decodeModel(encodeModel({ ...small, records: model })).records, model);
  assert.equal(decodeModel(encodeModel(small)).records, undefined);
});

test('damaged bytes are rejected, or give a model with valid scores', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(file.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 }),
      fc.nat(file.length),
      (changes, length) => {
        const bytes = Uint8Array.from(file).subarray(0, length % 3 === 0 ? length : file.length);
        for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
        try {
          const score = new RecordScorer(decodeRecordModel(bytes)).scoresOf(noName, { domain: 'a.com' }, 0);
          assert.ok(score.phishing >= 1 && score.phishing <= 99);
        } catch (error) {
          assert.ok(error instanceof Problem, String(error));
        }
      },
    ),
    { numRuns: 200 },
  );
});

function holds(record: DomainRecord, atMs: number, logOdds = noName): void {
  const scores = scorer.scoresOf(logOdds, record, atMs);
  for (const threat of threats) {
    assert.ok(Number.isInteger(scores[threat]) && scores[threat] >= 1 && scores[threat] <= 99);
    const parts = scorer.explain(logOdds, record, atMs, threat);
    assert.equal(
      parts.reduce((sum, { points }) => sum + points, 0),
      scores[threat],
    );
    assert.equal(parts[0]?.evidence, undefined);
  }
}

test('RISK-01 for any record scores are whole numbers from 1 to 99, and the points of the reasons sum to them', () => {
  const logOdds = fc.double({ min: -50, max: 50, noNaN: true });
  const texts = fc.record({
    website_title: fc.string({ unit: 'binary', maxLength: 300 }),
    registrar: fc.string({ unit: 'binary' }),
    server_type: fc.string({ unit: 'binary' }),
    create_date: fc.oneof(fc.string(), fc.constant('2026-03-01')),
    expiration_date: fc.oneof(fc.string(), fc.constant('2027-03-01')),
  });
  fc.assert(
    fc.property(update, texts, logOdds, ({ record, seenMs }, members, name) => {
      holds(
        { ...record, ...members },
        seenMs,
        byThreat(() => name),
      );
    }),
    { numRuns: 80 },
  );
  holds({ domain: 'a.example', website_title: 'log in \u0000'.repeat(500_000) }, nowMs);
});

test('a sparse record scores about as its name does at a base rate of one bad domain in six', () => {
  for (const logOdds of [-3, -1, 0, 1, 3]) {
    const said = byThreat(() => logOdds);
    const { phishing } = scorer.scoresOf(said, { domain: 'a.example' }, nowMs);
    const byName = 100 / (1 + 5 * Math.exp(-logOdds));
    assert.ok(Math.abs(phishing - byName) < 20, `${phishing} for a name of ${byName}`);
  }
});

test('reasons use the contract’s words, with the base value first', () => {
  const bad = labelled.find(
    ({ record, labels }) => labels !== 'good' && record.ssl_info && record.website_title,
  );
  assert.ok(bad);
  const reasons = scorer.explain(
    byThreat(() => 2),
    bad.record,
    bad.nowMs,
    'phishing',
  );
  assert.equal(reasons[0]?.reason, 'any domain');
  const words = new Set(reasons.slice(1).map(({ evidence }) => evidence));
  assert.ok(words.has('domain name') && words.has('registrar') && words.has('certificate'));
});

test('identifying facts are not learnt from a simulated world, and rare facts get no weight', () => {
  assert.ok(model.facts.every((fact) => !/^(?:registrar |name server operator |asn )/.test(fact)));
  const real = trained(labelled.map((one) => ({ ...one, hasIdentities: true })));
  assert.ok(real.facts.some((fact) => fact.startsWith('registrar ')));
});

test('an attribute that is known only for bad records gets no weight', () => {
  const oneSided = labelled.map(({ record, ...others }): LabelledRecord => {
    const { server_type: _, ...rest } = record;
    const isBad = others.labels !== 'good';
    return { ...others, record: isBad ? { ...rest, server_type: 'nginx' } : rest, hasIdentities: true };
  });
  assert.ok(trained(oneSided).facts.every((fact) => !fact.startsWith('web server')));
});

test('without training records only the name counts', () => {
  const { threats: learnt, facts } = trained([]);
  assert.deepEqual([facts.length, learnt.spam.nameWeight, learnt.spam.base], [0, 1, 0]);
});
