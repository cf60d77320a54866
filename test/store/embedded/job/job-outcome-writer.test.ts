import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openJobStore } from '../../../../src/store/embedded/job-store.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';

const subjects = Array.from({ length: 1200 }, (_, index) => `s${index}.test`);

test('jobs that end at the same time have separate outcomes', async (t) => {
  const store = openJobStore(temporaryDirectory(t), { now: Date.now });
  t.after(() => store.close());
  await store.enqueue(subjects.map((subject) => ({ kind: 'collect', subject, dueMs: 0 })));
  const jobs = await store.leaseJobs('collect', subjects.length, 1, 100);
  const outcomes = await Promise.all(
    jobs.map((job, index) => {
      if (index % 3 === 0) return store.finishJob({ ...job, lease: 'of another' }, undefined);
      return index % 3 === 1 ? store.finishJob(job, undefined) : store.retryJob(job, 5000);
    }),
  );
  assert.deepEqual(
    outcomes,
    jobs.map((_, index) => index % 3 !== 0),
  );
  assert.deepEqual(await store.statistics('collect', 1), { waiting: 400, due: 0, leased: 400 });
});

test('outcomes that arrive during a commit are committed next', async (t) => {
  const store = openJobStore(temporaryDirectory(t), { now: Date.now });
  t.after(() => store.close());
  await store.enqueue(subjects.map((subject) => ({ kind: 'collect', subject, dueMs: 0 })));
  const jobs = await store.leaseJobs('collect', 50, 1, 100);
  // Each job is finished as soon as the previous outcome is committed.
  let before: Promise<unknown> = Promise.resolve();
  for (const job of jobs) before = before.then(() => store.finishJob(job, undefined)).then(assert.ok);
  await before;
  assert.equal((await store.statistics('collect', 1)).leased, 0);
});

test('closing the store commits pending outcomes first', async (t) => {
  const directory = temporaryDirectory(t);
  const first = openJobStore(directory, { now: Date.now });
  await first.enqueue([{ kind: 'collect', subject: 'a.test', dueMs: 0 }]);
  const [job] = await first.leaseJobs('collect', 1, 1, 100);
  assert.ok(job);
  const outcome = first.finishJob(job, 7000);
  await first.close();
  assert.equal(await outcome, true);
  const next = openJobStore(directory, { now: Date.now });
  t.after(() => next.close());
  assert.equal(await next.findNextDueMs('collect'), 7000);
});
