import assert from 'node:assert/strict';
import { test } from 'node:test';
import { backoffMs } from '../../src/concurrency/backoff.ts';

test('delays grow by the factor, up to the maximum', () => {
  const backoff = { firstMs: 100, factor: 3, maxMs: 5000 };
  const delays = [1, 2, 3, 4, 5, 6, 5000].map((attempts) => backoffMs(attempts, backoff));
  assert.deepEqual(delays, [100, 300, 900, 2700, 5000, 5000, 5000]);
});
