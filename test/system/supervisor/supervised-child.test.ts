/** One process that is kept running, with a program that does as its settings say. */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { ToProcess } from '../../../src/supervisor/messages.ts';
import { SupervisedChild } from '../../../src/supervisor/supervised-child.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { TestClock } from '../../harness/test-clock.ts';
import { until } from './supervised-server.ts';

/** Lives for the milliseconds of its first argument after its start; the second one is what it does wrong. */
const program = `
process.on('disconnect', () => process.exit(1));
process.on('message', ({ kind, restarts }) => {
  if (kind === 'stop' && process.argv[3] === 'slow to end') process.send({ kind: 'stopped' }, () => process.exit(5));
  else if (kind === 'stop') process.exit(process.argv[3] === 'ends badly' ? 5 : 0);
  if (kind === 'ping' && process.argv[3] !== 'deaf') process.send({ kind: 'pong', counters: {} });
  if (kind !== 'start') return;
  if (process.argv[3] === 'never starts' || (process.argv[3] === 'ends at first' && restarts === 0)) process.exit(4);
  if (process.argv[3] === 'cannot start' || (process.argv[3] === 'fails' && restarts > 0)) {
    process.send({ kind: 'failed', failure: { message: 'no port', problem: 'unavailable' } }, () => process.exit(1));
    return;
  }
  process.send({ kind: 'started', url: '' });
  if (process.argv[2] !== '') setTimeout(() => process.exit(3), Number(process.argv[2]));
});`;

interface Watched {
  readonly child: SupervisedChild;
  readonly losses: { readonly end: string; readonly waitMs: number }[];
}

function start(t: TestContext, options: { livesMs?: number; how?: string; calmMs?: number }): Watched {
  const file = join(temporaryDirectory(t), 'program.mjs');
  writeFileSync(file, program);
  const losses: { end: string; waitMs: number }[] = [];
  const child = new SupervisedChild({
    role: 'worker',
    name: 'worker-1-1',
    spawn: () => fork(file, [String(options.livesMs ?? ''), options.how ?? '']),
    startMessage: async (restarts) => ({ kind: 'start', restarts }) as ToProcess,
    mustStartAtOnce: false,
    pingsMax: 1,
    backoff: { firstMs: 20, factor: 2, maxMs: 80 },
    calmMs: options.calmMs ?? 60_000,
    clock: new TestClock(),
    onMessage: () => undefined,
    onChange: () => undefined,
    onLoss: (end, waitMs) => losses.push({ end, waitMs }),
  });
  t.after(async () => {
    child.kill();
    await child.stop();
  });
  return { child, losses };
}

test('each loss waits twice as long as the one before, up to a maximum', async (t) => {
  const { child, losses } = start(t, { livesMs: 0 });
  await child.start();
  await until('five losses', () => (losses.length >= 5 ? true : undefined));
  assert.deepEqual(
    losses.slice(0, 5),
    [20, 40, 80, 80, 80].map((waitMs) => ({ end: 'ended with exit code 3', waitMs })),
  );
  assert.ok(child.state.restarts >= 4);
});

test('a loss after a calm time waits as long as the first', async (t) => {
  const { child, losses } = start(t, { livesMs: 50, calmMs: 40 });
  await child.start();
  await until('three losses', () => (losses.length >= 3 ? true : undefined));
  assert.deepEqual(
    losses.slice(0, 3).map(({ waitMs }) => waitMs),
    [20, 20, 20],
  );
});

test('a process that cannot start again is tried again, and says why', async (t) => {
  const { child, losses } = start(t, { livesMs: 0, how: 'fails' });
  await child.start();
  await until('three losses', () => (losses.length >= 3 ? true : undefined));
  assert.deepEqual(losses[1], { end: 'did not start: no port', waitMs: 40 });
  assert.equal(child.state.lastEnd, 'did not start: no port');
});

test('one that says why it cannot start is not started again', async (t) => {
  const { child, losses } = start(t, { how: 'cannot start' });
  await assert.rejects(child.start(), /no port/);
  await child.stop();
  assert.deepEqual([losses, child.state.restarts], [[], 0]);
});

test('one that ends without a word before it has started is started again', async (t) => {
  const { child, losses } = start(t, { how: 'ends at first' });
  await child.start();
  assert.deepEqual([losses, child.state.state], [[{ end: 'ended with exit code 4', waitMs: 20 }], 'running']);
});

test('one that is stopped before it ever started has not started', async (t) => {
  const { child, losses } = start(t, { how: 'never starts' });
  const started = assert.rejects(child.start(), /ended with exit code 4 while it started/);
  await until('a pause', () => (losses.length >= 2 && child.state.state === 'restarting' ? true : undefined));
  await child.stop();
  await started;
});

test('one that does not answer pings is ended by force', async (t) => {
  const { child, losses } = start(t, { how: 'deaf' });
  await child.start();
  await until('its end', () => (losses.length > 0 ? true : undefined));
  assert.equal(losses[0]?.end, 'was ended by SIGKILL');
});

test('one that must start at once and ends before it has is not started again', async (t) => {
  const file = join(temporaryDirectory(t), 'missing.mjs');
  const losses: object[] = [];
  const broken = new SupervisedChild({
    role: 'api',
    name: 'api-1-1',
    spawn: () => fork(file, [], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] }),
    startMessage: async () => ({ kind: 'ping' }),
    mustStartAtOnce: true,
    pingsMax: 1,
    backoff: { firstMs: 20, factor: 2, maxMs: 80 },
    calmMs: 60_000,
    clock: new TestClock(),
    onMessage: () => undefined,
    onChange: () => undefined,
    onLoss: (end, waitMs) => losses.push({ end, waitMs }),
  });
  await assert.rejects(broken.start(), /^Error: the api process ended with exit code 1 while it started$/);
  await broken.stop();
  assert.deepEqual([losses, broken.state.restarts], [[], 0]);
});

test('stopping in a pause between two starts ends at once', async (t) => {
  const { child, losses } = start(t, { livesMs: 0 });
  await child.start();
  await until('a pause', () => (losses.length >= 3 && child.state.state === 'restarting' ? true : undefined));
  assert.equal(await child.stop(), true);
});

test('one that fails while it stops has not stopped in good order', async (t) => {
  const { child } = start(t, { how: 'ends badly' });
  await child.start();
  assert.equal(await child.stop(), false);
});

test('one that has closed everything has stopped in good order, however it then ends', async (t) => {
  const { child } = start(t, { how: 'slow to end' });
  await child.start();
  assert.equal(await child.stop(), true);
});
