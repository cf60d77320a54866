import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { PoliteTurns } from '../../../src/collect/runner/politeness.ts';
import type { Passing } from '../../../src/collect/runner/server-line.ts';
import { Problem } from '../../../src/model/problem.ts';

/** Time that passes when the test says so. */
class VirtualTime implements Passing {
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
const rules = (serverRequestsMax: number, serverPauseMilliseconds: number) => ({
  serverRequestsMax,
  serverPauseMilliseconds,
});

test('however many want a server, so many are there at once, and a pause lies between their starts', async () => {
  const visit = fc.record({
    server: fc.constantFrom('one.example', 'TWO.example', 'two.example'),
    afterMs: fc.integer({ min: 0, max: 300 }),
    takesMs: fc.integer({ min: 0, max: 500 }),
    isWell: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 0, max: 200 }),
      fc.array(visit, { maxLength: 25 }),
      async (atOnceMax, pauseMs, visits) => {
        const time = new VirtualTime();
        const turns = new PoliteTurns(rules(atOnceMax, pauseMs), time);
        const starts = new Map<string, number[]>();
        const there = new Map<string, number>();
        let ended = 0;
        for (const { server, afterMs, takesMs, isWell } of visits) {
          await time.pass(afterMs);
          const name = server.toLowerCase();
          const work = async () => {
            const now = (there.get(name) ?? 0) + 1;
            assert.ok(now <= atOnceMax);
            there.set(name, now);
            starts.set(name, [...(starts.get(name) ?? []), time.now()]);
            await time.wait(takesMs);
            there.set(name, (there.get(name) ?? 0) - 1);
            if (!isWell) throw new Problem('timed-out', 'no answer');
          };
          void turns
            .turn(server, never, work)
            .catch((error: unknown) => assert.ok(error instanceof Problem))
            .finally(() => (ended += 1));
        }
        await time.pass(1_000_000);
        assert.equal(ended, visits.length);
        for (const all of starts.values()) {
          for (const [index, startMs] of all.entries())
            assert.ok(index === 0 || startMs - (all[index - 1] as number) >= pauseMs);
        }
      },
    ),
    { numRuns: 60 },
  );
});

test('what a turn gives and throws is what its work gave and threw', async () => {
  const turns = new PoliteTurns(rules(1, 0));
  assert.equal(await turns.turn('a', never, async () => 7), 7);
  await assert.rejects(
    turns.turn('a', never, async () => {
      throw new Error('no');
    }),
    /no/,
  );
});

test('whoever gives up while waiting leaves the line, and the next has its turn', async () => {
  const time = new VirtualTime();
  const turns = new PoliteTurns(rules(1, 0), time);
  const first = turns.turn('a', never, () => time.wait(1000));
  const giving = new AbortController();
  const second = turns.turn('a', giving.signal, async () => assert.fail('had its turn'));
  const third = turns.turn('a', never, async () => 'third');
  giving.abort(new Error('given up'));
  await assert.rejects(second, /given up/);
  await time.pass(1000);
  await first;
  assert.equal(await third, 'third');
  await assert.rejects(
    turns.turn('a', giving.signal, async () => 1),
    /given up/,
  );
});

test('a server that fails again and again rests, longer each time, and whoever comes is turned away at once', async () => {
  const time = new VirtualTime();
  const turns = new PoliteTurns(rules(1, 0), time);
  let asked = 0;
  const ask = (isWell = false) =>
    turns.turn('a', never, async () => {
      asked += 1;
      if (!isWell) throw new Problem('unavailable', 'refused');
    });
  for (let count = 0; count < 3; count += 1) await assert.rejects(ask(), /refused/);
  const waiting = [turns.turn('b', never, async () => 'b')];
  await assert.rejects(ask(), /is left alone for a while/);
  assert.equal(asked, 3);
  assert.equal(await waiting[0], 'b');
  await time.pass(5000);
  await assert.rejects(ask(), /refused/);
  await time.pass(5000);
  await assert.rejects(ask(), /is left alone/);
  await time.pass(5000);
  await ask(true);
  await ask(true);
  await assert.rejects(ask(), /refused/);
  await ask(true);
});

test('those who wait in line for a server that fails need not wait on', async () => {
  const time = new VirtualTime();
  const turns = new PoliteTurns(rules(1, 0), time);
  const outcomes = await Promise.allSettled(
    Array.from({ length: 10 }, () =>
      turns.turn('a', never, async () => {
        throw new Error('refused');
      }),
    ),
  );
  const reasons = outcomes.map((each) => String(each.status === 'rejected' && each.reason));
  assert.equal(reasons.filter((reason) => reason.includes('left alone')).length, 7);
});

test('whom we do not call at all has not failed', async () => {
  const turns = new PoliteTurns(rules(1, 0), new VirtualTime());
  const refused = async () => {
    throw new Problem('invalid-parameters', '127.0.0.1 is not of the Internet');
  };
  for (let count = 0; count < 9; count += 1)
    await assert.rejects(turns.turn('a', never, refused), /not of the Internet/);
});

test('servers that nobody asks are forgotten', async () => {
  const time = new VirtualTime();
  const turns = new PoliteTurns(rules(2, 100), time);
  for (let count = 0; count < 5000; count += 1) {
    await turns.turn(`server${count}`, never, async () => undefined);
    if (count % 100 === 0) await time.pass(200);
  }
  assert.ok(turns.size <= 2000);
});
