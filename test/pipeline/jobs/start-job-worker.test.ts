import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type JobWork, jobBackoffMs, startJobWorker } from '../../../src/pipeline/jobs/start-job-worker.ts';
import { openJobStore } from '../../../src/store/embedded/job-store.ts';
import type { LeasedJob } from '../../../src/store/job-store.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { TestClock } from '../../harness/test-clock.ts';

const kind = 'collect';

function jobWorld(t: TestContext) {
  const jobs = openJobStore(temporaryDirectory(t), { now: Date.now });
  const clock = new TestClock();
  const failures: unknown[] = [];
  const needs = { jobs, clock, onFailure: (error: unknown) => failures.push(error) };
  const start = (work: Partial<JobWork> & Pick<JobWork, 'perform'>) => {
    const worker = startJobWorker(
      { kind, concurrency: 10, maxPerSecond: 1000, deadlineMs: 10_000, ...work },
      needs,
    );
    t.after(() => worker.close());
    return worker;
  };
  t.after(() => jobs.close());
  const enqueue = (...subjects: string[]) =>
    jobs.enqueue(subjects.map((subject) => ({ kind, subject, dueMs: clock.now() })));
  /** Subjects of the jobs due after some time. */
  const due = async (afterMs = 0) => {
    const nowMs = clock.now() + afterMs;
    return (await jobs.leaseJobs(kind, 100, nowMs, nowMs)).map(({ subject }) => subject).sort();
  };
  return { jobs, clock, failures, start, enqueue, due };
}

/** Resolves after a number of calls. */
function calls(count: number) {
  let left = count;
  const { promise, resolve } = Promise.withResolvers<void>();
  return { all: promise, called: () => (left -= 1) === 0 && resolve() };
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 5));
}

const done = { done: true, againMs: undefined } as const;
const ignoring = () => new Promise<never>(() => undefined);

test('due jobs are performed, and one that is done for good is removed', async (t) => {
  const world = jobWorld(t);
  await world.enqueue('a.com', 'b.com');
  await world.jobs.enqueue([{ kind, subject: 'later.com', dueMs: world.clock.now() + 3_600_000 }]);
  const seen: LeasedJob[] = [];
  const worker = world.start({ perform: async (job) => (seen.push(job), done) });
  await until(() => worker.statistics().done === 2);
  assert.deepEqual(seen.map(({ subject, attempts }) => `${subject} ${attempts}`).sort(), [
    'a.com 1',
    'b.com 1',
  ]);
  await worker.close();
  assert.deepEqual(await world.due(3_600_000), ['later.com']);
  assert.deepEqual(worker.statistics(), { begun: 2, done: 2, retried: 0, failed: 0, active: 0 });
});

test('no job begins before the work is prepared, which is done once, when the first is due', async (t) => {
  const world = jobWorld(t);
  const { promise: prepared, resolve: end } = Promise.withResolvers<void>();
  let preparations = 0;
  const perform = async () => done;
  const worker = world.start({ prepare: () => ((preparations += 1), prepared), perform });
  assert.equal(preparations, 0, 'nothing is due');
  await world.enqueue('a.com', 'b.com');
  await until(() => preparations === 1);
  assert.equal((await world.jobs.statistics(kind, world.clock.now())).leased, 0);
  end();
  await until(() => worker.statistics().done === 2);
  await world.enqueue('c.com');
  await until(() => worker.statistics().done === 3);
  assert.equal(preparations, 1);
});

test('jobs are performed also where the preparation fails, and it is reported', async (t) => {
  const world = jobWorld(t);
  await world.enqueue('a.com');
  const error = new Error('no such file');
  const worker = world.start({ prepare: async () => Promise.reject(error), perform: async () => done });
  await until(() => worker.statistics().done === 1);
  assert.deepEqual(world.failures, [error]);
});

test('a worker is closed while its work is being prepared', async (t) => {
  const world = jobWorld(t);
  await world.enqueue('a.com');
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const worker = world.start({ prepare: () => (begin(), ignoring()), perform: async () => done });
  await begun;
  await worker.close();
  assert.deepEqual(await world.due(), ['a.com']);
});

test('a job is due again when its outcome says so, and attempts count until it is done', async (t) => {
  const world = jobWorld(t);
  await world.enqueue('a.com');
  const attempts: number[] = [];
  const worker = world.start({
    perform: async (job) => {
      attempts.push(job.attempts);
      if (attempts.length < 3) return { done: false, dueMs: world.clock.now() };
      return { done: true, againMs: world.clock.now() + (attempts.length === 3 ? 0 : 3_600_000) };
    },
  });
  await until(() => worker.statistics().done === 2);
  assert.deepEqual(attempts, [1, 2, 3, 1]);
  await worker.close();
  assert.deepEqual([await world.due(3_599_999), await world.due(3_600_000)], [[], ['a.com']]);
});

test('a job that throws is reported and retried later, and delays no other', async (t) => {
  const world = jobWorld(t);
  await world.enqueue('bad.com', 'worse.com', 'good.com');
  const worker = world.start({
    perform: ({ subject }) => {
      if (subject === 'worse.com') throw new Error('synchronously');
      return subject === 'bad.com' ? Promise.reject(new Error('no')) : Promise.resolve(done);
    },
  });
  await until(() => worker.statistics().done === 1 && worker.statistics().failed === 2);
  await worker.close();
  assert.deepEqual(world.failures.map(String).sort(), ['Error: no', 'Error: synchronously']);
  assert.deepEqual([await world.due(59_999), await world.due(60_000)], [[], ['bad.com', 'worse.com']]);
});

test('a job that exceeds its deadline has failed, whether or not it heeds its signal', async (t) => {
  const world = jobWorld(t);
  await world.enqueue('ignoring.com', 'heeding.com');
  const worker = world.start({
    deadlineMs: 30,
    perform: ({ subject }, signal) =>
      subject === 'ignoring.com'
        ? ignoring()
        : new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('ended')))),
  });
  await until(() => worker.statistics().failed === 2);
  await worker.close();
  assert.deepEqual(await world.due(60_000), ['heeding.com', 'ignoring.com']);
});

test('jobs under way at a stop keep their due time, and have not failed', async (t) => {
  const world = jobWorld(t);
  await world.enqueue('a.com', 'b.com');
  const begun = calls(2);
  const worker = world.start({
    perform: ({ subject }, signal) => {
      begun.called();
      if (subject === 'a.com') return ignoring();
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('ended'))));
    },
  });
  await begun.all;
  await worker.close();
  assert.deepEqual(worker.statistics(), { begun: 2, done: 0, retried: 0, failed: 0, active: 0 });
  assert.deepEqual(world.failures, []);
  assert.deepEqual(await world.due(), ['a.com', 'b.com']);
});

test('jobs keep to the concurrency limit', async (t) => {
  const world = jobWorld(t);
  await world.enqueue(...Array.from({ length: 30 }, (_, index) => `d${index}.com`));
  let [now, most] = [0, 0];
  const worker = world.start({
    concurrency: 4,
    perform: async () => {
      most = Math.max(most, (now += 1));
      await new Promise((resolve) => setTimeout(resolve, 1));
      now -= 1;
      return done;
    },
  });
  await until(() => worker.statistics().done === 30);
  assert.equal(most, 4);
});

test('while other work goes first, an eighth of the jobs are under way, and all of them afterwards', async (t) => {
  const world = jobWorld(t);
  await world.enqueue(...Array.from({ length: 40 }, (_, at) => `${at}.com`));
  let [active, most, isBusy] = [0, 0, true];
  const perform = async () => {
    active += 1;
    most = Math.max(most, active);
    await new Promise((resolve) => setTimeout(resolve, 10));
    active -= 1;
    return done;
  };
  const worker = world.start({ concurrency: 16, givesWay: () => isBusy, perform });
  await until(() => worker.statistics().done >= 6);
  assert.equal(most, 2);
  isBusy = false;
  await until(() => worker.statistics().done === 40);
  assert.ok(most > 2, `${most} at once`);
});

test('jobs begin all the same where the work is not prepared within ten minutes', async (t) => {
  const world = jobWorld(t);
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const worker = world.start({ prepare: () => (begin(), ignoring()), perform: async () => done });
  await world.enqueue('a.com');
  await begun;
  const now = performance.now.bind(performance);
  t.mock.method(performance, 'now', () => now() + 11 * 60_000);
  await until(() => worker.statistics().done === 1);
});

test('a job of a crashed process is performed when its lease expires', async (t) => {
  const world = jobWorld(t);
  await world.enqueue('a.com');
  const nowMs = world.clock.now();
  await world.jobs.leaseJobs(kind, 1, nowMs, nowMs + 100_000);
  const attempts: number[] = [];
  const worker = world.start({ perform: async (job) => (attempts.push(job.attempts), done) });
  world.clock.advanceSeconds(100);
  await until(() => worker.statistics().done === 1);
  assert.deepEqual(attempts, [2]);
});

test('a failed job waits 1 minute, 4, 16, and at most 6 hours', () => {
  assert.deepEqual(
    [1, 2, 3, 4, 5, 6, 60].map((attempts) => jobBackoffMs(attempts) / 60_000),
    [1, 4, 16, 64, 256, 360, 360],
  );
});

test('no job is begun while disk space is low, and those that are due are performed when there is room', async (t) => {
  const world = jobWorld(t);
  const space = { isLow: true, readings: 0 };
  const performed: string[] = [];
  const worker = startJobWorker(
    {
      kind,
      concurrency: 10,
      maxPerSecond: 1000,
      deadlineMs: 10_000,
      perform: async ({ subject }) => {
        performed.push(subject);
        return done;
      },
    },
    {
      jobs: world.jobs,
      clock: world.clock,
      onFailure: (error) => assert.fail(String(error)),
      freeSpace: {
        hasRoom: () => {
          space.readings += 1;
          return !space.isLow;
        },
      },
    },
  );
  t.after(() => worker.close());
  await world.enqueue('a.example');
  await until(() => space.readings >= 2);
  assert.deepEqual(performed, []);
  space.isLow = false;
  await until(() => performed.length > 0);
  assert.deepEqual(performed, ['a.example']);
});
