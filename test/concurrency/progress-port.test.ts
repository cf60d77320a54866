/** Progress of calls of a thread. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withProgress } from '../../src/concurrency/progress-port.ts';

test('progress that was reported before the result is never lost', async () => {
  const reports: (readonly [number, number])[] = [];
  const result = await withProgress(
    (done, all) => reports.push([done, all]),
    async (sender) => {
      sender.postMessage([1, 2]);
      sender.postMessage([2, 2]);
      return 'done';
    },
  );
  assert.deepEqual(
    [result, reports],
    [
      'done',
      [
        [1, 2],
        [2, 2],
      ],
    ],
  );
});

test('an error in the callback rejects the call, also about the last report', async () => {
  const call = withProgress(
    () => {
      throw new Error('interrupted');
    },
    async (sender) => sender.postMessage([1, 1]),
  );
  await assert.rejects(call, /interrupted/);
});
