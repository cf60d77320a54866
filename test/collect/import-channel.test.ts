import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import * as fc from 'fast-check';
import { type ChannelCounts, importChannel } from '../../src/collect/import-channel.ts';
import { openStreamStore } from '../../src/store/embedded/stream-store.ts';
import type { StreamStore } from '../../src/store/stream-store.ts';
import { streamText } from '../harness/fixtures/stream-text.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';

const two = '{"domain":"a.example"}\n{"domain":"b.example"}\n';
const nowMs = Date.parse('2026-02-20T17:05:30Z');

interface World {
  readonly streams: StreamStore;
  readonly faults: string[];
  readonly bring: (
    bytes: string | Uint8Array | AsyncIterable<Uint8Array>,
    more?: { importId?: string; mimetype?: string },
  ) => Promise<ChannelCounts>;
  readonly held: () => Promise<string>;
}

function world(t: TestContext): World {
  const streams = openStreamStore(temporaryDirectory(t));
  t.after(() => streams.close());
  const faults: string[] = [];
  const needs = {
    streams,
    now: () => nowMs,
    onFault: (position: string, reason: string) => void faults.push(`${position} ${reason}`),
    onProgress: () => undefined,
  };
  return {
    streams,
    faults,
    bring: (bytes, { importId, mimetype = 'application/x-ndjson' } = {}) =>
      importChannel(chunksOf(bytes), { channel: 212, mimetype, importId }, needs),
    held: () => streamText(streams, 'ch212'),
  };
}

function chunksOf(bytes: string | Uint8Array | AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  return typeof bytes === 'object' && Symbol.asyncIterator in bytes ? bytes : inChunks(Buffer.from(bytes));
}

async function* inChunks(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000);
}

async function* interrupted(bytes: Buffer, end: number): AsyncGenerator<Uint8Array> {
  yield* inChunks(bytes.subarray(0, end));
  throw new Error('the connection was lost');
}

for (const [compression, compress] of Object.entries({
  nothing: (text: string) => text,
  gzip: (text: string) => gzipSync(text),
  zstd: (text: string) => zstdCompressSync(text),
})) {
  test(`lines compressed with ${compression} are appended unchanged`, async (t) => {
    const { bring, held } = world(t);
    assert.deepEqual(await bring(compress(two)), { read: 2, appended: 2, malformed: 0, before: 0 });
    assert.equal(await held(), two);
  });
}

test('a line that is not a JSON object or not UTF-8 is reported by number and skipped; blank lines are ignored', async (t) => {
  const { bring, held, faults } = world(t);
  const lines = '{"a":1}\nnonsense\n\n[1]\n{"b":"\xff"}\n \r\n{"c":2}\r\n{"d":3}';
  const counts = await bring(Buffer.from(lines, 'latin1'));
  assert.deepEqual(counts, { read: 8, appended: 3, malformed: 3, before: 0 });
  assert.deepEqual(faults, [
    'line 2 is not valid JSON',
    'line 4 is not a JSON object',
    'line 5 contains bytes that are not UTF-8',
  ]);
  assert.equal(await held(), '{"a":1}\n{"c":2}\n{"d":3}\n');
});

test('a line longer than the limit is malformed, and the next one is read', async (t) => {
  const { bring, held, faults } = world(t);
  await bring(`{"a":"${'x'.repeat(1_100_000)}"}\n{"b":1}\n`);
  assert.deepEqual(faults, ['line 1 is too long']);
  assert.equal(await held(), '{"b":1}\n');
});

test('a channel with another media type accepts any line that is not blank', async (t) => {
  const { bring, held } = world(t);
  assert.equal((await bring('any\n\n{text\n', { mimetype: 'text/plain' })).appended, 2);
  assert.equal(await held(), 'any\n{text\n');
});

test('an import without lines creates no stream', async (t) => {
  const { bring, streams } = world(t);
  assert.deepEqual(await bring('\n\n'), { read: 2, appended: 0, malformed: 0, before: 0 });
  assert.equal(await streams.findState('ch212'), undefined);
});

test('without an id, repeating an import appends the lines again', async (t) => {
  const { bring, held } = world(t);
  for (let times = 0; times < 2; times += 1) await bring(two);
  assert.equal(await held(), two + two);
});

test('an import with an id that is interrupted anywhere resumes after its last batch and appends every line exactly once', async (t) => {
  const { bring, held } = world(t);
  // Several batches of a megabyte, so that an interruption falls between two of them.
  const lines = Array.from({ length: 4000 }, (_, index) =>
    index % 7 === 3 ? `bad ${index}\n` : `{"n":${index},"p":"${'x'.repeat(1000)}"}\n`,
  );
  const file = Buffer.from(lines.join(''));
  const expected = lines.filter((line) => line.startsWith('{')).join('');
  const interruptions = fc.sample(
    fc.array(fc.integer({ min: 0, max: file.length }), { minLength: 1, maxLength: 3 }),
    3,
  );
  let imports = '';
  for (const [number, ends] of interruptions.entries()) {
    const importId = `import ${number}`;
    for (const end of ends)
      await assert.rejects(bring(interrupted(file, end), { importId }), /the connection was lost/);
    const before = (await held()).length - imports.length;
    const counts = await bring(file, { importId });
    assert.equal(counts.before > 0, before > 0, 'the import resumes where a batch was appended before');
    imports += expected;
    assert.ok((await held()) === imports, `imports that were interrupted at bytes ${ends.join(', ')}`);
  }
});

test('an interruption after three batches leaves those in the channel, and only the rest is appended later', async (t) => {
  const { bring, held } = world(t);
  const line = `{"p":"${'x'.repeat(1000)}"}\n`;
  const file = Buffer.from(line.repeat(4000));
  const importId = 'x';
  await assert.rejects(bring(interrupted(file, 3_400_000), { importId }), /the connection was lost/);
  const imported = (await held()).length / line.length;
  assert.ok(imported > 3000 && imported < 3400, `${imported} lines`);
  const { appended, before } = await bring(file, { importId });
  assert.deepEqual([appended, before], [4000 - imported, imported]);
});

test('two concurrent imports with one id append every line once', async (t) => {
  const { bring, held } = world(t);
  const outcomes = await Promise.allSettled([bring(two, { importId: 'x' }), bring(two, { importId: 'x' })]);
  const failed = outcomes.filter((outcome) => outcome.status === 'rejected');
  assert.ok(failed.every(({ reason }) => /another import of the same lines/.test(String(reason))));
  assert.equal(await held(), two);
});
