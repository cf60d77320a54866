import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import {
  absolute,
  type CountedLimit,
  type Limit,
  perDay,
  perHour,
} from '../../../src/model/account/limit.ts';
import { openUsageStore } from '../../../src/store/embedded/usage-store.ts';
import type { UsageStore } from '../../../src/store/usage-store.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { startWorkers } from '../../harness/workers/start-store-workers.ts';

const nowMs = Date.parse('2026-03-04T10:11:12Z');
const counted = (limit: Limit): CountedLimit => ({ ...limit, subject: 'account:a/x' });
const kinds = {
  sliding: counted(perHour(1000)),
  calendar: counted(perDay(1000)),
  block: counted(absolute(1000)),
};

/** A directory whose database is there already: what happens at its making is another test. */
async function preparedDirectory(t: TestContext): Promise<string> {
  const directory = temporaryDirectory(t);
  await openUsageStore(directory).close();
  return directory;
}

for (const [kind, limit] of Object.entries(kinds)) {
  test(`LIM-18 four processes that charge a ${kind} limit of 1000 concurrently are granted exactly 1000`, async (t) => {
    const directory = await preparedDirectory(t);
    const workers = await startWorkers(t, 4);
    const charge = { task: 'charge', directory, limits: [limit], nowMs } as const;
    const granted = (await Promise.all(workers.map((worker) => worker.run(charge)))) as number[];
    assert.equal(
      granted.reduce((sum, part) => sum + part, 0),
      1000,
    );
    const store = openUsageStore(directory);
    t.after(() => store.close());
    assert.deepEqual(await store.remainingOf([limit], nowMs), [0]);
  });
}

async function chargeAll(store: UsageStore, limits: readonly CountedLimit[]): Promise<number> {
  for (let granted = 0; ; ) {
    const outcomes = await Promise.all(Array.from({ length: 500 }, () => store.charge({ limits }, nowMs)));
    const here = outcomes.filter((outcome) => outcome.granted).length;
    granted += here;
    if (here < outcomes.length) return granted;
  }
}

test('after processes are killed while charging, no acknowledged grant is lost and the limit still holds', async (t) => {
  const directory = await preparedDirectory(t);
  const journal = join(directory, 'journal');
  writeFileSync(journal, '');
  const [size, rounds] = [10_000, 4];
  const limits = [counted(perHour(size)), counted(perDay(size)), counted(absolute(size))];
  for (let round = 0; round < rounds; round += 1) {
    const workers = await startWorkers(t, 3);
    for (const worker of workers) worker.begin({ task: 'charge', directory, limits, nowMs, journal });
    await Promise.all(
      workers.map(async (worker) => {
        await pause(20 + Math.random() * 80);
        await worker.kill();
      }),
    );
  }
  const acknowledged = readFileSync(journal).length;
  const store = openUsageStore(directory);
  t.after(() => store.close());
  const [remaining = 0, ...others] = await store.remainingOf(limits, nowMs);
  assert.deepEqual(others, [remaining, remaining], 'a charge is counted in all of its limits or in none');
  assert.ok(acknowledged > 0 && remaining > 0, 'the processes were killed while they drew');
  const recorded = size - remaining;
  assert.ok(recorded >= acknowledged, `${acknowledged} acknowledged, ${recorded} recorded`);
  assert.ok(recorded <= acknowledged + rounds * 3, 'each killed process had at most one charge under way');
  assert.equal(await chargeAll(store, limits), remaining);
});

test('of 50 concurrent claims of one id from two processes exactly one is true', async (t) => {
  const workers = await startWorkers(t, 2);
  for (let round = 0; round < 20; round += 1) {
    const directory = await preparedDirectory(t);
    const claim = { task: 'claim', directory, id: `request ${round}`, times: 25 } as const;
    const firsts = (await Promise.all(workers.map((worker) => worker.run(claim)))) as number[];
    assert.equal((firsts[0] ?? 0) + (firsts[1] ?? 0), 1);
  }
});

test('a claim is still refused after the process that made it was killed', async (t) => {
  const directory = await preparedDirectory(t);
  const claim = { task: 'claim', directory, id: 'request', times: 1 } as const;
  const [first, second] = await startWorkers(t, 2);
  assert.equal(await first?.run(claim), 1);
  await first?.kill();
  assert.equal(await second?.run(claim), 0);
});
