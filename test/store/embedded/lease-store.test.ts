import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { openLeaseStore } from '../../../src/store/embedded/lease-store.ts';
import type { LeaseStore } from '../../../src/store/lease/lease-store.ts';
import { leaseStoreConformance } from '../../conformance/lease-store.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

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
  const worker = join(import.meta.dirname, '../../harness/workers/lease/lease-worker.ts');
  const child = spawn(process.execPath, [worker, directory, 'source'], {
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
