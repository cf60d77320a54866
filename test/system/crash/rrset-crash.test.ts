/** Kills an import at random moments: acknowledged observations are stored exactly once, and nothing else is. */
import assert from 'node:assert/strict';
import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { test } from 'node:test';
import { Manifest } from '../../../src/store/embedded/rrset/manifest.ts';
import { openRrsetStore } from '../../../src/store/embedded/rrset-store.ts';
import type { Scan } from '../../../src/store/rrset-store.ts';
import { all, record } from '../../conformance/rrset-store.ts';
import { nowSeconds, wire } from '../../harness/arbitraries/rrset-arbitraries.ts';
import { rowsFor, shown } from '../../harness/reference/rrset-reference.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { crashObservations } from '../../harness/workers/crash-observations.ts';

const worker = join(import.meta.dirname, '../../harness/workers/rrset-import-worker.ts');
const clock = { now: () => nowSeconds * 1000 };
const scans: readonly Scan[] = [
  { by: 'owner' as const, name: wire('.'), span: 'below' as const },
  { by: 'rdata-prefix' as const, bytes: new Uint8Array(0) },
].map((selection) => ({
  selection,
  filter: { types: 'any', fences: {} },
  merged: false,
  nowSeconds,
}));

const rounds = 8;

/** At a random moment after the first acknowledgement: during a write, during a compaction, or between. */
function killSoon(child: ChildProcessByStdio<null, Readable, null>): void {
  child.stdout.once('data', () => setTimeout(() => child.kill('SIGKILL'), Math.random() * 400));
}

/** Reads acknowledgements until the process ends, and returns the last. */
async function lastAcknowledged(child: ChildProcessByStdio<null, Readable, null>): Promise<string> {
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  await once(child, 'close');
  return text.split('\n').at(-2) ?? '';
}

test('after kill -9 at any moment every acknowledged batch is stored exactly once, and none partially', async (t) => {
  const directory = temporaryDirectory(t);
  const observations = crashObservations();
  let acknowledged = 0;
  for (let round = 1; round <= rounds; round += 1) {
    const child = spawn(process.execPath, [worker, directory], { stdio: ['ignore', 'pipe', 'inherit'] });
    if (round < rounds) killSoon(child);
    const last = await lastAcknowledged(child);
    acknowledged = last === 'complete' ? observations.length : Math.max(acknowledged, Number(last));
    const store = openRrsetStore(directory, clock);
    const durable = (await store.findImport('crash'))?.observations ?? 0;
    assert.ok(durable >= acknowledged, `${acknowledged} were acknowledged, ${durable} are stored`);
    for (const scan of scans) {
      const found = (await all(store.scan(scan))).map(shown);
      assert.deepEqual(found.sort(), rowsFor(observations.slice(0, durable), scan).sort());
    }
    await store.close();
  }
  assert.equal(acknowledged, observations.length);
});

test('orphaned files of a killed process are removed once they are old', async (t) => {
  const directory = temporaryDirectory(t);
  const child = spawn(process.execPath, [worker, directory], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'close');
  const files = () => readdirSync(join(directory, 'rrsets')).filter((file) => !file.startsWith('manifest'));
  const later = { now: () => Date.now() + 2 * 3_600_000 };
  const store = openRrsetStore(directory, later);
  await store.openIntake();
  const { segments } = await store.statistics();
  assert.equal(new Set(files().map((file) => file.replace(/\.[a-z]+$/, ''))).size, segments);
  await store.close();
});

test('segments that a killed process was compacting are compacted by the next writer', async (t) => {
  const directory = temporaryDirectory(t);
  const first = openRrsetStore(directory, clock);
  await record(first, crashObservations().slice(0, 50));
  await record(first, crashObservations().slice(50, 100));
  await first.close();
  const dead = spawnSync(process.execPath, ['-e', '']).pid;
  const manifest = new Manifest(join(directory, 'rrsets'));
  const names = manifest.list().map(({ name }) => name);
  await manifest.claim(names, `1-${dead}-abc`, clock.now(), clock.now() + 3_600_000);
  manifest.close();
  const second = openRrsetStore(directory, clock);
  t.after(() => second.close());
  await second.openIntake();
  await second.compact();
  assert.equal((await second.statistics()).segments, 1);
});
