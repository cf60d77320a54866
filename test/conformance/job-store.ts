/** What every job-store promises. Two handles on the same data stand for two processes. */
import assert from 'node:assert/strict';
import { after, describe, type TestContext, test } from 'node:test';
import * as fc from 'fast-check';
import type { JobStore, LeasedJob } from '../../src/store/job-store.ts';
import { JobReference } from '../harness/job-reference.ts';

/** A function that opens one more handle on the data of this test. */
export type OpenJobStore = (t: TestContext) => () => JobStore;

/** A kind of its own for each test, so that many tests share one store. */
interface World {
  readonly store: JobStore;
  readonly other: JobStore;
  readonly kind: string;
  enqueue(subject: string, dueMs: number): Promise<void>;
  lease(nowMs: number, untilMs: number, limit?: number): Promise<readonly LeasedJob[]>;
}

export function jobStoreConformance(name: string, open: OpenJobStore): void {
  describe(`${name} as a job-store`, () => {
    const handle = open({ after } as TestContext);
    let stores: readonly [JobStore, JobStore] | undefined;
    let kinds = 0;
    const newWorld = (): World => {
      stores ??= [handle(), handle()];
      const [store, other] = stores;
      const kind = `kind${++kinds}`;
      return {
        store,
        other,
        kind,
        enqueue: (subject, dueMs) => store.enqueue([{ kind, subject, dueMs }]),
        lease: (nowMs, untilMs, limit = 99) => store.lease(kind, limit, nowMs, untilMs),
      };
    };
    enqueuing(newWorld);
    leasing(newWorld);
    settling(newWorld);
    counting(newWorld);
    test('any sequence of operations comes out as in a simple model', () => agreesWithModel(newWorld));
  });
}

const subjects = (jobs: readonly LeasedJob[]) => jobs.map(({ subject }) => subject);

async function leaseOne(world: World, nowMs: number, untilMs: number): Promise<LeasedJob> {
  const [job] = await world.lease(nowMs, untilMs, 1);
  assert.ok(job, 'a job is due');
  return job;
}

function enqueuing(newWorld: () => World): void {
  test('a job that is asked for twice is one, due at the earlier time', async () => {
    const world = newWorld();
    for (const dueMs of [500, 300, 400]) await world.enqueue('a', dueMs);
    const early = await world.lease(299, 1000);
    const jobs = await world.lease(300, 1000);
    assert.deepEqual([early, jobs.map(({ subject, dueMs }) => [subject, dueMs])], [[], [['a', 300]]]);
  });

  test('a job that is asked for while it is being done is due again afterwards, at its own time', async () => {
    const world = newWorld();
    await world.enqueue('a', 100);
    const job = await leaseOne(world, 100, 1000);
    for (const dueMs of [700, 600]) await world.enqueue('a', dueMs);
    const held = await world.lease(650, 1000);
    await world.store.finish(job, undefined);
    const early = await world.lease(599, 1000);
    assert.deepEqual([held, early, subjects(await world.lease(600, 1000))], [[], [], ['a']]);
  });

  test('what was asked for before a job was begun anew is served by that', async () => {
    const world = newWorld();
    await world.enqueue('a', 100);
    await leaseOne(world, 100, 200);
    await world.enqueue('a', 150);
    const job = await leaseOne(world, 200, 300);
    await world.store.finish(job, undefined);
    assert.equal(await world.store.findNextDueMs(world.kind), undefined);
  });

  test('kinds do not mix', async () => {
    const [world, other] = [newWorld(), newWorld()];
    await world.enqueue('a', 100);
    assert.deepEqual([await other.lease(100, 200), subjects(await world.lease(100, 200))], [[], ['a']]);
  });

  test('thousands of jobs are taken at once', async () => {
    const world = newWorld();
    const { kind } = world;
    const jobs = Array.from({ length: 5000 }, (_, index) => ({ kind, subject: `s${index}`, dueMs: index }));
    await world.store.enqueue(jobs);
    assert.deepEqual(await world.store.statistics(kind, 2499), { waiting: 2500, due: 2500, leased: 0 });
  });
}

function leasing(newWorld: () => World): void {
  test('the longest due are first, up to the limit', async () => {
    const world = newWorld();
    for (const [subject, dueMs] of [
      ['c', 30],
      ['a', 10],
      ['d', 40],
      ['b', 20],
    ] as const) {
      await world.enqueue(subject, dueMs);
    }
    const first = subjects(await world.lease(35, 100, 2));
    assert.deepEqual([first, subjects(await world.lease(35, 100, 2))], [['a', 'b'], ['c']]);
  });

  test('two who ask at once never get the same job', async () => {
    const { store, other, kind } = newWorld();
    await store.enqueue(
      Array.from({ length: 100 }, (_, index) => ({ kind, subject: `s${index}`, dueMs: 0 })),
    );
    const asks = Array.from({ length: 20 }, (_, index) =>
      (index % 2 ? store : other).lease(kind, 7, 0, 1000),
    );
    const leased = subjects((await Promise.all(asks)).flat());
    assert.deepEqual([leased.length, new Set(leased).size], [100, 100]);
  });

  test('a job whose holder was too slow is another’s, and counts as begun twice', async () => {
    const world = newWorld();
    await world.enqueue('a', 100);
    const lost = await leaseOne(world, 100, 200);
    const held = await world.lease(199, 300);
    const taken = await leaseOne(world, 200, 300);
    assert.deepEqual([lost.attempts, held, taken.attempts], [1, [], 2]);
    assert.notEqual(lost.lease, taken.lease);
  });
}

function settling(newWorld: () => World): void {
  test('a job that is done is gone, or due again at a time, as if for the first time', async () => {
    const world = newWorld();
    await world.enqueue('a', 100);
    await world.store.finish(await leaseOne(world, 100, 200), 500);
    const early = await world.lease(499, 600);
    const again = await leaseOne(world, 500, 600);
    await world.store.finish(again, undefined);
    assert.deepEqual([early, again.attempts, await world.lease(9999, 10_000)], [[], 1, []]);
  });

  test('a job that failed is due again at a time, and goes on counting', async () => {
    const world = newWorld();
    await world.enqueue('a', 100);
    assert.equal(await world.store.retry(await leaseOne(world, 100, 200), 300), true);
    const early = await world.lease(299, 400);
    assert.deepEqual([early, (await leaseOne(world, 300, 400)).attempts], [[], 2]);
  });

  test('of the time to do it again and the time it was asked for, the earlier counts', async () => {
    const world = newWorld();
    for (const subject of ['a', 'b']) await world.enqueue(subject, 100);
    const jobs = await world.lease(100, 200);
    for (const subject of ['a', 'b']) await world.enqueue(subject, 500);
    await world.store.finish(jobs[0] as LeasedJob, 400);
    await world.store.retry(jobs[1] as LeasedJob, 600);
    assert.deepEqual(
      (await world.lease(1000, 2000)).map(({ subject, dueMs }) => [subject, dueMs]),
      [
        ['a', 400],
        ['b', 500],
      ],
    );
  });

  test('one that lost a job settles nothing', async () => {
    const world = newWorld();
    await world.enqueue('a', 100);
    const lost = await leaseOne(world, 100, 200);
    const taken = await leaseOne(world, 200, 300);
    assert.deepEqual(
      [
        await world.store.finish(lost, undefined),
        await world.store.finish(lost, 0),
        await world.store.retry(lost, 0),
        await world.other.finish(taken, undefined),
        await world.other.finish(taken, undefined),
      ],
      [false, false, false, true, false],
    );
  });

  test('a holder that was too slow, but whose job nobody took, settles it', async () => {
    const world = newWorld();
    await world.enqueue('a', 100);
    const slow = await leaseOne(world, 100, 200);
    await world.enqueue('b', 500);
    assert.equal(await world.store.finish(slow, undefined), true);
  });
}

function counting(newWorld: () => World): void {
  test('the next job is known by the time at which somebody may have it', async () => {
    const world = newWorld();
    const next = () => world.other.findNextDueMs(world.kind);
    const seen = [await next()];
    await world.enqueue('a', 100);
    seen.push(await next());
    await leaseOne(world, 100, 200);
    seen.push(await next());
    await world.enqueue('b', 150);
    seen.push(await next());
    assert.deepEqual(seen, [undefined, 100, 200, 150]);
  });

  test('jobs are waiting, due or leased', async () => {
    const world = newWorld();
    for (const [subject, dueMs] of [
      ['a', 1],
      ['b', 2],
      ['c', 3],
      ['d', 900],
    ] as const) {
      await world.enqueue(subject, dueMs);
    }
    await world.lease(1, 500);
    await world.lease(2, 50);
    assert.deepEqual(
      [await world.store.statistics(world.kind, 40), await world.store.statistics(world.kind, 50)],
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

/** Each step with both, which must say the same. */
async function agreesWithModel(newWorld: () => World): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { maxLength: 30 }), async (steps) => {
      const { store, kind } = newWorld();
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
          const leased = await store.lease(kind, step.limit, nowMs, nowMs + 1 + step.forMs);
          const expected = model.lease(step.limit, nowMs, nowMs + 1 + step.forMs);
          assert.deepEqual(
            leased.map(({ subject, dueMs, attempts }) => ({ subject, dueMs, attempts })),
            expected,
          );
          for (const each of leased) model.name(each.subject, each.lease);
          held.push(...leased);
        } else if (job && step.do === 'finish') {
          const againMs = step.again === null ? undefined : nowMs + step.again;
          assert.equal(await store.finish(job, againMs), model.finish(job, againMs));
        } else if (job && step.do === 'retry') {
          assert.equal(await store.retry(job, nowMs + step.again), model.retry(job, nowMs + step.again));
        }
        assert.equal(await store.findNextDueMs(kind), model.findNextDueMs());
        assert.deepEqual(await store.statistics(kind, nowMs), model.statistics(nowMs));
      }
    }),
    { numRuns: 60 },
  );
}
