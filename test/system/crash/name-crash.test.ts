/** Processes that are killed: acknowledged data is there, and each domain is published once. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { publishDiscoveries } from '../../../src/pipeline/publishing/publish-discoveries.ts';
import { openNameStore } from '../../../src/store/embedded/name-store.ts';
import { openStreamStore } from '../../../src/store/embedded/stream-store.ts';
import { linesIn, namesInFeed } from '../../harness/fixtures/observation-fixture.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { TestClock } from '../../harness/test-clock.ts';

const worker = join(import.meta.dirname, '../../harness/workers/names-worker.ts');

/** Kills the worker some time after it first said something, and gives the last number that it said. */
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

test('a process killed at random lost no acknowledged batch and published no domain twice', async (t) => {
  const directory = temporaryDirectory(t);
  let confirmed = 0;
  for (let round = 0; round < 5; round += 1) {
    confirmed = await killAfter(directory, (round * 17) % 60);
    const names = openNameStore(directory);
    assert.ok(Number(await names.findCheckpoint('worker')) >= confirmed);
    await names.close();
  }
  const [names, streams] = [openNameStore(directory), openStreamStore(directory)];
  t.after(async () => {
    await names.close();
    await streams.close();
  });
  await publishDiscoveries({ names, streams, clock: new TestClock() });
  const taken = Number(await names.findCheckpoint('worker'));
  const expected = Array.from({ length: taken + 1 }, (_, index) => `n${index}.example`);
  const inOrder = (list: readonly string[]) => list.toSorted();
  assert.deepEqual(inOrder(await namesInFeed(streams, 'domaindiscovery')), inOrder(expected));
  const hosts = (await linesIn(streams, 'hosts')).map((line) => JSON.parse(line).domain as string);
  const missing = expected.slice(0, taken).filter((domain) => !hosts.includes(`login.${domain}`));
  assert.deepEqual(missing, []);
});
