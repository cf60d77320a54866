import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { dayMs, daySeconds, hourMs, minuteMs } from '../../../src/model/durations.ts';
import { openJobStore } from '../../../src/store/embedded/job-store.ts';
import type { JobStore } from '../../../src/store/job-store.ts';
import { jobStoreConformance } from '../../conformance/job-store.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { TestClock } from '../../harness/test-clock.ts';

jobStoreConformance('the embedded adapter', (t) => {
  const directory = temporaryDirectory(t);
  const opened: JobStore[] = [];
  t.after(async () => {
    for (const store of opened) await store.close();
  });
  return () => {
    const store = openJobStore(directory, { now: Date.now });
    opened.push(store);
    return store;
  };
});

test('a lease of a killed process is released when the store is opened next', async (t) => {
  const directory = temporaryDirectory(t);
  const first = openJobStore(directory, { now: Date.now });
  await first.enqueue([{ kind: 'probe', subject: 'a.test', dueMs: 1000 }]);
  const worker = join(import.meta.dirname, '../../harness/workers/lease/job-lease-worker.ts');
  const child = spawn(process.execPath, [worker, directory, 'probe'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  const [leased] = (await once(child.stdout, 'data')) as [Buffer];
  assert.equal(String(leased), '1\n');
  await first.close();

  const concurrent = openJobStore(directory, { now: Date.now });
  assert.deepEqual(await concurrent.leaseJobs('probe', 10, 2000, 3000), [], 'its holder is alive');
  await concurrent.close();

  child.kill('SIGKILL');
  await once(child, 'close');
  const after = openJobStore(directory, { now: Date.now });
  t.after(() => after.close());
  const [job] = await after.leaseJobs('probe', 10, 2000, 3000);
  assert.deepEqual([job?.subject, job?.attempts], ['a.test', 2]);
});

test('jobs set while the clock was a year ahead are due as long after it was set back as they would have been', async (t) => {
  const directory = temporaryDirectory(t);
  const clock = new TestClock();
  const startMs = clock.now();
  const year = 365 * daySeconds;
  const store = openJobStore(directory, clock);
  t.after(() => store.close());
  const enqueue = (subject: string, dueMs: number) => store.enqueue([{ kind: 'probe', subject, dueMs }]);
  await enqueue('before', startMs + dayMs);
  clock.advanceSeconds(year);
  const aheadMs = clock.now();
  await enqueue('now', aheadMs);
  await enqueue('later', aheadMs + hourMs);
  const [leased] = await store.leaseJobs('probe', 1, aheadMs - year * 1000 + dayMs, aheadMs + minuteMs);
  assert.equal(leased?.subject, 'before');

  clock.advanceSeconds(-year);
  assert.equal(await store.findNextDueMs('probe'), startMs);
  const lease = async (atMs: number) =>
    (await store.leaseJobs('probe', 9, atMs, atMs + hourMs)).map(({ subject }) => subject);
  assert.deepEqual(await lease(startMs), ['now']);
  assert.deepEqual(await lease(startMs + minuteMs - 1), []);
  assert.deepEqual(await lease(startMs + minuteMs), ['before'], 'its lease has ended');
  assert.equal(await store.finishJob(leased, undefined), false, 'by now another holds the lease');
  assert.deepEqual(await lease(startMs + hourMs), ['later', 'now']);
});

test('a clock that was set back while no server ran is noticed at the next start', async (t) => {
  const directory = temporaryDirectory(t);
  const clock = new TestClock();
  const startMs = clock.now();
  clock.advanceSeconds(daySeconds);
  const first = openJobStore(directory, clock);
  await first.enqueue([{ kind: 'probe', subject: 'a.test', dueMs: clock.now() }]);
  await first.close();
  clock.advanceSeconds(-daySeconds);
  const next = openJobStore(directory, clock);
  t.after(() => next.close());
  assert.equal(await next.findNextDueMs('probe'), startMs);
});
