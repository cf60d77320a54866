/** What was found correct is not checked again for a minute, unless anybody has touched the file. */
import assert from 'node:assert/strict';
import { copyFileSync, renameSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { appendChecksums, blockBytes } from '../../../../src/store/checked-file/block-checksums.ts';
import { DamagedData } from '../../../../src/store/damage.ts';
import { SegmentFile } from '../../../../src/store/embedded/stream/segment-file.ts';
import { VerifiedBlocks } from '../../../../src/store/embedded/stream/verified-blocks.ts';
import { openStreamStore } from '../../../../src/store/embedded/stream-store.ts';
import { damageIn, flipBit } from '../../../harness/damage.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';

const size = 3 * blockBytes + 100;
const content = Buffer.from(Array.from({ length: size }, (_, index) => (index * 31) >> 3));
const correct = appendChecksums(Buffer.alloc(0), 0, content);
/** A file that is checked against these fails: what is read all the same was not checked. */
const wrong = Buffer.alloc(correct.length);

/** A segment that was written some time ago, and a clock. */
function storedSegment(t: TestContext) {
  const path = join(temporaryDirectory(t), 'segment');
  writeFileSync(path, content);
  let nowMs = statSync(path).ctimeMs + 10_000;
  const verified = new VerifiedBlocks(() => nowMs);
  const opened = async (checksums = correct, key = 'segment') => {
    const handle = await open(path);
    t.after(() => handle.close());
    return new SegmentFile(handle, { key, content: { path, subject: 'a test', size }, checksums }, verified);
  };
  return { path, opened, pass: (ms: number) => void (nowMs += ms) };
}

async function bytesOf(file: SegmentFile, from = 0, to = size): Promise<Buffer> {
  const into = Buffer.alloc(to - from);
  let read = 0;
  while (from + read < to) read += await file.read(into.subarray(read), from + read, to);
  return into;
}

test('a block that was found correct is not checked again within a minute', async (t) => {
  const { opened, pass } = storedSegment(t);
  await bytesOf(await opened());
  pass(59_000);
  assert.ok((await bytesOf(await opened(wrong))).equals(content));
});

test('any part of blocks that were found correct is read as it is stored', async (t) => {
  const { opened } = storedSegment(t);
  const file = await opened();
  await bytesOf(file);
  for (const [from, to] of [
    [0, 1],
    [blockBytes - 1, blockBytes + 1],
    [5, size - 5],
    [3 * blockBytes, size],
  ] as const)
    assert.ok((await bytesOf(file, from, to)).equals(content.subarray(from, to)), `${from} to ${to}`);
});

test('a block is checked again after a minute, even if it was read meanwhile', async (t) => {
  const { opened, pass } = storedSegment(t);
  await bytesOf(await opened());
  pass(30_000);
  await bytesOf(await opened());
  pass(30_000);
  await assert.rejects(bytesOf(await opened(wrong)), DamagedData);
});

test('a block that was not read before is checked', async (t) => {
  const { opened } = storedSegment(t);
  await bytesOf(await opened(), blockBytes, 2 * blockBytes);
  const file = await opened(wrong);
  await bytesOf(file, blockBytes, 2 * blockBytes);
  for (const from of [0, 2 * blockBytes, 3 * blockBytes])
    await assert.rejects(bytesOf(file, from, from + 1), DamagedData);
});

test('a segment of another length or checksum is another one', async (t) => {
  const { opened } = storedSegment(t);
  await bytesOf(await opened());
  await assert.rejects(bytesOf(await opened(wrong, 'segment that was continued')), DamagedData);
});

test('blocks of a file that was written just now are checked whenever they are read', async (t) => {
  const { opened, pass } = storedSegment(t);
  pass(-9000);
  await bytesOf(await opened());
  await assert.rejects(bytesOf(await opened(wrong)), DamagedData);
});

const changes: Readonly<Record<string, (path: string) => void>> = {
  'a byte was changed': (path) => flipBit(path, blockBytes),
  'a byte was changed and the time of modification was set back': (path) => {
    const { atime, mtime } = statSync(path);
    flipBit(path, blockBytes);
    utimesSync(path, atime, mtime);
  },
  'it ends earlier': (path) => truncateSync(path, blockBytes + 10),
};

for (const [change, apply] of Object.entries(changes)) {
  for (const reader of ['a reader that has the file open', 'another reader']) {
    test(`if ${change}, ${reader} gets what precedes the damage, then the error`, async (t) => {
      const { path, opened } = storedSegment(t);
      const before = await opened();
      await bytesOf(before);
      apply(path);
      const file = reader === 'another reader' ? await opened() : before;
      assert.ok((await bytesOf(file, 0, blockBytes)).equals(content.subarray(0, blockBytes)));
      await assert.rejects(bytesOf(file, blockBytes), DamagedData);
    });
  }
}

test('a file of the same name, size and time of modification that was moved there is checked', async (t) => {
  const { path, opened } = storedSegment(t);
  await bytesOf(await opened());
  const { atime, mtime } = statSync(path);
  copyFileSync(path, `${path}.copy`);
  flipBit(`${path}.copy`, 5);
  utimesSync(`${path}.copy`, atime, mtime);
  renameSync(`${path}.copy`, path);
  await assert.rejects(bytesOf(await opened()), DamagedData);
});

test('of many segments, those that were used last are remembered', (t) => {
  const path = join(temporaryDirectory(t), 'segment');
  writeFileSync(path, content);
  const identity = statSync(path, { bigint: true });
  const verified = new VerifiedBlocks(() => Number(identity.ctimeNs / 1_000_000n) + 10_000);
  const isKnown = (key: string) => verified.has(key, identity, 0, size);
  for (const key of ['first', 'second']) verified.add(key, identity, 0, size);
  for (let other = 0; other < 4095; other += 1) {
    verified.add(`other ${other}`, identity, 0, size);
    assert.ok(isKnown('second'));
  }
  assert.deepEqual([isKnown('first'), isKnown('other 0')], [false, true]);
});

test('a stream that was read is damaged later: a reader gets what precedes, and verification finds it', async (t) => {
  const directory = temporaryDirectory(t);
  const store = openStreamStore(directory);
  t.after(() => store.close());
  const bytes = Buffer.from(`${'x'.repeat(16 * 1_048_576)}\n`);
  await store.append([{ stream: 'ch1', bytes }], 0);
  const lengthOf = async () => {
    const range = await store.openRange('ch1', 0, bytes.length);
    let length = 0;
    try {
      for await (const chunk of range?.read() ?? []) length += chunk.length;
      return { length };
    } catch (error) {
      return { length, isDamage: error instanceof DamagedData };
    } finally {
      await range?.close();
    }
  };
  // Until then the file is too new to be trusted.
  await pause(2100);
  for (const _ of [1, 2]) assert.deepEqual(await lengthOf(), { length: bytes.length });
  const file = join(directory, 'streams/ch1/19700101.0000.ndjson');
  flipBit(file, 12_000_000);
  const offset = 183 * blockBytes;
  assert.deepEqual(await lengthOf(), { length: offset, isDamage: true });
  const [damage, ...more] = await damageIn(store.verify());
  assert.deepEqual([damage?.offset, more], [offset, []]);
});
