import assert from 'node:assert/strict';
import { test } from 'node:test';
import { interleave, median, quantile } from '../../../bench/harness/interleave.ts';

test('the ratio is the median of the rounds, so that one slow round does not count', async () => {
  const ours = [50, 5, 60];
  const measured = await interleave(3, {
    ours: async () => ({ value: ours.shift() ?? 0, cpuSeconds: 1, memoryBytes: 7 }),
    peer: async () => 100,
  });
  assert.deepEqual(measured, { ours: 50, peer: 100, ratio: 0.5, cpuSeconds: 1, memoryBytes: 7 });
});

test('ours and the peer are first in alternation', async () => {
  const order: string[] = [];
  await interleave(4, {
    ours: async () => {
      order.push('ours');
      return { value: 1, cpuSeconds: 0, memoryBytes: 0 };
    },
    peer: async () => {
      order.push('peer');
      return 1;
    },
  });
  assert.equal(order.join(' '), 'peer ours ours peer peer ours ours peer');
});

test('the median of an even number of values is the mean of the two in the middle', () => {
  assert.equal(median([4, 1, 3, 2]), 2.5);
});

test('p99 of a hundred values is the greatest but none', () => {
  const values = Array.from({ length: 100 }, (_, at) => at + 1);
  assert.equal(quantile(values, 0.99), 100);
  assert.equal(quantile(values, 0.5), 51);
});
