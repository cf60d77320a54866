import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { DamagedData } from '../../../../src/store/damage.ts';
import {
  chunkBytes,
  chunkBytesMax,
  SharedChunks,
} from '../../../../src/store/embedded/stream/shared-chunks.ts';
import { openStreamStore } from '../../../../src/store/embedded/stream-store.ts';
import type { OpenRange, StreamStore } from '../../../../src/store/stream-store.ts';
import { flipBit } from '../../../harness/damage.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';

/** Loads that end when the test says so. */
function loads() {
  const pending: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const load = () => new Promise<void>((resolve, reject) => void pending.push({ resolve, reject }));
  return { pending, load };
}

const noLoad = () => Promise.reject(new Error('it is in memory'));
const at = (index: number) => ({ stream: 'ch1', from: index * chunkBytes, to: (index + 1) * chunkBytes });

test('readers that want the same chunk wait for one load', async () => {
  const chunks = new SharedChunks(8 * chunkBytesMax);
  chunks.join();
  const { pending, load } = loads();
  const acquire = () => Promise.resolve(chunks.acquire(at(1), load));
  const both = [acquire(), acquire()];
  assert.equal(pending.length, 1);
  pending[0]?.resolve();
  const [one, other] = await Promise.all(both);
  assert.ok(one && one.bytes === other?.bytes);
});

test('a chunk that nobody uses stays in memory until another needs the room', async () => {
  const chunks = new SharedChunks(2 * chunkBytesMax);
  chunks.join();
  for (const index of [1, 2, 1]) (await chunks.acquire(at(index), async () => undefined))?.release();
  (await chunks.acquire(at(3), async () => undefined))?.release();
  (await chunks.acquire(at(1), noLoad))?.release();
  await assert.rejects(async () => chunks.acquire(at(2), noLoad), /in memory/);
});

test('a chunk in use is never given away, and there are no more chunks than fit', async () => {
  const chunks = new SharedChunks(2 * chunkBytesMax);
  chunks.join();
  const one = await chunks.acquire(at(1), async (into) => void into.fill(1));
  const two = await chunks.acquire(at(2), async (into) => void into.fill(2));
  assert.equal(chunks.acquire(at(3), noLoad), undefined);
  two?.release();
  two?.release();
  const three = await chunks.acquire(at(3), async (into) => void into.fill(3));
  assert.deepEqual([one?.bytes[0], three?.bytes[0]], [1, 3]);
  assert.equal(chunks.acquire(at(4), noLoad), undefined);
});

test('a load that fails fails for all that wait for it, and the next reader tries again', async () => {
  const chunks = new SharedChunks(chunkBytesMax);
  chunks.join();
  const { pending, load } = loads();
  const acquire = () => Promise.resolve(chunks.acquire(at(1), load));
  const both = [acquire(), acquire()];
  pending[0]?.reject(new Error('unreadable'));
  for (const outcome of await Promise.allSettled(both)) assert.equal(outcome.status, 'rejected');
  assert.ok(await chunks.acquire(at(1), async () => undefined));
});

test('nothing is kept when the last reader has left', async () => {
  const chunks = new SharedChunks(8 * chunkBytesMax);
  const leave = chunks.join();
  (await chunks.acquire(at(1), async () => undefined))?.release();
  leave();
  chunks.join();
  await assert.rejects(async () => chunks.acquire(at(1), noLoad), /in memory/);
});

test('a reader that comes soon after the last one has left gets its memory', async () => {
  const chunks = new SharedChunks(8 * chunkBytesMax);
  const leave = chunks.join();
  const first = await chunks.acquire(at(1), async () => undefined);
  first?.release();
  leave();
  chunks.join();
  const next = await chunks.acquire(at(2), async () => undefined);
  assert.equal(next?.bytes.buffer, first?.bytes.buffer);
});

test('a reader that comes later gets memory of its own', async () => {
  const chunks = new SharedChunks(8 * chunkBytesMax, 1);
  const leave = chunks.join();
  const first = await chunks.acquire(at(1), async () => undefined);
  first?.release();
  leave();
  await pause(50);
  chunks.join();
  const next = await chunks.acquire(at(2), async () => undefined);
  assert.notEqual(next?.bytes.buffer, first?.bytes.buffer);
});

test('a chunk that is released after the last reader has left is not kept', async () => {
  const chunks = new SharedChunks(8 * chunkBytesMax);
  const leave = chunks.join();
  const chunk = await chunks.acquire(at(1), async () => undefined);
  leave();
  chunk?.release();
  chunks.join();
  await assert.rejects(async () => chunks.acquire(at(1), noLoad), /in memory/);
});

test('readers that may turn out to stall use half of the memory at most, together with others any chunk', async () => {
  const chunks = new SharedChunks(4 * chunkBytesMax);
  chunks.join();
  const load = async () => undefined;
  const one = await chunks.acquire(at(1), load, 'new');
  const other = await chunks.acquire(at(2), load, 'new');
  assert.equal(chunks.acquire(at(3), noLoad, 'new'), undefined);
  assert.ok(await chunks.acquire(at(1), noLoad, 'new'));
  const steady = await chunks.acquire(at(3), load, 'steady');
  assert.ok(steady);
  assert.equal(chunks.acquire(at(3), noLoad, 'new'), undefined);
  one?.release();
  assert.equal(chunks.acquire(at(3), noLoad, 'new'), undefined);
  other?.release();
  assert.ok(await chunks.acquire(at(3), noLoad, 'new'));
});

test('a load that fails leaves room for the next reader that may stall', async () => {
  const chunks = new SharedChunks(2 * chunkBytesMax);
  chunks.join();
  await assert.rejects(async () =>
    chunks.acquire(at(1), () => Promise.reject(new Error('unreadable')), 'new'),
  );
  assert.ok(await chunks.acquire(at(2), async () => undefined, 'new'));
});

const minutes = 14;
const segmentBytes = 1_000_003;

/** Segments whose ends are not those of chunks, more than a reader needs to be a steady one. */
async function longStream(t: TestContext): Promise<{ directory: string; store: StreamStore; all: Buffer }> {
  const directory = temporaryDirectory(t);
  const store = openStreamStore(directory);
  t.after(() => store.close());
  const parts = Array.from({ length: minutes }, (_, minute) =>
    Buffer.from(`${`${minute} `.repeat(segmentBytes).slice(0, segmentBytes - 1)}\n`),
  );
  await Promise.all(parts.map((bytes, minute) => store.append([{ stream: 'ch1', bytes }], minute * 60_000)));
  return { directory, store, all: Buffer.concat(parts) };
}

async function bytesOf(range: OpenRange, from?: number, to?: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  // As a sender does, which still sends one chunk when it asks for the next.
  let previous: Uint8Array | undefined;
  for await (const chunk of range.read(from, to)) {
    if (previous) parts.push(Buffer.from(previous));
    previous = chunk;
  }
  if (previous) parts.push(Buffer.from(previous));
  return Buffer.concat(parts);
}

test('several readers at once each get all bytes of a long range, wherever they begin and end', async (t) => {
  const { store, all } = await longStream(t);
  const range = await store.openRange('ch1', 0, all.length);
  assert.ok(range);
  const parts = [
    [0, all.length],
    [0, all.length],
    [1, all.length - 1],
    [700_001, 13_000_000],
    [chunkBytes, 12 * chunkBytes],
  ] as const;
  const found = await Promise.all(parts.map(([from, to]) => bytesOf(range, from, to)));
  for (const [index, [from, to]] of parts.entries())
    assert.ok(found[index]?.equals(all.subarray(from, to)), `${from} to ${to}`);
  await range.close();
});

test('segments of all sizes, larger and smaller than a chunk, are read as they are stored', async (t) => {
  const store = openStreamStore(temporaryDirectory(t));
  t.after(() => store.close());
  const sizes = [
    9_000_000, 3_000_001, 100, 70_000, 1_048_576, 5, 200_000, 262_144, 2_359_297, 65_536, 1_900_000, 2,
  ];
  const parts = sizes.map((size, minute) => Buffer.from(`${`${minute} `.repeat(size).slice(0, size - 1)}\n`));
  for (const [minute, bytes] of parts.entries())
    await store.append([{ stream: 'ch1', bytes }], minute * 60_000);
  const all = Buffer.concat(parts);
  const ranges = [0, 1, 400_000, 600_001].map((from) => [from, all.length - from] as const);
  const found = await Promise.all(
    ranges.map(async ([from, to]) => {
      const range = await store.openRange('ch1', from, to);
      const bytes = range && (await bytesOf(range));
      await range?.close();
      return bytes;
    }),
  );
  for (const [index, [from, to]] of ranges.entries())
    assert.ok(found[index]?.equals(all.subarray(from, to)), `${from} to ${to}`);
});

test('readers that share a damaged chunk all get what precedes the damage, then the error', async (t) => {
  const { directory, store, all } = await longStream(t);
  flipBit(`${directory}/streams/ch1/19700101.0011.ndjson`, 300_000);
  const damagedBlock = 11 * segmentBytes + 4 * 65_536;
  const range = await store.openRange('ch1', 0, all.length);
  assert.ok(range);
  const received = [0, 0, 0];
  const readers = received.map(async (_, index) => {
    for await (const chunk of range.read()) received[index] = (received[index] ?? 0) + chunk.length;
  });
  for (const outcome of await Promise.allSettled(readers))
    assert.ok(outcome.status === 'rejected' && outcome.reason instanceof DamagedData);
  assert.deepEqual(received, [damagedBlock, damagedBlock, damagedBlock]);
  await range.close();
});

test('a reader that is abandoned in the middle leaves its chunks to the others', async (t) => {
  const { store, all } = await longStream(t);
  const ranges = await Promise.all([0, 1, 2].map(() => store.openRange('ch1', 0, all.length)));
  const abandon = async (range: OpenRange) => {
    let given = 0;
    for await (const chunk of range.read()) {
      given += chunk.length;
      if (given > 10_000_000) break;
    }
    await range.close();
  };
  const [one, two, three] = ranges as [OpenRange, OpenRange, OpenRange];
  const [, , read] = await Promise.all([abandon(one), abandon(two), bytesOf(three)]);
  await three.close();
  assert.ok(read.equals(all));
});
