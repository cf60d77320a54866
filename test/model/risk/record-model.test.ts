/** Training, the file and the scores of records, on domains of worlds that nobody need be asked about. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { Problem } from '../../../src/model/problem.ts';
import type { DomainRecord } from '../../../src/model/record/domain-record.ts';
import { decodeModel, encodeModel } from '../../../src/model/risk/model-file.ts';
import { NameScorer } from '../../../src/model/risk/name-scorer.ts';
import { decodeRecordModel, encodeRecordModel } from '../../../src/model/risk/record-model-file.ts';
import { RecordScorer } from '../../../src/model/risk/record-scorer.ts';
import { byThreat, threats } from '../../../src/model/risk/threat.ts';
import { RecordMeasure } from '../../../src/model/risk/train/record-measure.ts';
import { type LabelledRecord, RecordRows } from '../../../src/model/risk/train/record-rows.ts';
import { trainRecordModel } from '../../../src/model/risk/train/record-train-model.ts';
import { update } from '../../harness/record-arbitraries.ts';
import { smallModel } from './labelled-names.ts';
import { storyRecords } from './story-records.ts';

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

test('a model tells records of another world apart, better than names do', async () => {
  const measure = new RecordMeasure(model, names);
  for (const one of await storyRecords(4, 400)) measure.add(one);
  const found = measure.find('phishing');
  assert.ok(found && found.quality.auc > 0.97 && found.quality.auc > found.nameAlone.auc);
  assert.ok((found.bands[9]?.balancedShare ?? 0) >= 0.9);
  assert.equal(measure.find('spam'), undefined);
});

test('a file holds a model to the letter, within 300 kB, alone and in the file of a model of names', () => {
  assert.deepEqual(decodeRecordModel(file), model);
  assert.ok(file.length < 300_000);
  assert.deepEqual(decodeModel(encodeModel({ ...small, records: model })).records, model);
  assert.equal(decodeModel(encodeModel(small)).records, undefined);
});

test('damaged bytes are a problem, or a model that scores as any other', () => {
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

test('RISK-01 whatever a record says, scores are whole numbers from 1 to 99 and the points of the reasons sum to them', () => {
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

test('a record of which little is known has about the score that its name gives it, where one domain in six is bad', () => {
  for (const logOdds of [-3, -1, 0, 1, 3]) {
    const said = byThreat(() => logOdds);
    const { phishing } = scorer.scoresOf(said, { domain: 'a.example' }, nowMs);
    const byName = 100 / (1 + 5 * Math.exp(-logOdds));
    assert.ok(Math.abs(phishing - byName) < 20, `${phishing} for a name of ${byName}`);
  }
});

test('reasons are told in the contract’s words, what every domain has first', () => {
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

test('who somebody is is not learnt from a world that is made up, and what few have says nothing', () => {
  assert.ok(model.facts.every((fact) => !/^(?:registrar |name server operator |asn )/.test(fact)));
  const real = trained(labelled.map((one) => ({ ...one, hasIdentities: true })));
  assert.ok(real.facts.some((fact) => fact.startsWith('registrar ')));
});

test('that somebody asked is no proof: what is known of bad records alone says nothing', () => {
  const oneSided = labelled.map(({ record, ...others }): LabelledRecord => {
    const { server_type: _, ...rest } = record;
    const isBad = others.labels !== 'good';
    return { ...others, record: isBad ? { ...rest, server_type: 'nginx' } : rest, hasIdentities: true };
  });
  assert.ok(trained(oneSided).facts.every((fact) => !fact.startsWith('web server')));
});

test('with nothing to learn from, the name is all that counts', () => {
  const { threats: learnt, facts } = trained([]);
  assert.deepEqual([facts.length, learnt.spam.nameWeight, learnt.spam.base], [0, 1, 0]);
});
