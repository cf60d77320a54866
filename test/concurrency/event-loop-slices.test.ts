import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  currentFlow,
  inFlow,
  sliceEndsAtMs,
  useLongSlices,
  yieldIfIterationIsFull,
  yieldToEventLoop,
} from '../../src/concurrency/event-loop-slices.ts';
import { TimeSlice } from '../../src/concurrency/time-slice.ts';

/** Counts the iterations of the event loop while something runs. */
async function iterationsDuring(work: () => Promise<unknown>): Promise<number> {
  let [iterations, isOver] = [0, false];
  const tick = () => {
    iterations += 1;
    if (!isOver) setImmediate(tick);
  };
  setImmediate(tick);
  await work();
  isOver = true;
  return iterations;
}

function useUpSlice(): void {
  while (performance.now() < sliceEndsAtMs());
}

test('many tasks that yield share one slice of each iteration of the event loop', async () => {
  let slices = 0;
  const task = async () => {
    for (let slice = 0; slice < 5; slice += 1) {
      await yieldToEventLoop();
      slices += 1;
      useUpSlice();
    }
  };
  const iterations = await iterationsDuring(() => Promise.all(Array.from({ length: 20 }, task)));
  assert.equal(slices, 100);
  assert.ok(iterations >= 100, `${iterations} iterations for 100 slices`);
});

test('tasks that begin in the same iteration of the event loop share their first slice', async () => {
  const ends = Array.from({ length: 10 }, () => new TimeSlice().endsAtMs);
  assert.equal(new Set(ends).size, 1);
  await yieldToEventLoop();
  assert.notEqual(new TimeSlice().endsAtMs, ends[0]);
});

test('what has waited for its slice, and all that it starts, may use it to its end', async () => {
  useUpSlice();
  await yieldToEventLoop();
  const endsAtMs = sliceEndsAtMs();
  await Promise.resolve();
  assert.equal(new TimeSlice().endsAtMs, endsAtMs);
  assert.equal(yieldIfIterationIsFull(), undefined);
});

test('steps of many share the slice of an iteration, and what comes later waits for the next', async () => {
  await yieldToEventLoop();
  assert.equal(yieldIfIterationIsFull(), undefined);
  useUpSlice();
  const iterations = await iterationsDuring(async () => {
    const waits = Array.from({ length: 10 }, () => yieldIfIterationIsFull());
    assert.ok(waits.every((wait) => wait !== undefined));
    await Promise.all(waits.map((wait) => wait?.then(useUpSlice)));
  });
  assert.ok(iterations >= 10, `${iterations} iterations for 10 steps`);
});

test('work that is started within a flow belongs to it, also after it has yielded', async () => {
  const seen: string[] = [];
  const work = async () => {
    seen.push(currentFlow());
    await yieldToEventLoop();
    seen.push(currentFlow());
  };
  await Promise.all([inFlow('one', work), inFlow('other', work)]);
  assert.deepEqual(seen, ['one', 'other', 'one', 'other']);
  assert.equal(currentFlow(), '');
});

test('a process that answers no requests has longer slices', async () => {
  const sliceMs = async () => {
    await yieldToEventLoop();
    return sliceEndsAtMs() - performance.now();
  };
  const before = await sliceMs();
  useLongSlices();
  const after = await sliceMs();
  assert.ok(before <= 4 && after > 4 && after < 20, `${before} ms, then ${after} ms`);
});
