/** Crashes at any point of discovery: every lookalike is on every list once, and every name is known once. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { namesStream } from '../../../src/model/stream-names.ts';
import { discoveryWorld, listed, monitor } from '../../harness/fixtures/discovery-fixture.ts';
import { linesIn } from '../../harness/fixtures/observation-fixture.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

const worker = join(import.meta.dirname, '../../harness/workers/discovery-worker.ts');
const rounds = 5;

/** One in fifty is a lookalike. */
function names(kind: string): string[] {
  return Array.from({ length: 5000 }, (_, index) =>
    index % 50 === 0 ? `paypal-${kind}${index}.com` : `${kind}-example${index}.net`,
  );
}

/** Runs until everything is processed, or killed. */
async function run(directory: string, laterSeconds: number, killAfterMs: number): Promise<boolean> {
  const child = spawn(process.execPath, [worker, directory, String(laterSeconds)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  child.stdout.once('data', () => setTimeout(() => child.kill('SIGKILL'), killAfterMs));
  await once(child, 'close');
  return text.includes('complete');
}

test('each domain is discovered once per account after kill -9 at any moment', async (t) => {
  const directory = temporaryDirectory(t);
  const world = discoveryWorld(t, directory);
  const [known, fresh] = [names('known'), names('fresh')];
  await world.append(known);
  await world.discover();
  const [one, two] = [await monitor(world, 'a', 'paypal'), await monitor(world, 'b', 'paypal')];
  await world.append(fresh);
  const outcomes: boolean[] = [];
  for (let round = 0; round < rounds; round += 1) {
    // The leases of the killed process expire.
    world.clock.advanceSeconds(120);
    outcomes.push(await run(directory, 120 * (round + 1), Math.random() * 900));
  }
  t.diagnostic(
    `${outcomes.filter((isComplete) => !isComplete).length} of ${rounds} were killed before they finished`,
  );
  world.clock.advanceSeconds(120);
  await world.discover();
  await world.searchKnown();

  assert.deepEqual(await linesIn(world.streams, namesStream), [...known, ...fresh]);
  const lookalikes = [...known, ...fresh].filter((name) => name.startsWith('paypal')).sort();
  for (const [account, { id }] of [['a', one] as const, ['b', two] as const]) {
    assert.deepEqual(await listed(world.watchlist, account), lookalikes);
    const events = await world.events.listEvents(account, { afterId: 0, limit: 10_000 });
    assert.deepEqual(events.map(({ domain }) => domain).sort(), lookalikes);
    assert.equal((await world.monitors.findMonitor(account, id))?.status, 'completed');
  }
  const nowMs = world.clock.now();
  const jobs = await world.jobs.leaseJobs('collect', 10_000, nowMs, nowMs + 1000);
  assert.deepEqual(jobs.map(({ subject }) => subject).sort(), lookalikes);
});
