import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mapInSlices } from '../../src/concurrency/map-in-slices.ts';

test('results come in the order of the items, whatever their number', async () => {
  assert.deepEqual(await mapInSlices([], (item) => item), []);
  const items = Array.from({ length: 1000 }, (_, index) => index);
  assert.deepEqual(
    await mapInSlices(items, (item) => item * 2),
    items.map((item) => item * 2),
  );
});

test('long work is cut into slices, each within its wrapper, and the event loop runs in between', async () => {
  let [slices, ticks, isOver] = [0, 0, false];
  const tick = () => {
    ticks += 1;
    if (!isOver) setImmediate(tick);
  };
  setImmediate(tick);
  const around = (slice: () => void) => {
    slices += 1;
    slice();
  };
  const busy = () => {
    const endMs = performance.now() + 1;
    while (performance.now() < endMs);
  };
  await mapInSlices(Array.from({ length: 30 }), busy, around);
  isOver = true;
  assert.ok(slices > 1 && slices <= 30);
  assert.ok(ticks >= slices - 1);
});

test('an error of one item ends the whole', async () => {
  const fail = () => {
    throw new Error('bad item');
  };
  await assert.rejects(mapInSlices([1], fail), /bad item/);
});
