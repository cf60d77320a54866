/** Training, file format and scores of name models, on synthetic names. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { Problem } from '../../../src/model/problem.ts';
import { explainName } from '../../../src/model/risk/name/explain-name.ts';
import { decodeModel, encodeModel } from '../../../src/model/risk/name/name-model-file.ts';
import { findNameParts, type NameParts } from '../../../src/model/risk/name/name-parts.ts';
import { NameScorer } from '../../../src/model/risk/name/name-scorer.ts';
import { trustedLogOdds } from '../../../src/model/risk/name/suffix-trust.ts';
import { threats } from '../../../src/model/risk/threat.ts';
import { evaluateNames } from '../../../tools/risk-model/evaluate-names.ts';
import { isHeldOut } from '../../../tools/risk-model/held-out.ts';
import { trainNameModel } from '../../../tools/risk-model/train-name-model.ts';
import { TrainingSet } from '../../../tools/risk-model/training-set.ts';
import { labelledNames, smallModel, smallOptions, smallSet } from './labelled-names.ts';

const model = smallModel();
const scorer = new NameScorer(model);
const file = encodeModel(model);

function partsOf(name: string): NameParts {
  const parts = findNameParts(name);
  assert.ok(parts);
  return parts;
}

test('each threat is separated from ordinary names that were not trained on', () => {
  const { heldOut } = smallSet();
  for (const threat of threats) {
    const measured = evaluateNames(model, threat, heldOut[threat], heldOut.good);
    assert.ok((measured?.quality.auc ?? 0) > 0.9, `${threat} ${measured?.quality.auc}`);
  }
});

test('RISK-01 scores are whole numbers, and never 0 or 100 for a name alone', () => {
  const domain = fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,60}[a-z0-9]\.(?:com|top|co\.uk)$/);
  fc.assert(
    fc.property(domain, (name) => {
      for (const score of Object.values(scorer.findScores(name) ?? {}))
        assert.ok(Number.isInteger(score) && score >= 1 && score <= 99, `${name} ${score}`);
    }),
  );
});

test('contributions sum to the score in points, and to the log-odds', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...labelledNames(500, 3)),
      fc.constantFrom(...threats),
      ({ name }, threat) => {
        const parts = partsOf(name);
        const { score, contributions } = explainName(scorer, parts, threat);
        assert.equal(score, scorer.scoresOf(parts)[threat]);
        assert.equal(
          contributions.reduce((sum, { points }) => sum + points, 0),
          score,
        );
        const logOdds = contributions.reduce((sum, part) => sum + part.logOdds, 0);
        assert.ok(Math.abs(logOdds - scorer.logOddsOf(parts)[threat]) < 1e-6);
      },
    ),
  );
});

test('scoring one threat gives the same score as scoring all', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...labelledNames(500, 5)),
      fc.constantFrom(...threats),
      ({ name }, threat) => {
        const parts = partsOf(name);
        assert.equal(scorer.scoreFor(parts, threat), scorer.scoresOf(parts)[threat]);
      },
    ),
  );
});

test('the weight of a country suffix counts fully, that of a generic suffix by half and up to a cap', () => {
  const trust = { country: 1, generic: 0.5, genericMax: 0.6 };
  const trusted = (suffix: string, said: number) => trustedLogOdds(trust, suffix, said);
  assert.deepEqual([trusted('se', 3), trusted('co.uk', 3), trusted('se', -3)], [3, 3, -3]);
  assert.deepEqual([trusted('com', 1), trusted('top', 3), trusted('com', -3)], [0.5, 0.6, -1.5]);
});

test('the words that contribute to a threat are listed', () => {
  const { contributions } = explainName(scorer, partsOf('acmebank-login77.com'), 'phishing');
  const texts = contributions.find(({ reason }) => reason === 'words')?.texts ?? [];
  assert.match(texts.join(' '), /acme|bank|login/);
});

test('the same names and the same seed give the same bytes, another seed gives others', () => {
  assert.ok(encodeModel(smallModel()).equals(file));
  const other = encodeModel(trainNameModel(smallSet(), { ...smallOptions, seed: 2 }));
  assert.equal(other.equals(file), false);
});

test('a model survives a round trip through its file', () => {
  const again = decodeModel(file);
  assert.deepEqual(again, model);
});

test('damaged files are rejected', () => {
  const damages = fc.array(fc.tuple(fc.nat(file.length - 1), fc.integer({ min: 1, max: 255 })), {
    minLength: 1,
    maxLength: 4,
  });
  const refused = (bytes: Uint8Array) => {
    try {
      const read = new NameScorer(decodeModel(bytes));
      read.findScores('acmebank-login.com');
    } catch (error) {
      assert.ok(error instanceof Problem, String(error));
    }
  };
  fc.assert(
    fc.property(damages, (places) => {
      const bytes = Uint8Array.from(file);
      for (const [at, change] of places) bytes[at] = (bytes[at] as number) ^ change;
      refused(bytes);
    }),
    { numRuns: 60 },
  );
  fc.assert(
    fc.property(fc.uint8Array(), fc.nat(file.length), (bytes, length) => {
      refused(bytes);
      refused(Buffer.concat([Buffer.from('NGRISK02'), bytes]));
      refused(file.subarray(0, length));
    }),
    { numRuns: 30 },
  );
});

test('held-out names are never trained on, and a bad name is never good on account of another list', () => {
  const set = new TrainingSet();
  const names = labelledNames(400).map(({ name }) => name);
  for (const name of names) set.add(name, 'good');
  for (const name of names) set.add(name, 'spam');
  const distinct = new Set(names);
  assert.equal(set.size, [...distinct].filter((name) => !isHeldOut(name)).length);
  for (let index = 0; index < set.size; index += 1) assert.ok(!set.isGood(index) && set.isOf(index, 'spam'));
});

test('with `before`, later names and names without a date are excluded', () => {
  const set = new TrainingSet({ before: '2026-01-01' });
  set.add('garden-oak.com', 'good', '2025-12-31');
  set.add('garden-river.com', 'good', '2026-01-01');
  set.add('garden-stone.com', 'good');
  assert.deepEqual([set.labels, set.datesTo], [['garden-oak'], '2025-12-31']);
});
