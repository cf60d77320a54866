import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openReadOnly } from '../../../../src/store/embedded/database.ts';
import { openStreamStore } from '../../../../src/store/embedded/stream-store.ts';
import type { StreamStore } from '../../../../src/store/stream-store.ts';
import { contentOf } from '../../../conformance/stream-store.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';

function open(t: TestContext, directory: string): StreamStore {
  const store = openStreamStore(directory);
  t.after(() => store.close());
  return store;
}

function append(store: StreamStore, text: string): Promise<boolean> {
  return store.append([{ stream: 'ch1', bytes: Buffer.from(text) }], 0);
}

/** What the index has, without the journal. */
function indexedBytes(directory: string): number {
  const database = openReadOnly(join(directory, 'streams/streams.db'));
  try {
    return database.prepare('select sum(bytes) from segment').pluck().get() as number;
  } finally {
    database.close();
  }
}

test('another handle reads lines that only the journal has', async (t) => {
  const directory = temporaryDirectory(t);
  const [store, other] = [open(t, directory), open(t, directory)];
  assert.equal(await contentOf(other, 'ch1'), '');
  for (const text of ['one\n', 'two\nthree\n', 'four\n']) await append(store, text);
  assert.equal(indexedBytes(directory), 4);
  const state = await other.findState('ch1');
  assert.deepEqual([state?.end, state?.lines, await other.countLines('ch1', 0, 19)], [19, 4, 4]);
  assert.equal(await contentOf(other, 'ch1', 4), 'two\nthree\nfour\n');
});

test('what another handle appends to the index follows what the journal has', async (t) => {
  const directory = temporaryDirectory(t);
  const [store, other] = [open(t, directory), open(t, directory)];
  for (const text of ['one\n', 'two\n']) await append(store, text);
  const long = `${'x'.repeat(5000)}\n`;
  await append(other, long);
  await append(store, 'three\n');
  for (const handle of [store, other])
    assert.equal(await contentOf(handle, 'ch1'), `one\ntwo\n${long}three\n`);
});

test('lines of a pruned segment do not appear in one that begins in the same minute', async (t) => {
  const directory = temporaryDirectory(t);
  const [store, other] = [open(t, directory), open(t, directory)];
  for (const text of ['one\n', 'two\n']) await append(store, text);
  assert.equal(await contentOf(other, 'ch1'), 'one\ntwo\n');
  await store.pruneSegments('ch1', 1);
  await append(store, 'a\n');
  for (const handle of [store, other]) {
    assert.equal(await contentOf(handle, 'ch1'), 'a\n');
    assert.equal((await handle.findState('ch1'))?.lines, 1);
  }
});

test('a journal that was removed is made anew, and loses nothing that is in the files', async (t) => {
  const directory = temporaryDirectory(t);
  const store = openStreamStore(directory);
  for (const text of ['one\n', 'two\n']) await append(store, text);
  await store.close();
  rmSync(join(directory, 'streams/appends.journal'));
  const again = open(t, directory);
  for (const text of ['three\n', 'four\n']) await append(again, text);
  assert.equal(await contentOf(again, 'ch1'), 'one\ntwo\nthree\nfour\n');
});
