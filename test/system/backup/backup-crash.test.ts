import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { embeddedBackups } from '../../../src/store/embedded/backup/embedded-backups.ts';
import { imageFiles, RangeLeases } from '../../../src/store/embedded/stream/range-leases.ts';
import { verifyDatabases } from '../../../src/store/embedded/verify/verify-databases.ts';
import { filledAtMs, fillStores, openFilled } from '../../harness/fixtures/filled-stores.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

const program = join(import.meta.dirname, '../../harness/workers/backup/backup-worker.ts');

/** The signal that ended it, or null. */
async function backUp(
  data: string,
  to: string,
  killBefore: number | 'leased' | 'locked',
): Promise<NodeJS.Signals | null> {
  const child = spawn(process.execPath, [program, data, to, String(killBefore)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  assert.ok(code === 0 || signal === 'SIGKILL', `it ended with ${code}`);
  return signal;
}

const filesOf = (backup: string) =>
  readFileSync(join(backup, 'manifest.ndjson'), 'utf8')
    .split('\n')
    .filter((line) => line.includes('"path"'))
    .map((line) => (JSON.parse(line) as { path: string }).path);

test('a backup that is killed before any of its steps leaves nothing that verifies and is not whole', async (t) => {
  const root = temporaryDirectory(t);
  const [data, to] = [join(root, 'data'), join(root, 'backup')];
  await fillStores(data);
  const whole = join(root, 'whole');
  assert.equal(await backUp(data, whole, 0), null);
  const expected = filesOf(whole);
  let whichVerified = 0;
  let step = 1;
  for (; (await backUp(data, to, step)) !== null; step += 1) {
    for (const name of readdirSync(root).filter((found) => found.startsWith(basename(to)))) {
      const left = join(root, name);
      const { damages } = await embeddedBackups.verify(left);
      if (damages.length === 0) {
        whichVerified += 1;
        assert.deepEqual(filesOf(left), expected);
      } else {
        const request = { from: left, data: join(root, 'restored') };
        await assert.rejects(embeddedBackups.restore(request), `${left} at step ${step}`);
        assert.equal(existsSync(request.data), false);
      }
    }
    // It has its name: it was whole before the process was killed.
    if (existsSync(to)) rmSync(to, { recursive: true });
  }
  assert.ok(step > expected.length, `${step} steps`);
  assert.ok(whichVerified <= 2, `${whichVerified} verified`);
  assert.deepEqual(
    readdirSync(root).sort(),
    ['backup', 'data', 'whole'],
    'leftovers are removed by the next one',
  );
  assert.deepEqual((await embeddedBackups.verify(to)).damages, []);
  assert.deepEqual((await verifyDatabases(data, { how: 'full' })).damages, []);
});

test('what a killed backup to standard output leaves in the data directory is removed by the next one', async (t) => {
  const root = temporaryDirectory(t);
  const data = join(root, 'data');
  await fillStores(data);
  assert.equal(await backUp(data, '-', 10), 'SIGKILL');
  const scratch = () => readdirSync(data).filter((name) => name.startsWith('backup-scratch'));
  assert.equal(scratch().length, 1);
  assert.equal(await backUp(data, '-', 0), null);
  assert.deepEqual(scratch(), []);
});

for (const moment of ['leased', 'locked'] as const)
  test(`a backup that is killed while files or databases are ${moment} holds up nobody, and the next one is whole`, async (t) => {
    const root = temporaryDirectory(t);
    const [data, to] = [join(root, 'data'), join(root, 'backup')];
    await fillStores(data);
    assert.equal(await backUp(data, to, moment), 'SIGKILL');
    assert.deepEqual(
      readdirSync(root).map((name) => name.replace(/-\d+-\d+$/, '')),
      ['backup.partial', 'data'],
    );
    const leases = new RangeLeases(join(data, 'streams'));
    for (const leased of ['feed-nod', imageFiles]) {
      assert.equal(leases.isHeld(leased), false, 'by a process that is dead');
      assert.equal(await leases.findEarliest(leased), undefined);
    }
    leases.close();
    const stores = openFilled(data);
    await stores.streams.append([{ stream: 'feed-nod', bytes: Buffer.from('{}\n') }], filledAtMs + 60_000);
    await stores.close();
    assert.deepEqual((await verifyDatabases(data, { how: 'full' })).damages, []);
    assert.equal(await backUp(data, to, 0), null);
    assert.deepEqual(readdirSync(root).sort(), ['backup', 'data']);
    assert.deepEqual((await embeddedBackups.verify(to)).damages, []);
  });
