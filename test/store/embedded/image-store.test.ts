import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import {
  globSync,
  mkdirSync,
  readFileSync,
  statSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { DamagedData } from '../../../src/store/damage.ts';
import { openImageStore } from '../../../src/store/embedded/image-store.ts';
import type { ImageStore } from '../../../src/store/image-store.ts';
import { capture, image, imageStoreConformance } from '../../conformance/image-store.ts';
import { damageIn } from '../../harness/damage.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

const worker = join(import.meta.dirname, '../../harness/workers/image-worker.ts');

function opener(t: TestContext, directory = temporaryDirectory(t)): () => ImageStore {
  const opened: ImageStore[] = [];
  t.after(async () => {
    for (const store of opened) await store.close();
  });
  return () => {
    const store = openImageStore(directory);
    opened.push(store);
    return store;
  };
}

const filesIn = (directory: string) => globSync('images/*/*.png', { cwd: directory });

imageStoreConformance('the embedded adapter', (t) => opener(t));

test('files are named by their content, and accessible to their owner only', async (t) => {
  const directory = temporaryDirectory(t);
  await opener(t, directory)().saveCapture(capture('a.example', 1000));
  const [file = '', ...others] = filesIn(directory);
  assert.deepEqual(others, []);
  assert.match(file, /^images\/[0-9a-f]{2}\/[0-9a-f]{62}\.png$/);
  assert.deepEqual(readFileSync(join(directory, file)), image('a').bytes);
  assert.equal(statSync(join(directory, file)).mode & 0o077, 0);
});

test('an image shared by several domains is one file, which is deleted with the last of them', async (t) => {
  const directory = temporaryDirectory(t);
  const store = opener(t, directory)();
  for (const name of ['a.example', 'b.example']) await store.saveCapture(capture(name, 0, 'parked'));
  assert.equal(filesIn(directory).length, 1);
  for (const name of ['a.example', 'b.example']) {
    await store.saveCapture(capture(name, 1000, `own of ${name}`));
    await store.pruneImages(1000);
  }
  assert.equal(filesIn(directory).length, 2);
});

test('pruning removes files without a row, and leaves foreign files alone', async (t) => {
  const directory = temporaryDirectory(t);
  const store = opener(t, directory)();
  await store.saveCapture(capture('a.example', 1000));
  mkdirSync(join(directory, 'images/00'), { recursive: true });
  const stray = join(directory, 'images/00', `${'1'.repeat(62)}.png`);
  const foreign = join(directory, 'images/00/notes.txt');
  for (const path of [stray, foreign]) writeFileSync(path, 'x');
  await store.pruneImages(0);
  assert.equal(filesIn(directory).length, 1);
  assert.equal(readFileSync(foreign, 'utf8'), 'x');
  assert.deepEqual(await store.findImage('a.example', 1000), image('a'));
});

for (const [how, damage] of Object.entries({
  missing: (path: string) => unlinkSync(path),
  truncated: (path: string) => truncateSync(path, 3),
  changed: (path: string) => writeFileSync(path, 'cut shorT'),
})) {
  test(`a ${how} file is an error that names it, found by verification, and the next capture restores it`, async (t) => {
    const directory = temporaryDirectory(t);
    const store = opener(t, directory)();
    await store.saveCapture(capture('a.example', 1000, 'cut short'));
    await store.saveCapture(capture('b.example', 1000, 'intact'));
    const digest = hash('sha256', image('cut short').bytes);
    const path = join(directory, 'images', digest.slice(0, 2), `${digest.slice(2)}.png`);
    assert.deepEqual(await damageIn(store.verify()), []);
    damage(path);
    const isNamed = (error: unknown) => error instanceof DamagedData && error.file === path;
    await assert.rejects(store.findImage('a.example', 1000), isNamed);
    assert.deepEqual(await store.findImage('b.example', 1000), image('intact'));
    const damages = await damageIn(store.verify());
    assert.deepEqual(
      damages.map(({ file }) => file),
      [path],
    );
    assert.equal(await store.saveCapture(capture('a.example', 2000, 'cut short')), 'same');
    assert.deepEqual(await store.findImage('a.example', 1000), image('cut short'));
  });
}

test('a process killed at random loses no confirmed capture, and leaves no row without its file', async (t) => {
  const directory = temporaryDirectory(t);
  for (let round = 0; round < 3; round += 1) {
    const child = spawn(process.execPath, [worker, directory], { stdio: ['ignore', 'pipe', 'inherit'] });
    let out = '';
    child.stdout.on('data', (chunk) => (out += chunk));
    await once(child.stdout, 'data');
    await pause(40 * round);
    child.kill('SIGKILL');
    await once(child, 'close');
    const confirmed = Number(out.split('\n').at(-2));
    const store = openImageStore(directory);
    const [newest] = await store.listCaptures(`n${confirmed % 5}.example`, 1);
    assert.ok((newest?.capturedMs ?? 0) >= confirmed + 1);
    let [images, bytes] = [0, 0];
    for (let at = 0; at < 5; at += 1) {
      for (const { domain, capturedMs } of await store.listCaptures(`n${at}.example`, 10_000)) {
        const kept = await store.findImage(domain, capturedMs);
        assert.ok(kept, `${domain} at ${capturedMs}`);
        images += 1;
        bytes += kept.bytes.length;
      }
    }
    const { domains, ...counted } = await store.statistics();
    assert.deepEqual(counted, { images, bytes });
    assert.ok(domains <= 5);
    await store.pruneImages(0);
    assert.equal(filesIn(directory).length, images, 'no file is left without a row');
    await store.close();
  }
});
