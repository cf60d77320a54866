import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { embeddedBackups } from '../../../src/store/embedded/backup/embedded-backups.ts';
import { openEmbeddedStores } from '../../../src/store/embedded/open-stores.ts';
import { verifyDatabases } from '../../../src/store/embedded/verify/verify-databases.ts';
import type { Stores } from '../../../src/stores.ts';
import { damageIn } from '../../harness/damage.ts';
import { streamText } from '../../harness/fixtures/stream-text.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

const program = join(import.meta.dirname, '../../harness/workers/backup/writer-worker.ts');
const writers = ['1', '2', '3', '4'];
const kinds = ['stream', 'rrset', 'image', 'record', 'discovery'];

interface Writer {
  readonly id: string;
  readonly child: ChildProcess;
  /** The last number of each kind that was acknowledged. */
  readonly acknowledged: Map<string, number>;
}

function startWriter(t: TestContext, data: string, id: string): Writer {
  const child = spawn(process.execPath, [program, data, id], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  const acknowledged = new Map<string, number>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const [kind = '', number] = line.split(' ');
    acknowledged.set(kind, Number(number));
  });
  return { id, child, acknowledged };
}

async function everyKindWrites(started: readonly Writer[], atLeast: number): Promise<void> {
  for (const { child, acknowledged } of started)
    while (kinds.some((kind) => (acknowledged.get(kind) ?? 0) < atLeast)) {
      assert.equal(child.exitCode, null);
      await pause(50);
    }
}

/** What of a writer is in the stores, at least up to the numbers that were acknowledged. */
async function missingFrom(
  stores: Stores,
  id: string,
  before: ReadonlyMap<string, number>,
): Promise<string[]> {
  const last = (kind: string) => before.get(kind) ?? 0;
  const missing: string[] = [];
  const need = (found: boolean, what: string) => {
    if (!found) missing.push(`${what} of writer ${id}`);
  };
  const text = await streamText(stores.streams, `writer-${id}`);
  const numbers = text
    .split('\n')
    .filter(Boolean)
    .map((line) => (JSON.parse(line) as { number: number }).number);
  need((numbers.at(-1) ?? 0) >= last('stream'), `line ${last('stream')}`);
  need(
    numbers.every((number, index) => index === 0 || number === (numbers[index - 1] ?? 0) + 1),
    'a line',
  );
  for (let number = 1; number <= last('record'); number += 1)
    need((await stores.domains.findRecords([`n${number}.w${id}`]))[0] !== undefined, `record ${number}`);
  const [screenshot] = await stores.images.findScreenshots([`w${id}.example`]);
  need((screenshot?.capturedMs ?? 0) >= last('image'), `image ${last('image')}`);
  const query = { state: 'new', sort: [], descending: false, offset: 0, limit: 1 } as const;
  const found = await stores.watchlist.listDomains(`account-${id}`, query);
  need(typeof found === 'object' && found.total >= last('discovery'), `discovery ${last('discovery')}`);
  return missing;
}

test('a backup while four processes write has all that was acknowledged before, and everything in it agrees', async (t) => {
  const root = temporaryDirectory(t);
  const data = join(root, 'data');
  await openEmbeddedStores({ data, clock: { now: () => 0 } }).close();
  const started = writers.map((id) => startWriter(t, data, id));
  await everyKindWrites(started, 12);
  const before = started.map(({ id, acknowledged }) => ({ id, acknowledged: new Map(acknowledged) }));
  const { damages, location } = await embeddedBackups.make({
    data,
    to: join(root, 'backup'),
    without: [],
    version: '9.9.9',
    clock: { now: () => Date.now() },
  });
  const after = started.map(({ acknowledged }) => new Map(acknowledged));
  for (const { child } of started) {
    assert.equal(child.exitCode, null, 'a writer ended by itself');
    child.kill('SIGKILL');
    await once(child, 'close');
  }
  assert.deepEqual(damages, []);
  const wrote = kinds.every((kind) =>
    after.some((now, index) => (now.get(kind) ?? 0) > (before[index]?.acknowledged.get(kind) ?? 0)),
  );
  assert.ok(wrote, 'nothing was written while the backup was made');

  const restored = join(root, 'restored');
  await embeddedBackups.restore({ from: location, data: restored });
  writeFileSync(join(restored, 'secret.key'), readFileSync(join(data, 'secret.key')));
  assert.deepEqual((await verifyDatabases(restored, { how: 'full' })).damages, []);
  const stores = openEmbeddedStores({ data: restored, clock: { now: () => 0 } });
  try {
    for (const { id, acknowledged } of before)
      assert.deepEqual(await missingFrom(stores, id, acknowledged), []);
    const rrsets = before.reduce((sum, { acknowledged }) => sum + (acknowledged.get('rrset') ?? 0), 0);
    assert.ok((await stores.rrsets.statistics()).rrsets >= rrsets, 'an RRset is missing');
    for (const kind of ['rrsets', 'streams', 'images'] as const)
      assert.deepEqual(await damageIn(stores[kind].verify()), [], kind);
    assert.deepEqual(await stores.domains.verifyCounts(), []);
  } finally {
    await stores.close();
  }
  // The writers were killed; what is left of the original is as good.
  assert.deepEqual((await verifyDatabases(data, { how: 'pages' })).damages, []);
});
