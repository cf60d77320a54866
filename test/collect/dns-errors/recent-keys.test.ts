import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { RecentKeys } from '../../../src/collect/dns-errors/recent-keys.ts';

test('a key is told once in a window that begins when it is told', () => {
  const keys = new RecentKeys(10, 1000);
  assert.deepEqual(
    [0, 1, 999, 1000, 1001, 1999, 2000].map((nowMs) => keys.tell('a', nowMs)),
    [true, false, false, true, false, false, true],
  );
});

test('beyond the limit the one told first is forgotten first', () => {
  const keys = new RecentKeys(2, 1000);
  for (const key of ['a', 'b', 'c']) assert.ok(keys.tell(key, 0));
  assert.deepEqual(
    ['b', 'c', 'a'].map((key) => keys.tell(key, 1)),
    [false, false, true],
  );
});

test('with room for all, exactly those are told that were not told within the window', () => {
  const step = fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd'), pauseMs: fc.nat(400) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
      const [keys, toldMs] = [new RecentKeys(4, 1000), new Map<string, number>()];
      let nowMs = 0;
      for (const { key, pauseMs } of steps) {
        nowMs += pauseMs;
        const isDue = nowMs - (toldMs.get(key) ?? -1000) >= 1000;
        if (isDue) toldMs.set(key, nowMs);
        assert.equal(keys.tell(key, nowMs), isDue);
      }
    }),
  );
});
