/** What a server takes that has nothing to do: docs/memory.md. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type Served, serve, supervisedProcesses } from '../../harness/server/command-line.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { fileScope } from '../../harness/test-scope.ts';
import { until } from './supervised-server.ts';

/** More than it takes, and far less than it took as one process: 275 MB of its own. */
const ownMegabytesMax = 250;

const scope = fileScope();
const served = await serve(scope, ['--data', temporaryDirectory(scope)]);

function pidsOf({ child }: Served): readonly number[] {
  return [child.pid ?? 0, ...supervisedProcesses(child).map(({ pid }) => pid)];
}

function threadsOf(pid: number): readonly string[] {
  const tasks = `/proc/${pid}/task`;
  return readdirSync(tasks).map((task) => readFileSync(`${tasks}/${task}/comm`, 'utf8').trim());
}

/** Without pages of files, which processes share. */
function ownMegabytes(pid: number): number {
  const [, kilobytes] =
    /^Anonymous:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

test('a server without data answers without any worker thread', async () => {
  assert.equal((await fetch(`${served.url}/healthz`)).status, 200);
  const threads = threadsOf(served.pidOf('api'));
  assert.ok(threads.includes('MainThread') || threads.includes('node'), threads.join());
  assert.deepEqual(
    threads.filter((name) => name === 'WorkerThread'),
    [],
  );
});

test('a worker without data and without anything to collect has no worker thread either', async () => {
  await until('the start of the worker', async () =>
    (await (await fetch(`${served.url}/healthz`)).text()) === '{"status":"ok"}' ? true : undefined,
  );
  // One that was called lives for a minute at least.
  await pause(1500);
  assert.deepEqual(
    threadsOf(served.pidOf('worker')).filter((name) => name === 'WorkerThread'),
    [],
  );
});

test('its processes together take little memory of their own', async () => {
  await until('both processes', () => (pidsOf(served).length === 3 ? true : undefined));
  const each = pidsOf(served).map(ownMegabytes);
  const all = each.reduce((sum, one) => sum + one, 0);
  assert.ok(all > 0 && all < ownMegabytesMax, each.map(Math.round).join(' + '));
});
