import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { openJobStore } from '../../../src/store/embedded/job-store.ts';
import type { JobStore } from '../../../src/store/job-store.ts';
import { jobStoreConformance } from '../../conformance/job-store.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

jobStoreConformance('the embedded adapter', (t) => {
  const directory = temporaryDirectory(t);
  const opened: JobStore[] = [];
  t.after(async () => {
    for (const store of opened) await store.close();
  });
  return () => {
    const store = openJobStore(directory);
    opened.push(store);
    return store;
  };
});

test('a lease of a killed process is released when the store is opened next', async (t) => {
  const directory = temporaryDirectory(t);
  const first = openJobStore(directory);
  await first.enqueue([{ kind: 'probe', subject: 'a.test', dueMs: 1000 }]);
  const worker = join(import.meta.dirname, '../../harness/workers/job-lease-worker.ts');
  const child = spawn(process.execPath, [worker, directory, 'probe'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  const [leased] = (await once(child.stdout, 'data')) as [Buffer];
  assert.equal(String(leased), '1\n');
  await first.close();

  const concurrent = openJobStore(directory);
  assert.deepEqual(await concurrent.leaseJobs('probe', 10, 2000, 3000), [], 'its holder is alive');
  await concurrent.close();

  child.kill('SIGKILL');
  await once(child, 'close');
  const after = openJobStore(directory);
  t.after(() => after.close());
  const [job] = await after.leaseJobs('probe', 10, 2000, 3000);
  assert.deepEqual([job?.subject, job?.attempts], ['a.test', 2]);
});
