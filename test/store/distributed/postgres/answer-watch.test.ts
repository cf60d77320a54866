import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AnswerWatch } from '../../../../src/store/distributed/postgres/answer-watch.ts';

test('a statement that waits longer than allowed is overdue once, and one with an answer never', async () => {
  const watch = new AnswerWatch();
  let [overdue, answered] = [0, 0];
  const { promise: noticed, resolve } = Promise.withResolvers<void>();
  const forget = watch.add(0, () => (answered += 1));
  // The timer of the watch does not keep a process alive.
  const alive = setInterval(() => undefined, 1000);
  watch.add(1, () => {
    overdue += 1;
    resolve();
  });
  forget();
  await noticed;
  clearInterval(alive);
  assert.deepEqual([overdue, answered], [1, 0]);
});
