/** Processes that are killed: what was acknowledged is there, and each domain is told once. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { tellDiscoveries } from '../../../src/collect/sources/tell-discoveries.ts';
import { openNameStore } from '../../../src/store/embedded/name-store.ts';
import { openStreamStore } from '../../../src/store/embedded/stream-store.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { TestClock } from '../../harness/test-clock.ts';
import { fed, linesIn } from '../../harness/told.ts';

const worker = join(import.meta.dirname, '../../harness/names-worker.ts');

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

test('a process killed at random has lost no batch that it acknowledged, and told no domain twice', async (t) => {
  const directory = temporaryDirectory(t);
  let confirmed = 0;
  for (let round = 0; round < 5; round += 1) {
    confirmed = await killAfter(directory, (round * 17) % 60);
    const names = openNameStore(directory);
    assert.ok(Number(await names.findPlace('worker')) >= confirmed);
    await names.close();
  }
  const [names, streams] = [openNameStore(directory), openStreamStore(directory)];
  t.after(async () => {
    await names.close();
    await streams.close();
  });
  await tellDiscoveries({ names, streams, clock: new TestClock() });
  const taken = Number(await names.findPlace('worker'));
  const expected = Array.from({ length: taken + 1 }, (_, index) => `n${index}.example`);
  const inOrder = (list: readonly string[]) => list.toSorted();
  assert.deepEqual(inOrder(await fed(streams, 'domaindiscovery')), inOrder(expected));
  const hosts = (await linesIn(streams, 'hosts')).map((line) => JSON.parse(line).domain as string);
  const missing = expected.slice(0, taken).filter((domain) => !hosts.includes(`login.${domain}`));
  assert.deepEqual(missing, []);
});
