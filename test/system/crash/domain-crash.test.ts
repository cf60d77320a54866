/** Crash test: after a writer is killed, records, index and history agree, and no acknowledged write is lost. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openDomainStore } from '../../../src/store/embedded/domain-store.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { TestClock } from '../../harness/test-clock.ts';

const worker = join(import.meta.dirname, '../../harness/workers/domain-upsert-worker.ts');

async function killAfter(directory: string, afterMs: number): Promise<number> {
  const child = spawn(process.execPath, [worker, directory], { stdio: ['ignore', 'pipe', 'inherit'] });
  let out = '';
  child.stdout.on('data', (chunk) => (out += chunk));
  await once(child.stdout, 'data');
  await pause(afterMs);
  child.kill('SIGKILL');
  await once(child, 'close');
  return Number(out.split('\n').at(-2));
}

test('a writer killed at random moments leaves a consistent index and loses no acknowledged write', async (t) => {
  const directory = temporaryDirectory(t);
  for (let round = 0; round < 4; round += 1) {
    const acknowledged = await killAfter(directory, (round * 13) % 40);
    const store = openDomainStore(directory, new TestClock());
    const [record] = await store.findRecords([`d${(acknowledged * 7) % 200}.example`]);
    // The worker uses its rounds as time stamps.
    assert.ok(
      Date.parse(record?.data_updated_timestamp ?? '') >= acknowledged,
      `round ${acknowledged} was acknowledged`,
    );
    assert.deepEqual(await store.verifyCounts(), []);
    await store.close();
  }
});
