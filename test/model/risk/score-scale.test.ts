import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { defaultPrior, priorsOf } from '../../../src/model/risk/prior.ts';
import { probabilityOfScore, scoreOfShare, shareOfLogOdds } from '../../../src/model/risk/score-scale.ts';

function scoreOfProbability(probability: number): number {
  return scoreOfShare(shareOfLogOdds(Math.log(probability / (1 - probability))));
}

test('a score of 11 is one bad name in fifty, 40 one in twelve, 70 two in nine, 90 every second one', () => {
  const scores = [1 / 50, 1 / 12, 2 / 9, 1 / 2].map(scoreOfProbability);
  assert.deepEqual(scores, [11, 40, 70, 90]);
});

test('RISK-01 no probability gives 0 or 100, and a higher one never a lower score', () => {
  const probability = fc.double({ min: 1e-12, max: 1 - 1e-12, noNaN: true });
  fc.assert(
    fc.property(probability, probability, (one, other) => {
      const [less, more] = [Math.min(one, other), Math.max(one, other)].map(scoreOfProbability);
      assert.ok((less as number) >= 1 && (more as number) <= 99 && (less as number) <= (more as number));
    }),
  );
});

test('a score gives its probability back', () => {
  for (let score = 1; score <= 99; score += 1)
    assert.equal(scoreOfProbability(probabilityOfScore(score)), score);
});

test('the priors of the threats add up to the prior', () => {
  const { phishing, malware, spam } = priorsOf(defaultPrior);
  assert.ok(Math.abs(phishing + malware + spam - 1 / 50) < 1e-12);
});
