import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { Timers } from '../../src/concurrency/host-queue.ts';
import { HostThrottle } from '../../src/concurrency/host-throttle.ts';
import { Problem } from '../../src/model/problem.ts';

/** A clock that the test moves. */
class VirtualTimers implements Timers {
  #nowMs = 0;
  #calls: { readonly atMs: number; readonly call: () => void }[] = [];

  now(): number {
    return this.#nowMs;
  }

  after(ms: number, call: () => void): () => void {
    const one = { atMs: this.#nowMs + ms, call };
    this.#calls.push(one);
    return () => {
      this.#calls = this.#calls.filter((each) => each !== one);
    };
  }

  async pass(ms: number): Promise<void> {
    const endMs = this.#nowMs + ms;
    for (;;) {
      await settled();
      const next = this.#calls.sort((one, other) => one.atMs - other.atMs)[0];
      if (!next || next.atMs > endMs) break;
      this.#calls.shift();
      this.#nowMs = next.atMs;
      next.call();
    }
    this.#nowMs = endMs;
    await settled();
  }

  wait(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve));
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const never = new AbortController().signal;
const rules = (concurrency: number, pauseMs: number) => ({ concurrency, pauseMs });

test('requests to one host keep to the concurrency limit and to the pause between starts', async () => {
  const request = fc.record({
    host: fc.constantFrom('one.example', 'TWO.example', 'two.example'),
    afterMs: fc.integer({ min: 0, max: 300 }),
    takesMs: fc.integer({ min: 0, max: 500 }),
    succeeds: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 0, max: 200 }),
      fc.array(request, { maxLength: 25 }),
      async (concurrency, pauseMs, requests) => {
        const time = new VirtualTimers();
        const throttle = new HostThrottle(rules(concurrency, pauseMs), time);
        const starts = new Map<string, number[]>();
        const active = new Map<string, number>();
        let ended = 0;
        for (const { host, afterMs, takesMs, succeeds } of requests) {
          await time.pass(afterMs);
          const name = host.toLowerCase();
          const work = async () => {
            const now = (active.get(name) ?? 0) + 1;
            assert.ok(now <= concurrency);
            active.set(name, now);
            starts.set(name, [...(starts.get(name) ?? []), time.now()]);
            await time.wait(takesMs);
            active.set(name, (active.get(name) ?? 0) - 1);
            if (!succeeds) throw new Problem('timed-out', 'no answer');
          };
          void throttle
            .run(host, never, work)
            .catch((error: unknown) => assert.ok(error instanceof Problem))
            .finally(() => (ended += 1));
        }
        await time.pass(1_000_000);
        assert.equal(ended, requests.length);
        for (const all of starts.values()) {
          for (const [index, startMs] of all.entries())
            assert.ok(index === 0 || startMs - (all[index - 1] as number) >= pauseMs);
        }
      },
    ),
    { numRuns: 60 },
  );
});

test('the result and the error of the work are passed on', async () => {
  const throttle = new HostThrottle(rules(1, 0));
  assert.equal(await throttle.run('a', never, async () => 7), 7);
  await assert.rejects(
    throttle.run('a', never, async () => {
      throw new Error('no');
    }),
    /no/,
  );
});

test('a caller that aborts while waiting leaves the queue, and the next is admitted', async () => {
  const time = new VirtualTimers();
  const throttle = new HostThrottle(rules(1, 0), time);
  const first = throttle.run('a', never, () => time.wait(1000));
  const giving = new AbortController();
  const second = throttle.run('a', giving.signal, async () => assert.fail('was admitted'));
  const third = throttle.run('a', never, async () => 'third');
  giving.abort(new Error('given up'));
  await assert.rejects(second, /given up/);
  await time.pass(1000);
  await first;
  assert.equal(await third, 'third');
  await assert.rejects(
    throttle.run('a', giving.signal, async () => 1),
    /given up/,
  );
});

test('three consecutive failures open the circuit, each failed trial for longer, and callers are rejected immediately', async () => {
  const time = new VirtualTimers();
  const throttle = new HostThrottle(rules(1, 0), time);
  let requests = 0;
  const request = (succeeds = false) =>
    throttle.run('a', never, async () => {
      requests += 1;
      if (!succeeds) throw new Problem('unavailable', 'refused');
    });
  for (let count = 0; count < 3; count += 1) await assert.rejects(request(), /refused/);
  const waiting = [throttle.run('b', never, async () => 'b')];
  await assert.rejects(request(), /circuit open/);
  assert.equal(requests, 3);
  assert.equal(await waiting[0], 'b');
  await time.pass(5000);
  await assert.rejects(request(), /refused/);
  await time.pass(5000);
  await assert.rejects(request(), /circuit open/);
  await time.pass(5000);
  await request(true);
  await request(true);
  await assert.rejects(request(), /refused/);
  await request(true);
});

test('callers that are queued when the circuit opens are rejected too', async () => {
  const time = new VirtualTimers();
  const throttle = new HostThrottle(rules(1, 0), time);
  const outcomes = await Promise.allSettled(
    Array.from({ length: 10 }, () =>
      throttle.run('a', never, async () => {
        throw new Error('refused');
      }),
    ),
  );
  const reasons = outcomes.map((each) => String(each.status === 'rejected' && each.reason));
  assert.equal(reasons.filter((reason) => reason.includes('circuit open')).length, 7);
});

test('an address that the guard refuses does not count as a failure of the host', async () => {
  const throttle = new HostThrottle(rules(1, 0), new VirtualTimers());
  const refused = async () => {
    throw new Problem('invalid-parameters', '127.0.0.1 is not a public address');
  };
  for (let count = 0; count < 9; count += 1)
    await assert.rejects(throttle.run('a', never, refused), /not a public address/);
});

test('idle hosts are evicted', async () => {
  const time = new VirtualTimers();
  const throttle = new HostThrottle(rules(2, 100), time);
  for (let count = 0; count < 5000; count += 1) {
    await throttle.run(`host${count}`, never, async () => undefined);
    if (count % 100 === 0) await time.pass(200);
  }
  assert.ok(throttle.size <= 2000);
});
