import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { DamagedData } from '../../../src/store/damage.ts';
import { openArchiveStore } from '../../../src/store/embedded/archive-store.ts';
import { archiveStoreConformance, chunks, hourName, textOf } from '../../conformance/archive-store.ts';
import { damageIn, flipBit } from '../../harness/damage.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

const madeMs = Date.parse('2026-02-20T18:01:12Z');
const name = hourName('2026-02-20', 17);

archiveStoreConformance('the embedded adapter', (t) => {
  const directory = temporaryDirectory(t);
  return () => openArchiveStore(directory);
});

test('sha256sum -c accepts the checksum files', async (t) => {
  const directory = temporaryDirectory(t);
  await openArchiveStore(directory).addFile(name, chunks('one', 'two'), madeMs);
  const cwd = join(directory, 'archives', dirname(name));
  const file = name.split('/')[2] as string;
  assert.deepEqual(readdirSync(cwd).sort(), [file, `${file}.sha256`]);
  assert.equal(
    execFileSync('sha256sum', ['-c', `${file}.sha256`], { cwd, encoding: 'utf8' }),
    `${file}: OK\n`,
  );
});

test('a file without a checksum file does not exist, and gets the checksum of its content when it is added again', async (t) => {
  const directory = temporaryDirectory(t);
  const store = openArchiveStore(directory);
  const path = join(directory, 'archives', name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, 'put by one that was killed');
  assert.equal(await store.findFile(name), undefined);
  assert.deepEqual(await store.listFiles({ archive: 'nod', prefix: '', skip: 0, limit: 9 }), []);
  await store.addFile(name, chunks('put again'), madeMs);
  assert.equal(await textOf(store, name), 'put by one that was killed');
  const cwd = dirname(path);
  execFileSync('sha256sum', ['-c', `${path}.sha256`], { cwd });
});

test('foreign files and directories among the archives are neither touched nor listed', async (t) => {
  const directory = temporaryDirectory(t);
  const store = openArchiveStore(directory);
  await store.addFile(name, chunks('one'), madeMs);
  const root = join(directory, 'archives');
  for (const foreign of ['notes.txt', 'nod/readme', 'nod/2026-02-20/x.sha256', 'nod/2026-02-20/core']) {
    writeFileSync(join(root, foreign), 'foreign');
  }
  const listed = await store.listFiles({ archive: 'nod', prefix: '', skip: 0, limit: 9 });
  assert.deepEqual(
    listed.map((file) => file.name),
    [name],
  );
  await store.pruneFiles('2026-02-20', madeMs);
  assert.ok(readdirSync(root).includes('notes.txt'));
});

test('pruning removes drafts older than a day, and keeps newer ones', async (t) => {
  const directory = temporaryDirectory(t);
  const store = openArchiveStore(directory);
  const drafts = join(directory, 'archives/.drafts');
  for (const [draft, atMs] of [
    ['old', madeMs - 90_000_000],
    ['young', madeMs - 1000],
  ] as const) {
    writeFileSync(join(drafts, draft), 'half');
    utimesSync(join(drafts, draft), atMs / 1000, atMs / 1000);
  }
  await store.pruneFiles('2026-02-20', madeMs);
  assert.deepEqual(readdirSync(drafts), ['young']);
});

test('adding a file leaves its two files and nothing else', async (t) => {
  const directory = temporaryDirectory(t);
  await openArchiveStore(directory).addFile(name, chunks('one'), madeMs);
  assert.deepEqual(readdirSync(join(directory, 'archives/.drafts')), []);
});

const large = 'x'.repeat(150_000);
const other = hourName('2026-02-20', 18);

for (const [how, damage, suffix] of [
  ['a flipped bit', (path: string) => flipBit(path, 100_000), ''],
  ['a truncated file', (path: string) => truncateSync(path, 100_000), ''],
  ['a removed file', (path: string) => rmSync(path), ''],
  ['a flipped bit in the checksum', (path: string) => flipBit(path, 7), '.sha256'],
  ['a flipped bit in the name beside the checksum', (path: string) => flipBit(path, 70), '.sha256'],
] as const) {
  test(`${how} is an error that names the file, found by verification, and other files are served`, async (t) => {
    const directory = temporaryDirectory(t);
    const store = openArchiveStore(directory);
    for (const one of [name, other]) await store.addFile(one, chunks(large), madeMs);
    assert.deepEqual(await damageIn(store.verify()), []);
    const file = `${join(directory, 'archives', name)}${suffix}`;
    damage(file);
    const isNamed = (error: unknown) => error instanceof DamagedData && error.file === file;
    await assert.rejects(openArchiveStore(directory).openFile(name), isNamed);
    assert.equal(await textOf(store, other), large);
    const damages = await damageIn(store.verify());
    assert.deepEqual(
      damages.map((found) => found.file),
      [file],
    );
  });
}

test('an archive that is damaged after it was served once is an error from the damaged block on', async (t) => {
  const directory = temporaryDirectory(t);
  const store = openArchiveStore(directory);
  await store.addFile(name, chunks(large), madeMs);
  assert.equal(await textOf(store, name), large);
  flipBit(join(directory, 'archives', name), 100_000);
  await assert.rejects(textOf(store, name), /is damaged at byte 65536: a block of an archive/);
});

test('checksum files of 0.1.0, without a comment, are read', async (t) => {
  const directory = temporaryDirectory(t);
  const store = openArchiveStore(directory);
  await store.addFile(name, chunks('one'), madeMs);
  const file = `${join(directory, 'archives', name)}.sha256`;
  writeFileSync(file, readFileSync(file, 'utf8').replace(/#.*\n/, ''));
  assert.equal(await textOf(openArchiveStore(directory), name), 'one');
});
