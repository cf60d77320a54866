import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { RateLimiter } from '../../src/concurrency/rate-limiter.ts';

test('within any second no more start than the limit', () => {
  const step = fc.record({ afterMs: fc.integer({ min: 0, max: 700 }), wanted: fc.nat({ max: 12 }) });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 }), fc.array(step), (perSecond, steps) => {
      const limiter = new RateLimiter(perSecond);
      const starts: number[] = [];
      let nowMs = 0;
      for (const { afterMs, wanted } of steps) {
        nowMs += afterMs;
        const count = Math.min(wanted, limiter.available(nowMs));
        limiter.record(count, nowMs);
        for (let one = 0; one < count; one++) starts.push(nowMs);
      }
      for (const startMs of starts) {
        const within = starts.filter((other) => other >= startMs && other < startMs + 1000);
        assert.ok(within.length <= perSecond);
      }
    }),
  );
});

test('the wait ends when the oldest start leaves the window', () => {
  const limiter = new RateLimiter(2);
  limiter.record(1, 100);
  limiter.record(1, 400);
  assert.deepEqual([limiter.available(500), limiter.waitMs(500)], [0, 600]);
  assert.deepEqual([limiter.available(1099), limiter.available(1100)], [0, 1]);
});
