import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TimeSlice } from '../../src/concurrency/time-slice.ts';

/** Works synchronously until the slice is over. */
function work(slice: TimeSlice): { rounds: number; next: Promise<void> } {
  for (let rounds = 0; ; rounds++) {
    const next = slice.yieldIfOver();
    if (next) return { rounds, next };
  }
}

test('a slice is long enough for many rounds of work', async () => {
  const slice = new TimeSlice();
  let most = 0;
  // A busy machine may take the processor away for a whole slice, but not for all of them.
  for (let slices = 0; slices < 1000 && most <= 10; slices++) {
    const { rounds, next } = work(slice);
    most = Math.max(most, rounds);
    await next;
  }
  assert.ok(most > 10);
});

test('the event loop runs before the next slice begins', async () => {
  const order: string[] = [];
  const slice = new TimeSlice();
  setImmediate(() => order.push('event loop'));
  await work(slice).next;
  order.push('next slice');
  assert.deepEqual(order, ['event loop', 'next slice']);
});

test('workers that share a slice wait for the same next one', async () => {
  const slice = new TimeSlice();
  const { next } = work(slice);
  assert.equal(slice.yieldIfOver(), next);
  await next;
});

test('the sampled check sees the end of a slice after at most 16 calls', () => {
  const slice = new TimeSlice();
  slice.begin(performance.now() - 1);
  assert.ok(slice.isOverNow());
  let calls = 1;
  while (!slice.isOver()) calls += 1;
  assert.ok(calls <= 16);
  slice.begin(performance.now() + 60_000);
  assert.ok(!slice.isOverNow());
  for (let call = 0; call < 100; call++) assert.ok(!slice.isOver());
});
