import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { evidenceAt, scoreOf } from '../../../src/model/risk/name/calibration-curve.ts';
import { bandsOf, qualityOf } from '../../../tools/risk-model/evaluation-metrics.ts';
import { fitIsotonic } from '../../../tools/risk-model/isotonic-regression.ts';
import { matchSuffixes } from '../../../tools/risk-model/match-suffixes.ts';
import { seededRandom } from '../../../tools/risk-model/seeded-random.ts';

const numbers = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 40 });

test('the AUC is the share of pairs in which the bad name ranks higher, ties counting half', () => {
  fc.assert(
    fc.property(numbers, numbers, (bad, good) => {
      let sum = 0;
      for (const b of bad) for (const g of good) sum += b > g ? 1 : b === g ? 0.5 : 0;
      const { auc } = qualityOf(Float64Array.from(bad), Float64Array.from(good));
      assert.ok(Math.abs(auc - sum / (bad.length * good.length)) < 1e-9);
    }),
  );
});

test('a true positive rate never needs more than its false positive rate', () => {
  fc.assert(
    fc.property(numbers, numbers, (bad, good) => {
      const { foundAt } = qualityOf(Float64Array.from(bad), Float64Array.from(good));
      const most = Math.max(...good);
      assert.equal(foundAt['0.1'], bad.filter((value) => value > most).length / bad.length);
      assert.ok(foundAt['0.1'] <= foundAt['0.35'] && foundAt['0.35'] <= foundAt['1']);
    }),
  );
});

test('bands count every score once, and their share of bad names is for the prior', () => {
  const bands = bandsOf([95, 99, 12], [95, 5, 6, 7, 8, 9], 0.1);
  const [inBad, inGood] = [2 / 3, 1 / 6];
  assert.deepEqual(bands[9], {
    from: 90,
    to: 99,
    bad: 2,
    good: 1,
    balancedShare: inBad / (inBad + inGood),
    badShare: (0.1 * inBad) / (0.1 * inBad + 0.9 * inGood),
  });
  assert.equal(
    bands.reduce((sum, { bad, good }) => sum + bad + good, 0),
    9,
  );
});

const example = fc.record({
  logOdds: fc.double({ min: -9, max: 9, noNaN: true }),
  isBad: fc.boolean(),
  weight: fc.double({ min: 0.01, max: 4, noNaN: true }),
});

test('higher log-odds never give a lower score', () => {
  fc.assert(
    fc.property(
      fc.array(example, { maxLength: 500 }),
      fc.double({ min: -12, max: 12, noNaN: true }),
      fc.double({ min: 0, max: 5, noNaN: true }),
      (names, at, more) => {
        const curve = fitIsotonic(names);
        const [less, most] = [scoreOf(curve, at, -4), scoreOf(curve, at + more, -4)];
        assert.ok(less <= most && less >= 1 && most <= 99);
      },
    ),
  );
});

test('evidence is how many times as frequent a value is among bad names as among good ones', () => {
  const random = seededRandom(5);
  const judged = Array.from({ length: 40_000 }, () => {
    const logOdds = random() * 8 - 4;
    const isBad = random() < 1 / (1 + Math.exp(-logOdds));
    return { logOdds, isBad, weight: isBad ? 0.2 : 3 };
  });
  const curve = fitIsotonic(judged);
  for (const logOdds of [-3, -1, 0, 1, 3])
    assert.ok(Math.abs(evidenceAt(curve, logOdds) - logOdds) < 0.35, `${logOdds}`);
});

test('a few names without a good one among them are no proof', () => {
  const names = Array.from({ length: 100 }, (_, at) => ({ logOdds: at, isBad: at >= 50, weight: 1 }));
  assert.ok(evidenceAt(fitIsotonic(names), 99) < 5);
});

test('matched sampling has as many good as bad names of each suffix', () => {
  const bad = ['a.com', 'b.com', 'c.top', 'd.net'];
  const { bad: chosenBad, good } = matchSuffixes(
    { bad, good: ['x.com', 'y.top', 'z.top', 'w.org'] },
    seededRandom(1),
  );
  const suffixes = (names: readonly string[]) => new Set(names.map((name) => name.split('.')[1]));
  for (const names of [good, chosenBad]) {
    assert.equal(names.length, 2);
    assert.deepEqual(suffixes(names), new Set(['com', 'top']));
  }
});
