/** Training, file format and scores of name models, on synthetic names. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { Problem } from '../../../src/model/problem.ts';
import { explainName } from '../../../src/model/risk/name/explain-name.ts';
import { decodeModel, encodeModel } from '../../../src/model/risk/name/name-model-file.ts';
import { findNameParts, type NameParts } from '../../../src/model/risk/name/name-parts.ts';
import { NameScorer } from '../../../src/model/risk/name/name-scorer.ts';
import { logitPerLogOdds } from '../../../src/model/risk/score-scale.ts';
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
    const measured = evaluateNames(scorer, threat, { bad: heldOut[threat], good: heldOut.good });
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

test('the contributions of feature groups and the base sum to the log-odds', () => {
  for (const { name } of labelledNames(50, 9)) {
    const parts = partsOf(name);
    for (const threat of threats) {
      const { base } = scorer.partsOf(parts, threat);
      const groups = Object.values(scorer.groupsOf(parts, threat));
      const sum = groups.reduce((all, one) => all + one, base);
      assert.ok(Math.abs(sum - scorer.logOddsOf(parts)[threat]) < 1e-6, `${name} ${threat}`);
    }
  }
});

test('another prior moves all scores by the same log-odds, and the ranking stays', () => {
  const rare = new NameScorer(model, { prior: 0.0002 });
  const parts = labelledNames(300, 4).map(({ name }) => partsOf(name));
  const logit = (share: number) => Math.log(share / (1 - share));
  const differences = parts.map(
    (one) => logit(scorer.sharesOf(one).phishing) - logit(rare.sharesOf(one).phishing),
  );
  const expected = logitPerLogOdds * (logit(0.02 * 0.7) - logit(0.0002 * 0.7));
  for (const difference of differences) assert.ok(Math.abs(difference - expected) < 1e-6, `${difference}`);
});

test('a suffix without ordinary names has no weight, however many bad names it has', () => {
  const set = smallSet();
  for (const { name, label } of labelledNames(3000, 11))
    if (label === 'phishing') set.add(name.replace(/\..*/, '.zip'), 'phishing', { date: '2026-01-01' });
  const withBad = trainNameModel(set, smallOptions);
  assert.deepEqual(withBad.suffixes.suffixes, model.suffixes.suffixes);
  const [there, elsewhere] = ['zip', 'fun'].map((suffix) => partsOf(`gardenoak.${suffix}`));
  const other = new NameScorer(withBad);
  assert.equal(other.groupsOf(there as NameParts, 'phishing').suffix, 0);
  assert.equal(other.groupsOf(elsewhere as NameParts, 'phishing').suffix, 0);
});

test('a suffix that most bad names have does not flag its ordinary names', () => {
  const set = new TrainingSet();
  for (const { name, label, date } of labelledNames(12_000, 13)) {
    const isMoved = label === 'phishing' || name.length % 5 === 0;
    set.add(isMoved ? name.replace(/\..*/, '.top') : name.replace(/\..*/, '.com'), label, { date });
  }
  const led = new NameScorer(trainNameModel(set, smallOptions));
  const ordinary = set.heldOut.good.filter((name) => name.endsWith('.top'));
  const flagged = ordinary.filter((name) => (led.findScores(name)?.phishing ?? 0) >= 70);
  assert.ok(
    ordinary.length > 30 && flagged.length <= 0.03 * ordinary.length,
    `${flagged.join(', ')} of ${ordinary.length}`,
  );
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
      refused(Buffer.concat([Buffer.from('NGRISK04'), bytes]));
      refused(file.subarray(0, length));
    }),
    { numRuns: 30 },
  );
});

test('a model of another version says what to do', () => {
  const earlier = Buffer.concat([Buffer.from('NGRISK02'), file.subarray(8)]);
  assert.throws(() => decodeModel(earlier), /another version of Nameglass: write a new one with risk train/);
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
  set.add('garden-oak.com', 'good', { date: '2025-12-31' });
  set.add('garden-river.com', 'good', { date: '2026-01-01' });
  set.add('garden-stone.com', 'good');
  assert.deepEqual([set.labels, set.datesTo], [['garden-oak'], '2025-12-31']);
});

test('the most popular names are not trained on', () => {
  const set = new TrainingSet();
  set.add('garden-oak.com', 'popular', { rank: 1000 });
  set.add('garden-stone.com', 'popular', { rank: 1001 });
  assert.deepEqual(set.labels, ['garden-stone']);
});
