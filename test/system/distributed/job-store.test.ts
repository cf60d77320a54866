import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayMs, daySeconds, hourMs, minuteMs } from '../../../src/model/durations.ts';
import { openJobStore } from '../../../src/store/distributed/job/job-store.ts';
import { jobStoreConformance } from '../../conformance/job-store.ts';
import { newNodes } from '../../harness/engines/nodes.ts';
import { startPostgres } from '../../harness/engines/postgres.ts';
import { TestClock } from '../../harness/test-clock.ts';
import { fileScope } from '../../harness/test-scope.ts';

const server = await startPostgres(fileScope());

if (server) {
  jobStoreConformance('the distributed adapter', (t) => {
    const node = newNodes(server, ['jobs'], t);
    return () => openJobStore(node(), { now: Date.now });
  });

  test('jobs that several nodes lease, finish and enqueue at once are each leased and done once', async (t) => {
    const node = newNodes(server, ['jobs'], t);
    const stores = [1, 2, 3].map(() => openJobStore(node(), { now: Date.now }));
    const subjects = Array.from({ length: 300 }, (_, index) => `s${index}.test`);
    const jobs = subjects.map((subject) => ({ kind: 'probe', subject, dueMs: 0 }));
    await Promise.all(stores.map((store) => store.enqueue(jobs.toReversed())));
    const [started, done]: [string[], string[]] = [[], []];
    await Promise.all(
      stores.map(async (store) => {
        for (;;) {
          const leased = await store.leaseJobs('probe', 7, 1, 1000);
          if (leased.length === 0) return;
          started.push(...leased.map(({ subject }) => subject));
          const finished = await Promise.all(leased.map((job) => store.finishJob(job, undefined)));
          done.push(...leased.filter((_, index) => finished[index]).map(({ subject }) => subject));
        }
      }),
    );
    assert.deepEqual([started.toSorted(), done.toSorted()], [subjects.toSorted(), subjects.toSorted()]);
    assert.deepEqual(await stores[0]?.statistics('probe', 1), { waiting: 0, due: 0, leased: 0 });
  });

  test('a job that one node enqueues while another finishes it is never lost', async (t) => {
    const node = newNodes(server, ['jobs'], t);
    const [worker, other] = [node(), node()].map((database) => openJobStore(database, { now: Date.now }));
    assert.ok(worker && other);
    const job = { kind: 'probe', subject: 'a.test', dueMs: 0 };
    await other.enqueue([job]);
    for (let round = 0; round < 60; round += 1) {
      const [leased] = await worker.leaseJobs('probe', 1, 1, 1000);
      assert.ok(leased, `it was enqueued ${round + 1} times and leased ${round} times`);
      await Promise.all([worker.finishJob(leased, undefined), other.enqueue([job])]);
    }
  });

  test('jobs set while the clock was a year ahead are due as long after it was set back as they would have been', async (t) => {
    const node = newNodes(server, ['jobs'], t);
    const clock = new TestClock();
    const startMs = clock.now();
    const year = 365 * daySeconds;
    const store = openJobStore(node(), clock);
    const enqueue = (subject: string, dueMs: number) => store.enqueue([{ kind: 'probe', subject, dueMs }]);
    await enqueue('before', startMs + dayMs);
    clock.advanceSeconds(year);
    await enqueue('now', clock.now());
    await enqueue('later', clock.now() + hourMs);
    const [leased] = await store.leaseJobs('probe', 1, startMs + dayMs, clock.now() + minuteMs);
    assert.equal(leased?.subject, 'before');
    clock.advanceSeconds(-year);
    // A node that was started since has not seen that time itself.
    const next = openJobStore(node(), clock);
    const lease = async (atMs: number) =>
      (await next.leaseJobs('probe', 9, atMs, atMs + hourMs)).map(({ subject }) => subject);
    assert.equal(await next.findNextDueMs('probe'), startMs);
    assert.deepEqual(await lease(startMs), ['now']);
    assert.deepEqual(await lease(startMs + minuteMs), ['before'], 'its lease has ended');
    assert.equal(await store.finishJob(leased, undefined), false, 'by now another holds the lease');
    assert.deepEqual(await lease(startMs + hourMs), ['later', 'now']);
  });
} else test('the distributed job store', { skip: 'skipped: no PostgreSQL' }, () => undefined);
