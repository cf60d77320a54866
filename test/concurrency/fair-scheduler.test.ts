import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { FairScheduler } from '../../src/concurrency/fair-scheduler.ts';

/** An event loop whose time passes only where work says so. */
class SimulatedLoop {
  #nowMs = 0;
  #nextIteration: (() => void)[] = [];
  #afterPromises: (() => void)[] = [];
  iterations = 0;

  now(): number {
    return this.#nowMs;
  }

  inNextIteration(callback: () => void): void {
    this.#nextIteration.push(callback);
  }

  afterPromises(callback: () => void): void {
    this.#afterPromises.push(callback);
  }

  spend(milliseconds: number): void {
    this.#nowMs += milliseconds;
  }

  /** Runs one iteration; false when there is nothing to run. */
  async iteration(): Promise<boolean> {
    const callbacks = this.#nextIteration.splice(0);
    if (callbacks.length === 0) return false;
    this.iterations += 1;
    for (let next = callbacks.shift(); next; next = callbacks.shift() ?? this.#afterPromises.shift()) {
      next();
      await settled();
    }
    return true;
  }
}

async function settled(): Promise<void> {
  for (let hop = 0; hop < 10; hop += 1) await Promise.resolve();
}

interface Load {
  readonly flow: string;
  readonly slices: readonly number[];
}

/** Runs tasks that each spend some milliseconds in every slice; gives the order in which slices were granted, with their cost. */
async function run(
  loads: readonly Load[],
): Promise<{ granted: [flow: string, spentMs: number][]; iterations: number; longestMs: number }> {
  const loop = new SimulatedLoop();
  const scheduler = new FairScheduler(loop, () => 4);
  const granted: [string, number][] = [];
  for (const { flow, slices } of loads) {
    void (async () => {
      for (const milliseconds of slices) {
        await scheduler.nextSlice(flow);
        loop.spend(milliseconds);
        granted.push([flow, milliseconds]);
      }
    })();
  }
  let longestMs = 0;
  for (let began = 0; await loop.iteration(); began = loop.now()) {
    longestMs = Math.max(longestMs, loop.now() - began);
  }
  return { granted, iterations: loop.iterations, longestMs };
}

test('an iteration of the event loop grants one slice, however many tasks wait', async () => {
  const loads = Array.from({ length: 32 }, (_, index) => ({ flow: `key ${index % 4}`, slices: [4, 4, 4] }));
  const { granted, iterations } = await run(loads);
  assert.equal(granted.length, 96);
  assert.equal(iterations, 96);
});

test('tasks that need less than a slice share it', async () => {
  const loads = Array.from({ length: 32 }, (_, index) => ({ flow: `key ${index % 4}`, slices: [1, 1, 1] }));
  const { granted, iterations } = await run(loads);
  assert.equal(granted.length, 96);
  assert.equal(iterations, 24);
});

test('an iteration takes no longer than a slice and the task that is under way at its end', async () => {
  const load = fc.record({
    flow: fc.constantFrom('a', 'b', 'c'),
    slices: fc.array(fc.double({ min: 0, max: 4, noNaN: true }), { minLength: 1, maxLength: 20 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(load, { minLength: 1, maxLength: 40 }), async (loads) => {
      const { longestMs } = await run(loads);
      assert.ok(longestMs < 8, `${longestMs} ms`);
    }),
    { numRuns: 200 },
  );
});

test('a task gets no second slice before the next iteration', async () => {
  const { iterations } = await run([{ flow: 'key', slices: [0, 0, 0, 0, 0] }]);
  assert.equal(iterations, 5);
});

test('a slice that others have begun ends when theirs does', async () => {
  const loop = new SimulatedLoop();
  const scheduler = new FairScheduler(loop, () => 4);
  const ends: (number | undefined)[] = [];
  for (const milliseconds of [1, 2, 3]) {
    void (async () => {
      await scheduler.nextSlice('key');
      ends.push(scheduler.grantedUntilMs);
      loop.spend(milliseconds);
    })();
  }
  while (await loop.iteration());
  assert.deepEqual(ends, [4, 4, 4]);
  assert.equal(scheduler.grantedUntilMs, undefined);
});

test('a flow with 32 tasks gets the share of a flow with one', async () => {
  const many = Array.from({ length: 32 }, () => ({ flow: 'many', slices: Array<number>(20).fill(4) }));
  const { granted } = await run([...many, { flow: 'one', slices: Array<number>(20).fill(4) }]);
  const untilOneIsDone = granted.slice(0, granted.findLastIndex(([flow]) => flow === 'one') + 1);
  assert.equal(untilOneIsDone.filter(([flow]) => flow === 'many').length, 20);
});

test('while two flows have work, their times differ by no more than two slices', async () => {
  const load = fc.record({
    flow: fc.constantFrom('a', 'b', 'c'),
    slices: fc.array(fc.integer({ min: 0, max: 8 }), { minLength: 1, maxLength: 30 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(load, { minLength: 2, maxLength: 12 }), async (loads) => {
      const { granted } = await run(loads);
      assert.equal(granted.length, loads.flatMap(({ slices }) => slices).length);
      const left = new Map<string, number>();
      for (const [flow] of granted) left.set(flow, (left.get(flow) ?? 0) + 1);
      const served = new Map([...left.keys()].map((flow) => [flow, 0]));
      for (const [flow, milliseconds] of granted) {
        served.set(flow, (served.get(flow) as number) + milliseconds);
        left.set(flow, (left.get(flow) as number) - 1);
        if ([...left.values()].some((count) => count === 0)) break;
        const times = [...served.values()];
        assert.ok(Math.max(...times) - Math.min(...times) <= 2 * 8 + 1, times.join());
      }
    }),
    { numRuns: 200 },
  );
});

test('a flow that was idle does not catch up on what it did not use', async () => {
  const loop = new SimulatedLoop();
  const scheduler = new FairScheduler(loop, () => 4);
  const granted: string[] = [];
  const work = async (flow: string, slices: number) => {
    for (let slice = 0; slice < slices; slice += 1) {
      await scheduler.nextSlice(flow);
      loop.spend(4);
      granted.push(flow);
    }
  };
  void work('busy', 100);
  for (let iteration = 0; iteration < 50; iteration += 1) await loop.iteration();
  void work('late', 10);
  while (await loop.iteration());
  const after = granted.slice(50, 70);
  assert.equal(after.filter((flow) => flow === 'late').length, 10);
  assert.equal(after.filter((flow) => flow === 'busy').length, 10);
});

test('tasks of one flow alternate in the order in which they came', async () => {
  const loop = new SimulatedLoop();
  const scheduler = new FairScheduler(loop, () => 4);
  const order: number[] = [];
  for (const task of [1, 2, 3]) {
    void (async () => {
      for (let slice = 0; slice < 2; slice += 1) {
        await scheduler.nextSlice('key');
        order.push(task);
      }
    })();
  }
  while (await loop.iteration());
  assert.deepEqual(order, [1, 2, 3, 1, 2, 3]);
});

test('slices wait for iterations without a new connection, and not for ever', async () => {
  const loop = new SimulatedLoop();
  const scheduler = new FairScheduler(loop, () => 4);
  let granted = 0;
  void (async () => {
    for (let slice = 0; slice < 3; slice += 1) {
      await scheduler.nextSlice('key');
      granted += 1;
    }
  })();
  for (let connection = 0; connection < 10; connection += 1) {
    scheduler.noteConnection();
    await loop.iteration();
  }
  assert.equal(granted, 0);
  await loop.iteration();
  assert.equal(granted, 1);
  for (let connection = 0; connection < 70; connection += 1) {
    scheduler.noteConnection();
    await loop.iteration();
  }
  assert.equal(granted, 2);
  await loop.iteration();
  assert.equal(granted, 3);
});
