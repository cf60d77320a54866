/** Segments with a flipped bit, removed, or written by 0.1.0: what is not what was appended is never served. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { DamagedData } from '../../../../src/store/damage.ts';
import { openStreamStore } from '../../../../src/store/embedded/stream-store.ts';
import { consumeStream } from '../../../../src/store/stream/consume-stream.ts';
import type { StreamStore } from '../../../../src/store/stream-store.ts';
import { contentOf, textOf } from '../../../conformance/stream-store.ts';
import { damageIn, flipBit } from '../../../harness/damage.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';

const minuteMs = 60_000;
const lineBytes = 1000;
const linesPerMinute = 200;
const segmentBytes = lineBytes * linesPerMinute;
const minutes = 3;

function linesOf(minute: number): Buffer {
  const lines = Array.from(
    { length: linesPerMinute },
    (_, line) => `${JSON.stringify({ minute, line }).padEnd(lineBytes - 1)}\n`,
  );
  return Buffer.from(lines.join(''));
}

const everything = Buffer.concat(Array.from({ length: minutes }, (_, minute) => linesOf(minute)));

/** Three segments of several blocks each, in a stream with a neighbour. */
async function storedStreams(t: TestContext): Promise<{ directory: string; open: () => StreamStore }> {
  const directory = temporaryDirectory(t);
  const stores: StreamStore[] = [];
  t.after(() => Promise.all(stores.map((store) => store.close())));
  const open = () => {
    const store = openStreamStore(directory);
    stores.push(store);
    return store;
  };
  const writer = openStreamStore(directory);
  for (let minute = 0; minute < minutes; minute += 1) {
    const bytes = linesOf(minute);
    for (const part of [bytes.subarray(0, 70_000), bytes.subarray(70_000, 71_000), bytes.subarray(71_000)]) {
      await writer.append([{ stream: 'ch1', bytes: part }], minute * minuteMs);
    }
  }
  await writer.append([{ stream: 'ch2', bytes: Buffer.from('other\n') }], 0);
  await writer.close();
  return { directory, open };
}

function segmentOf(directory: string, minute: number): string {
  return join(directory, `streams/ch1/19700101.000${minute}.ndjson`);
}

/** As 0.1.0 wrote it: with a checksum of the whole file alone. */
function removeBlockChecksums(directory: string): void {
  const database = new Sqlite(join(directory, 'streams/streams.db'));
  database.exec('update segment set block_checksums = null');
  database.close();
}

const forms = { 'of this version': () => undefined, 'of 0.1.0': removeBlockChecksums };

for (const [form, prepare] of Object.entries(forms)) {
  test(`any part of segments ${form} is read as it was appended`, async (t) => {
    const { directory, open } = await storedStreams(t);
    prepare(directory);
    const store = open();
    for (const [from, to] of [
      [0, 3 * segmentBytes],
      [1, 2],
      [65_535, 65_537],
      [65_536, 131_072],
      [199_999, 200_001],
      [123, 555_555],
      [400_000, 600_000],
    ] as const) {
      const text = await contentOf(store, 'ch1', from, to);
      assert.equal(text, everything.subarray(from, to).toString());
    }
    assert.deepEqual(await damageIn(store.verify()), []);
  });

  test(`a flipped bit in a segment ${form} is an error that names the file, and what is elsewhere is still served`, async (t) => {
    const { directory, open } = await storedStreams(t);
    prepare(directory);
    const file = segmentOf(directory, 1);
    flipBit(file, 70_000);
    const store = open();
    await assert.rejects(
      contentOf(store, 'ch1'),
      (error) => error instanceof DamagedData && error.file === file && /stream ch1/.test(error.message),
    );
    assert.equal(await contentOf(store, 'ch1', 0, segmentBytes), linesOf(0).toString());
    assert.equal(await contentOf(store, 'ch1', 2 * segmentBytes), linesOf(2).toString());
    assert.equal(await contentOf(store, 'ch2'), 'other\n');
    const [damage, ...more] = await damageIn(store.verify());
    assert.deepEqual([damage?.file, damage?.offset, more], [file, form === 'of 0.1.0' ? 0 : 65_536, []]);
  });
}

test('the undamaged blocks of a damaged segment are served', async (t) => {
  const { directory, open } = await storedStreams(t);
  flipBit(segmentOf(directory, 1), 70_000);
  const store = open();
  const [from, to] = [segmentBytes + 131_072, 2 * segmentBytes];
  assert.equal(await contentOf(store, 'ch1', from, to), everything.subarray(from, to).toString());
});

test('a segment of 0.1.0 that was continued is checked as a whole', async (t) => {
  const { directory, open } = await storedStreams(t);
  removeBlockChecksums(directory);
  const store = open();
  await store.append([{ stream: 'ch2', bytes: Buffer.from('more\n') }], 0);
  assert.equal(await contentOf(store, 'ch2'), 'other\nmore\n');
  flipBit(join(directory, 'streams/ch2/19700101.0000.ndjson'), 2);
  await assert.rejects(contentOf(open(), 'ch2'), DamagedData);
});

test('a removed segment is an error that names stream and file', async (t) => {
  const { directory, open } = await storedStreams(t);
  const file = segmentOf(directory, 1);
  rmSync(file);
  const store = open();
  await assert.rejects(contentOf(store, 'ch1'), {
    message: `${file} is damaged: a file of stream ch1 is missing; restore it from a backup, see docs/troubleshooting.md`,
  });
  assert.equal(await contentOf(store, 'ch1', 2 * segmentBytes), linesOf(2).toString());
  assert.deepEqual(
    (await damageIn(store.verify())).map((damage) => damage.file),
    [file],
  );
});

test('a file that was restored is served again without a restart', async (t) => {
  const { directory, open } = await storedStreams(t);
  removeBlockChecksums(directory);
  const file = segmentOf(directory, 0);
  flipBit(file, 5);
  const store = open();
  const range = await store.openRange('ch1', 0, segmentBytes);
  await assert.rejects(textOf(range), DamagedData);
  flipBit(file, 5);
  assert.equal(await textOf(range), linesOf(0).toString());
  await range?.close();
});

test('a consumer stops before a damaged block, keeps its offset, and resumes when the file is restored', async (t) => {
  const { directory, open } = await storedStreams(t);
  const file = segmentOf(directory, 1);
  flipBit(file, 5);
  const streams = open();
  const clock = { now: () => 5 * minuteMs };
  const received: Buffer[] = [];
  const consume = () =>
    consumeStream({ stream: 'ch1', name: 'stage' }, { streams, clock }, async ({ bytes }) => {
      received.push(Buffer.from(bytes));
    });
  await assert.rejects(consume(), DamagedData);
  assert.ok(Buffer.concat(received).equals(linesOf(0)));
  await assert.rejects(consume(), DamagedData);
  flipBit(file, 5);
  assert.equal(await consume(), 'done');
  assert.ok(Buffer.concat(received).equals(everything));
});

test('a consumer that stopped at damage continues behind the segment once that is decided, and others stay', async (t) => {
  const { directory, open } = await storedStreams(t);
  flipBit(segmentOf(directory, 1), 5);
  const streams = open();
  const clock = { now: () => 5 * minuteMs };
  const received: Buffer[] = [];
  const consume = () =>
    consumeStream({ stream: 'ch1', name: 'stage' }, { streams, clock }, async ({ bytes }) => {
      received.push(Buffer.from(bytes));
    });
  await consumeStream({ stream: 'ch2', name: 'other' }, { streams, clock }, async () => undefined);
  await assert.rejects(consume(), DamagedData);
  assert.deepEqual(await streams.skipDamaged(clock.now()), [
    { stream: 'ch1', name: 'stage', from: segmentBytes, to: 2 * segmentBytes },
  ]);
  assert.equal(await consume(), 'done');
  assert.ok(Buffer.concat(received).equals(Buffer.concat([linesOf(0), linesOf(2)])));
  assert.deepEqual(await streams.skipDamaged(clock.now()), []);
});

test('rows of segments that do not follow one another are an error that names the database', async (t) => {
  const { directory, open } = await storedStreams(t);
  const path = join(directory, 'streams/streams.db');
  const database = new Sqlite(path);
  database.exec("update segment set bytes = bytes - 8 where stream = 'ch1' and minute = 1");
  database.close();
  const store = open();
  await assert.rejects(
    contentOf(store, 'ch1'),
    (error) => error instanceof DamagedData && error.file === path,
  );
  assert.ok((await damageIn(store.verify())).some((damage) => damage.file === path));
});
