import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openLeaseStore } from '../../../src/store/embedded/lease-store.ts';
import type { LeaseStore } from '../../../src/store/lease/lease-store.ts';
import { leaseStoreConformance } from '../../conformance/lease-store.ts';
import { isRunning } from '../../harness/server/command-line.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

const leaseWorker = join(import.meta.dirname, '../../harness/workers/lease/lease-worker.ts');

leaseStoreConformance('the embedded adapter', (t) => {
  const directory = temporaryDirectory(t);
  const opened: LeaseStore[] = [];
  t.after(async () => {
    for (const store of opened) await store.close();
  });
  return () => {
    const store = openLeaseStore(directory);
    opened.push(store);
    return store;
  };
});

test('the lease of a process that was killed is free at once', async (t) => {
  const directory = temporaryDirectory(t);
  const child = spawn(process.execPath, [leaseWorker, directory, 'source'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  const store = openLeaseStore(directory);
  t.after(() => store.close());
  const acquire = () => store.acquireLease('source', 'other', Date.now(), Date.now() + 60_000);
  assert.equal(await acquire(), undefined, 'its holder is alive');
  child.kill('SIGKILL');
  await once(child, 'close');
  assert.ok(await acquire());
});

test('a killed process that its parent has not waited for holds no lease', async (t) => {
  const directory = temporaryDirectory(t);
  // The shell becomes a program that waits for no child: the killed worker stays a zombie.
  const parent = spawn(
    'sh',
    ['-c', '"$@" & echo $!; exec sleep 600', 'sh', process.execPath, leaseWorker, directory, 'source'],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  t.after(() => parent.kill('SIGKILL'));
  const lines: string[] = [];
  for await (const line of createInterface({ input: parent.stdout })) if (lines.push(line) === 2) break;
  const pid = Number(lines.find((line) => line !== 'held'));
  t.after(() => isRunning(pid) && process.kill(pid, 'SIGKILL'));
  const store = openLeaseStore(directory);
  t.after(() => store.close());
  const acquire = () => store.acquireLease('source', 'other', Date.now(), Date.now() + 60_000);
  assert.equal(await acquire(), undefined, 'its holder is alive');
  process.kill(pid, 'SIGKILL');
  while (isRunning(pid)) await pause(5);
  assert.ok(existsSync(`/proc/${pid}`), 'still listed');
  assert.ok(await acquire());
});
