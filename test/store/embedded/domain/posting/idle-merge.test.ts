import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { IdleMerge } from '../../../../../src/store/embedded/domain/posting/idle-merge.ts';

/** A merge of two steps. */
function counting(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let steps = 0;
  const merge = new IdleMerge(async () => (steps += 1) < 2);
  return { merge, steps: () => steps };
}

/** Promises of steps are settled in between. */
async function pass(t: TestContext, ms: number): Promise<void> {
  t.mock.timers.tick(ms);
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

test('pending changes are merged a second after the last write has ended', async (t) => {
  const { merge, steps } = counting(t);
  merge.beginWrite();
  merge.endWrite(true);
  await pass(t, 999);
  assert.equal(steps(), 0);
  await pass(t, 1);
  assert.equal(steps(), 2);
});

test('nothing is merged while a write goes on, however long it takes', async (t) => {
  const { merge, steps } = counting(t);
  merge.beginWrite();
  merge.beginWrite();
  merge.endWrite(true);
  await pass(t, 60_000);
  assert.equal(steps(), 0);
  merge.endWrite(true);
  await pass(t, 1000);
  assert.equal(steps(), 2);
});

test('after a failed write, what was pending before it is merged', async (t) => {
  const { merge, steps } = counting(t);
  merge.beginWrite();
  merge.endWrite(true);
  merge.beginWrite();
  merge.failWrite();
  await pass(t, 1000);
  assert.equal(steps(), 2);
});

test('nothing is merged where nothing is pending, nor after the end', async (t) => {
  const { merge, steps } = counting(t);
  merge.beginWrite();
  merge.endWrite(false);
  await pass(t, 1000);
  merge.beginWrite();
  merge.endWrite(true);
  merge.close();
  await pass(t, 1000);
  assert.equal(steps(), 0);
});
