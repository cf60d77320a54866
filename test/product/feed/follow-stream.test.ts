import assert from 'node:assert/strict';
import { test } from 'node:test';
import { followStream } from '../../../src/product/feed/follow-stream.ts';
import { openStreamStore } from '../../../src/store/embedded/stream-store.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

const stream = 'feed-nod';

test('a stream is followed from an offset as it grows, until the signal', async (t) => {
  const store = openStreamStore(temporaryDirectory(t));
  t.after(() => store.close());
  const append = (text: string, minute: number) =>
    store.append([{ stream, bytes: Buffer.from(text) }], minute * 60_000);
  await append('a\nb\n', 1);
  const ending = new AbortController();
  let read = '';
  let offset = 2;
  for await (const { bytes, end } of followStream(
    { stream, from: 2, signal: ending.signal, intervalMs: 5 },
    { streams: store },
  )) {
    read += Buffer.from(bytes).toString();
    offset += bytes.length;
    assert.equal(end, offset);
    if (read === 'b\n') await append('c\n', 1);
    if (read === 'b\nc\n') await append('d\ne\n', 3);
    if (read.endsWith('e\n')) ending.abort();
  }
  assert.equal(read, 'b\nc\nd\ne\n');
});

test('a stream that does not exist yet is followed from its first line', async (t) => {
  const store = openStreamStore(temporaryDirectory(t));
  t.after(() => store.close());
  const ending = new AbortController();
  const following = followStream(
    { stream, from: 0, signal: ending.signal, intervalMs: 5 },
    { streams: store },
  );
  const first = following.next();
  await store.append([{ stream, bytes: Buffer.from('a\n') }], 60_000);
  assert.equal(Buffer.from((await first).value?.bytes ?? []).toString(), 'a\n');
  ending.abort();
  assert.equal((await following.next()).done, true);
});

test('lines that were pruned before they were read are skipped', async (t) => {
  const store = openStreamStore(temporaryDirectory(t));
  t.after(() => store.close());
  await store.append([{ stream, bytes: Buffer.from('a\n') }], 60_000);
  await store.append([{ stream, bytes: Buffer.from('b\n') }], 120_000);
  await store.pruneSegments(stream, 2);
  const ending = new AbortController();
  for await (const { bytes, end } of followStream(
    { stream, from: 0, signal: ending.signal, intervalMs: 5 },
    { streams: store },
  )) {
    assert.deepEqual([Buffer.from(bytes).toString(), end], ['b\n', 4]);
    ending.abort();
  }
});
