import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { RecentKeys } from '../../../src/collect/dns-errors/recent-keys.ts';

test('a key is new once within a window that starts when it is added', () => {
  const keys = new RecentKeys(10, 1000);
  assert.deepEqual(
    [0, 1, 999, 1000, 1001, 1999, 2000].map((nowMs) => keys.addIfNew('a', nowMs)),
    [true, false, false, true, false, false, true],
  );
});

test('beyond the limit the oldest key is evicted', () => {
  const keys = new RecentKeys(2, 1000);
  for (const key of ['a', 'b', 'c']) assert.ok(keys.addIfNew(key, 0));
  assert.deepEqual(
    ['b', 'c', 'a'].map((key) => keys.addIfNew(key, 1)),
    [false, false, true],
  );
});

test('below the limit, exactly the keys not added within the window are new', () => {
  const step = fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd'), pauseMs: fc.nat(400) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
      const [keys, addedMs] = [new RecentKeys(4, 1000), new Map<string, number>()];
      let nowMs = 0;
      for (const { key, pauseMs } of steps) {
        nowMs += pauseMs;
        const isDue = nowMs - (addedMs.get(key) ?? -1000) >= 1000;
        if (isDue) addedMs.set(key, nowMs);
        assert.equal(keys.addIfNew(key, nowMs), isDue);
      }
    }),
  );
});

test('a key added while the clock was a day ahead is new again when the clock is set back', () => {
  const keys = new RecentKeys(10, 1000);
  const addedAt = (nowMs: number) => keys.addIfNew('a', nowMs);
  assert.deepEqual(
    [addedAt(86_400_000), addedAt(5000), addedAt(5999), addedAt(6000)],
    [true, true, false, true],
  );
});
