import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { defaultPrior, priorsOf } from '../../../src/model/risk/prior.ts';
import { probabilityOfScore, scoreOfShare, shareOfLogOdds } from '../../../src/model/risk/score-scale.ts';

function scoreOfProbability(probability: number): number {
  return scoreOfShare(shareOfLogOdds(Math.log(probability / (1 - probability))));
}

test('a score of 20 is one bad name in fifty, 40 one in thirteen, 70 one in three, 90 more than three in four', () => {
  const scores = [1 / 50, 1 / 13, 1 / 3, 0.775].map(scoreOfProbability);
  assert.deepEqual(scores, [20, 40, 70, 90]);
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
