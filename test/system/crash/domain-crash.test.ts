/** Crash test: after a writer is killed, records, index and history agree, and no acknowledged write is lost. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openReadOnly } from '../../../src/store/embedded/database.ts';
import { openDomainStore } from '../../../src/store/embedded/domain-store.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { TestClock } from '../../harness/test-clock.ts';

const worker = join(import.meta.dirname, '../../harness/workers/domain-upsert-worker.ts');

const importer = join(import.meta.dirname, '../../harness/workers/domain-import-worker.ts');

interface Kill {
  /** Reported batches, and milliseconds after the last of them. */
  readonly batches: number;
  readonly ms: number;
  /** Values of a record. */
  readonly values: number;
}

async function killAfter(
  directory: string,
  { batches, ms, values }: Kill,
  program = worker,
): Promise<number> {
  const child = spawn(process.execPath, [program, directory, String(values)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout.on('data', (chunk) => (out += chunk));
  while (out.split('\n').length <= batches) await once(child.stdout, 'data');
  await pause(ms);
  child.kill('SIGKILL');
  await once(child, 'close');
  return Number(out.split('\n').at(-2));
}

async function assertConsistent(directory: string, acknowledged: number): Promise<void> {
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

test('a writer killed at random moments leaves a consistent index and loses no acknowledged write', async (t) => {
  const directory = temporaryDirectory(t);
  for (let round = 0; round < 4; round += 1) {
    const acknowledged = await killAfter(directory, { batches: 1, ms: (round * 13) % 40, values: 0 });
    await assertConsistent(directory, acknowledged);
  }
});

test('a writer of large batches killed while changes are pending or merged leaves a consistent index', async (t) => {
  const directory = temporaryDirectory(t);
  // The changes of a batch are a run, and sixteen runs make the writer merge them.
  for (const [batches, ms] of [
    [3, 0],
    [12, 5],
    [2, 30],
    [16, 11],
  ] as const) {
    const acknowledged = await killAfter(directory, { batches, ms, values: 180 });
    await assertConsistent(directory, acknowledged);
  }
  const database = openReadOnly(join(directory, 'domains', 'domains.db'));
  t.after(() => database.close());
  const runs = database.prepare('select last_run from posting_state').pluck().get() as number;
  assert.ok(runs > 16, `${runs} runs`);
});

test('a writer of batches of new domains killed at any moment leaves whole batches, and all that it acknowledged', async (t) => {
  const directory = temporaryDirectory(t);
  for (const [batches, ms] of [
    [1, 0],
    [2, 40],
    [1, 90],
  ] as const) {
    const acknowledged = await killAfter(directory, { batches, ms, values: 0 }, importer);
    const store = openDomainStore(directory, new TestClock());
    const names = await store.countNames();
    assert.equal(names % 1000, 0);
    assert.ok(names >= (acknowledged + 1) * 1000, `${names} after batch ${acknowledged}`);
    const [record] = await store.findRecords([`d${names - 1}.example`]);
    assert.equal(record?.parsed_whois?.record, `Batch ${names / 1000 - 1} of 999`);
    assert.deepEqual(await store.verifyCounts(), []);
    await store.close();
  }
});
