import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { dailyJobs } from '../../../src/pipeline/discovery/daily-jobs.ts';
import { discoveryWorld, domainsOf, monitor } from '../../harness/fixtures/discovery-fixture.ts';

const dayMs = 86_400_000;

test('each watched domain has its jobs once a day, at its own time of day', () => {
  fc.assert(
    fc.property(fc.domain(), fc.integer({ min: 0, max: 2 ** 41 }), (domain, nowMs) => {
      const [collect, screenshot] = dailyJobs(domain, nowMs);
      assert.deepEqual([collect?.kind, screenshot?.kind], ['collect', 'screenshot']);
      const { dueMs = 0 } = collect ?? {};
      assert.ok(dueMs > nowMs && dueMs <= nowMs + dayMs);
      assert.equal(screenshot?.dueMs, dueMs);
      // Computed again before it is due, and after.
      assert.equal(dailyJobs(domain, dueMs - 1)[0]?.dueMs, dueMs);
      assert.equal(dailyJobs(domain, dueMs)[0]?.dueMs, dueMs + dayMs);
    }),
  );
});

test('TRI-04 a watched domain has a screenshot job within a day, and no other domain has', async (t) => {
  const world = discoveryWorld(t);
  await monitor(world, 'a', 'paypal');
  await world.append(['paypal-1.com', 'paypal-2.com', 'paypal-3.com']);
  await world.discover();
  const found = await domainsOf(world.watchlist, 'a');
  const idOf = (name: string) => found.find(({ domain }) => domain === name)?.id ?? '';
  const by = { username: 'ann', atMs: world.clock.now() };
  await world.watchlist.triageDomains('a', [idOf('paypal-1.com')], 'watched', by);
  await world.watchlist.triageDomains('a', [idOf('paypal-2.com')], 'ignored', by);
  const immediate = await world.jobs.leaseJobs('screenshot', 10, world.clock.now(), world.clock.now() + 1000);
  assert.equal(immediate.length, 3, 'one screenshot job per discovered domain');
  for (const job of immediate) await world.jobs.finishJob(job, undefined);
  for (let day = 0; day < 3; day += 1) {
    await world.enqueueDaily();
    await world.enqueueDaily();
    world.clock.advanceSeconds(dayMs / 1000);
    const nowMs = world.clock.now();
    const jobs = await world.jobs.leaseJobs('screenshot', 10, nowMs, nowMs + 1000);
    assert.deepEqual(
      jobs.map(({ subject }) => subject),
      ['paypal-1.com'],
    );
    for (const job of jobs) await world.jobs.finishJob(job, undefined);
  }
});
