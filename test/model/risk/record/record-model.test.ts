/** Training, file format and scores of record models, on labelled domains of simulated worlds. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import * as fc from 'fast-check';
import { Problem } from '../../../../src/model/problem.ts';
import type { DomainRecord } from '../../../../src/model/record/domain-record.ts';
import { decodeModel, encodeModel } from '../../../../src/model/risk/name/name-model-file.ts';
import { NameScorer } from '../../../../src/model/risk/name/name-scorer.ts';
import { recordFacts } from '../../../../src/model/risk/record/record-facts.ts';
import { decodeRecordModel, encodeRecordModel } from '../../../../src/model/risk/record/record-model-file.ts';
import { RecordScorer } from '../../../../src/model/risk/record/record-scorer.ts';
import { byThreat, threats } from '../../../../src/model/risk/threat.ts';
import { RecordEvaluator } from '../../../../tools/risk-model/evaluate-records.ts';
import { type LabelledRecord, RecordRows } from '../../../../tools/risk-model/record-rows.ts';
import { trainRecordModel } from '../../../../tools/risk-model/train-record-model.ts';
import { anyCharacter } from '../../../harness/arbitraries/any-character.ts';
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
const noName = byThreat(() => 0.2);

function trained(records: readonly LabelledRecord[], seed = 1) {
  const rows = new RecordRows();
  for (const one of records) rows.add(one);
  return trainRecordModel(rows.all, { seed, names });
}

test('a file of the earlier version, with a curve for each threat, is read', () => {
  const { summary, facts, weights } = model;
  const kind = { base: 0.2, nameWeight: 0.9, knots: [{ logOdds: 0, share: 0.5 }] };
  const json = Buffer.from(JSON.stringify({ summary, facts, threats: byThreat(() => kind) }));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  const steps = threats.map((threat) =>
    Buffer.from(Int16Array.from(weights[threat], (weight) => Math.round(weight * 1000)).buffer),
  );
  const packed = brotliCompressSync(Buffer.concat([length, json, ...steps]));
  assert.deepEqual(decodeRecordModel(Buffer.concat([Buffer.from('NGRECS01'), packed])), model);
});

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
          const score = new RecordScorer(decodeRecordModel(bytes)).scoresOf(noName, []);
          assert.ok(score.phishing >= 1 && score.phishing <= 99);
        } catch (error) {
          assert.ok(error instanceof Problem, String(error));
        }
      },
    ),
    { numRuns: 200 },
  );
});

function holds(record: DomainRecord, atMs: number, shares = noName): void {
  const facts = recordFacts(record, atMs);
  const scores = scorer.scoresOf(shares, facts);
  const byName = scorer.scoresOf(shares, []);
  for (const threat of threats) {
    assert.ok(Number.isInteger(scores[threat]) && scores[threat] >= 1 && scores[threat] <= 99);
    const parts = scorer.explain(shares, facts, threat);
    assert.equal(
      parts.reduce((sum, { points }) => sum + points, 0),
      scores[threat] - byName[threat],
    );
  }
}

test('RISK-01 for any record scores are whole numbers from 1 to 99, and the points of the reasons sum to them', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const texts = fc.record({
    website_title: fc.string({ unit: anyCharacter, maxLength: 300 }),
    registrar: fc.string({ unit: anyCharacter }),
    server_type: fc.string({ unit: anyCharacter }),
    create_date: fc.oneof(fc.string(), fc.constant('2026-03-01')),
    expiration_date: fc.oneof(fc.string(), fc.constant('2027-03-01')),
  });
  fc.assert(
    fc.property(update, texts, share, ({ record, seenMs }, members, name) => {
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

test('a record without facts, or with facts that have no weight, scores as its name does', () => {
  const unknown = recordFacts({ domain: 'a.example', registrar: 'Nobody Knows It' }, nowMs);
  assert.equal(unknown.length, 1);
  for (let score = 1; score <= 99; score += 1)
    for (const facts of [[], unknown])
      assert.equal(
        scorer.scoresOf(
          byThreat(() => score / 100 + 1e-6),
          facts,
        ).phishing,
        score,
      );
});

test('reasons use the contract’s words for evidence', () => {
  const bad = labelled.find(
    ({ record, labels }) => labels !== 'good' && record.ssl_info && record.website_title,
  );
  assert.ok(bad);
  const reasons = scorer.explain(
    byThreat(() => 0.5),
    recordFacts(bad.record, bad.nowMs),
    'phishing',
  );
  const words = new Set(reasons.map(({ evidence }) => evidence));
  assert.ok(words.has('registrar') && words.has('certificate'), [...words].join());
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
  const { weights, facts } = trained([]);
  assert.deepEqual([facts.length, weights.spam.length], [0, 0]);
});
