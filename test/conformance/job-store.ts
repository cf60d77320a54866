/** What every job store must do. Two handles on the same data stand for two processes. */
import assert from 'node:assert/strict';
import { after, describe, type TestContext, test } from 'node:test';
import * as fc from 'fast-check';
import type { JobStore, LeasedJob } from '../../src/store/job-store.ts';
import { JobReference } from '../harness/reference/job-reference.ts';

/** A function that opens one more handle on the data of this test. */
export type OpenJobStore = (t: TestContext) => () => JobStore;

/** Each test has its own kind of jobs, so that many tests share one store. */
interface JobFixture {
  readonly store: JobStore;
  readonly other: JobStore;
  readonly kind: string;
  enqueue(subject: string, dueMs: number): Promise<void>;
  lease(nowMs: number, untilMs: number, limit?: number): Promise<readonly LeasedJob[]>;
}

export function jobStoreConformance(name: string, open: OpenJobStore): void {
  describe(`${name} as a job store`, () => {
    const handle = open({ after } as TestContext);
    let stores: readonly [JobStore, JobStore] | undefined;
    let kinds = 0;
    const newFixture = (): JobFixture => {
      stores ??= [handle(), handle()];
      const [store, other] = stores;
      const kind = `kind${++kinds}`;
      return {
        store,
        other,
        kind,
        enqueue: (subject, dueMs) => store.enqueue([{ kind, subject, dueMs }]),
        lease: (nowMs, untilMs, limit = 99) => store.leaseJobs(kind, limit, nowMs, untilMs),
      };
    };
    enqueuing(newFixture);
    leasing(newFixture);
    finishing(newFixture);
    manyAtOnce(newFixture, handle);
    counting(newFixture);
    test('any sequence of operations agrees with the reference model', () => agreesWithModel(newFixture));
  });
}

const subjects = (jobs: readonly LeasedJob[]) => jobs.map(({ subject }) => subject);

async function leaseOne(fixture: JobFixture, nowMs: number, untilMs: number): Promise<LeasedJob> {
  const [job] = await fixture.lease(nowMs, untilMs, 1);
  assert.ok(job, 'a job is due');
  return job;
}

function enqueuing(newFixture: () => JobFixture): void {
  test('a job enqueued again is not duplicated, and is due at the earlier time', async () => {
    const fixture = newFixture();
    for (const dueMs of [500, 300, 400]) await fixture.enqueue('a', dueMs);
    const early = await fixture.lease(299, 1000);
    const jobs = await fixture.lease(300, 1000);
    assert.deepEqual([early, jobs.map(({ subject, dueMs }) => [subject, dueMs])], [[], [['a', 300]]]);
  });

  test('a job enqueued while it is leased becomes due again after it finishes, at the given time', async () => {
    const fixture = newFixture();
    await fixture.enqueue('a', 100);
    const job = await leaseOne(fixture, 100, 1000);
    for (const dueMs of [700, 600]) await fixture.enqueue('a', dueMs);
    const held = await fixture.lease(650, 1000);
    await fixture.store.finishJob(job, undefined);
    const early = await fixture.lease(599, 1000);
    assert.deepEqual([held, early, subjects(await fixture.lease(600, 1000))], [[], [], ['a']]);
  });

  test('a request made before the job was leased again is served by that lease', async () => {
    const fixture = newFixture();
    await fixture.enqueue('a', 100);
    await leaseOne(fixture, 100, 200);
    await fixture.enqueue('a', 150);
    const job = await leaseOne(fixture, 200, 300);
    await fixture.store.finishJob(job, undefined);
    assert.equal(await fixture.store.findNextDueMs(fixture.kind), undefined);
  });

  test('kinds do not mix', async () => {
    const [fixture, other] = [newFixture(), newFixture()];
    await fixture.enqueue('a', 100);
    assert.deepEqual([await other.lease(100, 200), subjects(await fixture.lease(100, 200))], [[], ['a']]);
  });

  test('thousands of jobs are enqueued in one call', async () => {
    const fixture = newFixture();
    const { kind } = fixture;
    const jobs = Array.from({ length: 5000 }, (_, index) => ({ kind, subject: `s${index}`, dueMs: index }));
    await fixture.store.enqueue(jobs);
    assert.deepEqual(await fixture.store.statistics(kind, 2499), { waiting: 2500, due: 2500, leased: 0 });
  });
}

function leasing(newFixture: () => JobFixture): void {
  test('the longest overdue jobs are leased first, up to the limit', async () => {
    const fixture = newFixture();
    for (const [subject, dueMs] of [
      ['c', 30],
      ['a', 10],
      ['d', 40],
      ['b', 20],
    ] as const) {
      await fixture.enqueue(subject, dueMs);
    }
    const first = subjects(await fixture.lease(35, 100, 2));
    assert.deepEqual([first, subjects(await fixture.lease(35, 100, 2))], [['a', 'b'], ['c']]);
  });

  test('concurrent leases never return the same job', async () => {
    const { store, other, kind } = newFixture();
    await store.enqueue(
      Array.from({ length: 100 }, (_, index) => ({ kind, subject: `s${index}`, dueMs: 0 })),
    );
    const asks = Array.from({ length: 20 }, (_, index) =>
      (index % 2 ? store : other).leaseJobs(kind, 7, 0, 1000),
    );
    const leased = subjects((await Promise.all(asks)).flat());
    assert.deepEqual([leased.length, new Set(leased).size], [100, 100]);
  });

  test('an expired lease can be taken over, and counts as a second attempt', async () => {
    const fixture = newFixture();
    await fixture.enqueue('a', 100);
    const lost = await leaseOne(fixture, 100, 200);
    const held = await fixture.lease(199, 300);
    const taken = await leaseOne(fixture, 200, 300);
    assert.deepEqual([lost.attempts, held, taken.attempts], [1, [], 2]);
    assert.notEqual(lost.lease, taken.lease);
  });
}

function finishing(newFixture: () => JobFixture): void {
  test('a finished job is removed, or due again with its attempts reset', async () => {
    const fixture = newFixture();
    await fixture.enqueue('a', 100);
    await fixture.store.finishJob(await leaseOne(fixture, 100, 200), 500);
    const early = await fixture.lease(499, 600);
    const again = await leaseOne(fixture, 500, 600);
    await fixture.store.finishJob(again, undefined);
    assert.deepEqual([early, again.attempts, await fixture.lease(9999, 10_000)], [[], 1, []]);
  });

  test('a retried job is due again, and its attempts keep counting', async () => {
    const fixture = newFixture();
    await fixture.enqueue('a', 100);
    assert.equal(await fixture.store.retryJob(await leaseOne(fixture, 100, 200), 300), true);
    const early = await fixture.lease(299, 400);
    assert.deepEqual([early, (await leaseOne(fixture, 300, 400)).attempts], [[], 2]);
  });

  test('the earlier of the next due time and the time enqueued meanwhile counts', async () => {
    const fixture = newFixture();
    for (const subject of ['a', 'b']) await fixture.enqueue(subject, 100);
    const jobs = await fixture.lease(100, 200);
    for (const subject of ['a', 'b']) await fixture.enqueue(subject, 500);
    await fixture.store.finishJob(jobs[0] as LeasedJob, 400);
    await fixture.store.retryJob(jobs[1] as LeasedJob, 600);
    assert.deepEqual(
      (await fixture.lease(1000, 2000)).map(({ subject, dueMs }) => [subject, dueMs]),
      [
        ['a', 400],
        ['b', 500],
      ],
    );
  });

  test('a holder that lost its lease can neither finish nor retry the job', async () => {
    const fixture = newFixture();
    await fixture.enqueue('a', 100);
    const lost = await leaseOne(fixture, 100, 200);
    const taken = await leaseOne(fixture, 200, 300);
    assert.deepEqual(
      [
        await fixture.store.finishJob(lost, undefined),
        await fixture.store.finishJob(lost, 0),
        await fixture.store.retryJob(lost, 0),
        await fixture.other.finishJob(taken, undefined),
        await fixture.other.finishJob(taken, undefined),
      ],
      [false, false, false, true, false],
    );
  });

  test('a holder whose lease expired can finish the job as long as no other has leased it', async () => {
    const fixture = newFixture();
    await fixture.enqueue('a', 100);
    const slow = await leaseOne(fixture, 100, 200);
    await fixture.enqueue('b', 500);
    assert.equal(await fixture.store.finishJob(slow, undefined), true);
  });
}

function manyAtOnce(newFixture: () => JobFixture, handle: () => JobStore): void {
  const leaseMany = async ({ store, kind }: JobFixture, count: number) => {
    const names = Array.from({ length: count }, (_, index) => `s${index}.test`);
    await store.enqueue(names.map((subject) => ({ kind, subject, dueMs: 0 })));
    return store.leaseJobs(kind, count, 1, 100);
  };

  test('jobs that end at the same time have separate outcomes', async () => {
    const fixture = newFixture();
    const jobs = await leaseMany(fixture, 1200);
    const outcomes = await Promise.all(
      jobs.map((job, index) => {
        if (index % 3 === 0) return fixture.store.finishJob({ ...job, lease: 'of another' }, undefined);
        return index % 3 === 1 ? fixture.store.finishJob(job, undefined) : fixture.store.retryJob(job, 5000);
      }),
    );
    assert.deepEqual(
      outcomes,
      jobs.map((_, index) => index % 3 !== 0),
    );
    assert.deepEqual(await fixture.store.statistics(fixture.kind, 1), { waiting: 400, due: 0, leased: 400 });
  });

  test('of two outcomes of one lease at the same time the first counts', async () => {
    const fixture = newFixture();
    const [job] = (await leaseMany(fixture, 1)) as [LeasedJob];
    const outcomes = [fixture.store.retryJob(job, 50), fixture.store.finishJob(job, undefined)];
    assert.deepEqual(await Promise.all(outcomes), [true, false]);
    assert.equal(await fixture.store.findNextDueMs(fixture.kind), 50);
  });

  test('closing the store commits pending outcomes first', async () => {
    const fixture = newFixture();
    const [job] = (await leaseMany(fixture, 1)) as [LeasedJob];
    const closed = handle();
    const outcome = closed.finishJob(job, 7000);
    await closed.close();
    assert.equal(await outcome, true);
    assert.equal(await fixture.store.findNextDueMs(fixture.kind), 7000);
  });
}

function counting(newFixture: () => JobFixture): void {
  test('the next due time is the earliest time at which a job can be leased', async () => {
    const fixture = newFixture();
    const next = () => fixture.other.findNextDueMs(fixture.kind);
    const seen = [await next()];
    await fixture.enqueue('a', 100);
    seen.push(await next());
    await leaseOne(fixture, 100, 200);
    seen.push(await next());
    await fixture.enqueue('b', 150);
    seen.push(await next());
    assert.deepEqual(seen, [undefined, 100, 200, 150]);
  });

  test('due times are found by subject, also of leased jobs', async () => {
    const fixture = newFixture();
    await fixture.enqueue('a', 100);
    await fixture.enqueue('b', 700);
    await leaseOne(fixture, 100, 200);
    assert.deepEqual(await fixture.other.findDueMs(fixture.kind, ['b', 'c', 'a']), [700, undefined, 100]);
  });

  test('statistics count waiting, due and leased jobs', async () => {
    const fixture = newFixture();
    for (const [subject, dueMs] of [
      ['a', 1],
      ['b', 2],
      ['c', 3],
      ['d', 900],
    ] as const) {
      await fixture.enqueue(subject, dueMs);
    }
    await fixture.lease(1, 500);
    await fixture.lease(2, 50);
    assert.deepEqual(
      [await fixture.store.statistics(fixture.kind, 40), await fixture.store.statistics(fixture.kind, 50)],
      [
        { waiting: 1, due: 1, leased: 2 },
        { waiting: 1, due: 2, leased: 1 },
      ],
    );
  });
}

const operation = fc.oneof(
  fc.record({
    do: fc.constant('enqueue' as const),
    jobs: fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.nat(40)), { maxLength: 4 }),
  }),
  fc.record({ do: fc.constant('lease' as const), limit: fc.integer({ min: 1, max: 3 }), forMs: fc.nat(10) }),
  fc.record({ do: fc.constant('finish' as const), which: fc.nat(), again: fc.option(fc.nat(20)) }),
  fc.record({ do: fc.constant('retry' as const), which: fc.nat(), again: fc.nat(20) }),
  fc.record({ do: fc.constant('pass' as const), ms: fc.nat(10) }),
);

/** Applies each step to the store and to the reference model, which must agree. */
async function agreesWithModel(newFixture: () => JobFixture): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { maxLength: 30 }), async (steps) => {
      const { store, kind } = newFixture();
      const model = new JobReference();
      const held: LeasedJob[] = [];
      let nowMs = 0;
      for (const step of steps) {
        const job = 'which' in step ? held[step.which % Math.max(held.length, 1)] : undefined;
        if (step.do === 'pass') nowMs += step.ms;
        else if (step.do === 'enqueue') {
          const jobs = step.jobs.map(([subject, dueMs]) => ({ kind, subject, dueMs }));
          await store.enqueue(jobs);
          model.enqueue(jobs);
        } else if (step.do === 'lease') {
          const leased = await store.leaseJobs(kind, step.limit, nowMs, nowMs + 1 + step.forMs);
          const expected = model.lease(step.limit, nowMs, nowMs + 1 + step.forMs);
          assert.deepEqual(
            leased.map(({ subject, dueMs, attempts }) => ({ subject, dueMs, attempts })),
            expected,
          );
          for (const each of leased) model.name(each.subject, each.lease);
          held.push(...leased);
        } else if (job && step.do === 'finish') {
          const againMs = step.again === null ? undefined : nowMs + step.again;
          assert.equal(await store.finishJob(job, againMs), model.finish(job, againMs));
        } else if (job && step.do === 'retry') {
          assert.equal(await store.retryJob(job, nowMs + step.again), model.retry(job, nowMs + step.again));
        }
        assert.equal(await store.findNextDueMs(kind), model.findNextDueMs());
        assert.deepEqual(await store.statistics(kind, nowMs), model.statistics(nowMs));
      }
    }),
    { numRuns: 60 },
  );
}
