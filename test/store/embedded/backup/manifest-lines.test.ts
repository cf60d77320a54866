import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareDigests, FileDigester } from '../../../../src/store/embedded/backup/file-digest.ts';
import {
  isSafePath,
  ManifestReader,
  ManifestWriter,
} from '../../../../src/store/embedded/backup/manifest-lines.ts';

const head = { version: '1', instant: '2026-03-01T00:00:00.000Z', without: [] };
const file = { path: 'data/a', bytes: 1, sha256: 'ab', crc32: '' };

function linesWritten(): string[] {
  let text = '';
  const writer = new ManifestWriter((part) => {
    text += part;
  });
  writer.begin(head);
  writer.addFile(file);
  writer.addFile({ ...file, path: 'data/b', schema: 3 });
  writer.end([{ file: '/data/c', problem: 'gone' }]);
  return text.split('\n').slice(0, -1);
}

function readAll(lines: readonly string[]) {
  const reader = new ManifestReader('manifest');
  reader.readHead(lines[0]);
  const files = lines.slice(1).map((line) => reader.readFile(line)?.path);
  return { files, end: reader.end() };
}

test('a manifest is read as it was written', () => {
  const { files, end } = readAll(linesWritten());
  assert.deepEqual(files, ['data/a', 'data/b', undefined]);
  assert.deepEqual(end, { files: 2, bytes: 2, damages: [{ file: '/data/c', problem: 'gone' }] });
});

test('a manifest that lacks a line, or has another, is refused by the number of the line', () => {
  const lines = linesWritten();
  assert.throws(() => readAll(lines.slice(0, -1)), /its end is missing/);
  assert.throws(() => readAll(lines.toSpliced(1, 1)), /line 3: what is before this line/);
  assert.throws(() => readAll(lines.with(1, lines[1]?.replace('ab', 'ac') ?? '')), /line 4: what is before/);
  assert.throws(() => readAll(lines.with(1, '{')), /line 2: it is not readable/);
  assert.throws(() => readAll([...lines, lines[1] ?? '']), /something behind its end/);
});

test('a path that leads out of the backup is refused', () => {
  for (const path of [
    '../a',
    '/etc/passwd',
    'data/../a',
    'data',
    'data/',
    'other/a',
    'data/./a',
    'data/a\nb',
  ])
    assert.equal(isSafePath(path), false, path);
  for (const path of ['data/a', 'data/a/b.c', 'secret.sealed']) assert.equal(isSafePath(path), true, path);
});

function digestOf(bytes: Buffer) {
  const digester = new FileDigester(bytes.length);
  // In pieces that do not fit blocks.
  for (let at = 0; at < bytes.length; at += 50_001) digester.update(bytes.subarray(at, at + 50_001));
  return digester.finish();
}

test('a difference is named by the block that it is in', () => {
  const bytes = Buffer.alloc(300_000, 7);
  const changed = Buffer.from(bytes);
  changed[200_000] = 8;
  assert.equal(compareDigests('f', digestOf(bytes), digestOf(Buffer.from(bytes))), undefined);
  assert.equal(compareDigests('f', digestOf(bytes), digestOf(changed))?.offset, 196_608);
  assert.equal(compareDigests('f', digestOf(bytes), digestOf(bytes.subarray(1)))?.offset, 299_999);
});
