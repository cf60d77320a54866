import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { WorldClock } from '../../../world/clock.ts';

function stoppedClock(startMs = 1000): WorldClock {
  return new WorldClock({ startMs, speed: 0, machineNow: () => 0 });
}

test('a clock of speed 0 stands until it is advanced', async () => {
  const clock = stoppedClock();
  assert.equal(clock.now(), 1000);
  await clock.advance(500);
  assert.equal(clock.now(), 1500);
});

test('work is done in the order of its time, and of its giving, and sees the time that it was meant for', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 300 }), async (times) => {
      const clock = stoppedClock(0);
      const done: { readonly index: number; readonly seen: number }[] = [];
      times.forEach((atMs, index) => {
        clock.schedule(atMs, () => done.push({ index, seen: clock.now() }));
      });
      await clock.advance(20);
      const expected = times
        .map((seen, index) => ({ index, seen }))
        .sort((one, other) => one.seen - other.seen || one.index - other.index);
      assert.deepEqual(done, expected);
    }),
    { numRuns: 50 },
  );
});

test('work scheduled while the clock runs is done at its time', async () => {
  const clock = stoppedClock(0);
  const seen: number[] = [];
  const again = () => {
    seen.push(clock.now());
    clock.schedule(clock.now() + 10, again);
  };
  clock.schedule(10, again);
  await Promise.all([clock.advance(25), clock.advance(20)]);
  assert.deepEqual(seen, [10, 20, 30, 40]);
  assert.equal(clock.now(), 45);
});

test('what is meant for the past is done with the next step', async () => {
  const clock = stoppedClock();
  const seen: number[] = [];
  clock.schedule(3, () => seen.push(clock.now()));
  await clock.advance(0);
  assert.deepEqual(seen, [1000]);
});

test('a fast clock follows the machine, and wakes by itself for what is due', async () => {
  let machineMs = 5000;
  const clock = new WorldClock({ startMs: 1_000_000, speed: 100, machineNow: () => machineMs });
  machineMs += 70;
  assert.equal(clock.now(), 1_000_000, 'it has not started');
  clock.start();
  machineMs += 10;
  assert.equal(clock.now(), 1_001_000);
  const due = new Promise<number>((resolve) => clock.schedule(1_000_500, () => resolve(clock.now())));
  assert.equal(await due, 1_000_500);
  assert.equal(clock.now(), 1_001_000);
  clock.close();
});

test('nothing happens after the clock is closed', async () => {
  const clock = stoppedClock(0);
  clock.schedule(5, () => assert.fail('it was closed'));
  clock.close();
  await clock.advance(10);
});
