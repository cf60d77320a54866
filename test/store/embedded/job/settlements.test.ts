import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openJobStore } from '../../../../src/store/embedded/job-store.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';

const subjects = Array.from({ length: 1200 }, (_, index) => `s${index}.test`);

test('jobs that end at the same time are settled each for itself', async (t) => {
  const store = openJobStore(temporaryDirectory(t));
  t.after(() => store.close());
  await store.enqueue(subjects.map((subject) => ({ kind: 'collect', subject, dueMs: 0 })));
  const jobs = await store.lease('collect', subjects.length, 1, 100);
  const settled = await Promise.all(
    jobs.map((job, index) => {
      if (index % 3 === 0) return store.finish({ ...job, lease: 'of another' }, undefined);
      return index % 3 === 1 ? store.finish(job, undefined) : store.retry(job, 5000);
    }),
  );
  assert.deepEqual(
    settled,
    jobs.map((_, index) => index % 3 !== 0),
  );
  assert.deepEqual(await store.statistics('collect', 1), { waiting: 400, due: 0, leased: 400 });
});

test('what ends while others are settled is settled too', async (t) => {
  const store = openJobStore(temporaryDirectory(t));
  t.after(() => store.close());
  await store.enqueue(subjects.map((subject) => ({ kind: 'collect', subject, dueMs: 0 })));
  const jobs = await store.lease('collect', 50, 1, 100);
  // Each is put as soon as the one before has been settled.
  let before: Promise<unknown> = Promise.resolve();
  for (const job of jobs) before = before.then(() => store.finish(job, undefined)).then(assert.ok);
  await before;
  assert.equal((await store.statistics('collect', 1)).leased, 0);
});

test('a store that is closed settles first what was put before', async (t) => {
  const directory = temporaryDirectory(t);
  const first = openJobStore(directory);
  await first.enqueue([{ kind: 'collect', subject: 'a.test', dueMs: 0 }]);
  const [job] = await first.lease('collect', 1, 1, 100);
  assert.ok(job);
  const settled = first.finish(job, 7000);
  await first.close();
  assert.equal(await settled, true);
  const next = openJobStore(directory);
  t.after(() => next.close());
  assert.equal(await next.findNextDueMs('collect'), 7000);
});
