import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import * as fc from 'fast-check';
import { type ChannelCounts, importChannel } from '../../src/collect/import-channel.ts';
import { openStreamStore } from '../../src/store/embedded/stream-store.ts';
import type { StreamStore } from '../../src/store/stream-store.ts';
import { streamText } from '../harness/stream-text.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';

const two = '{"domain":"a.example"}\n{"domain":"b.example"}\n';
const nowMs = Date.parse('2026-02-20T17:05:30Z');

interface World {
  readonly streams: StreamStore;
  readonly faults: string[];
  readonly bring: (
    bytes: string | Uint8Array,
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
    onFault: (place: string, reason: string) => void faults.push(`${place} ${reason}`),
    onProgress: () => undefined,
  };
  return {
    streams,
    faults,
    bring: (bytes, { importId, mimetype = 'application/x-ndjson' } = {}) =>
      importChannel(inPieces(Buffer.from(bytes)), { channel: 212, mimetype, importId }, needs),
    held: () => streamText(streams, 'ch212'),
  };
}

async function* inPieces(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000);
}

for (const [packing, pack] of Object.entries({
  nothing: (text: string) => text,
  gzip: (text: string) => gzipSync(text),
  zstd: (text: string) => zstdCompressSync(text),
})) {
  test(`lines packed with ${packing} are appended as they are`, async (t) => {
    const { bring, held } = world(t);
    assert.deepEqual(await bring(pack(two)), { read: 2, appended: 2, malformed: 0, before: 0 });
    assert.equal(await held(), two);
  });
}

test('what is no JSON object, or not UTF-8, is told with its line and passed over; blank lines are passed over', async (t) => {
  const { bring, held, faults } = world(t);
  const lines = '{"a":1}\nnonsense\n\n[1]\n{"b":"\xff"}\n \r\n{"c":2}\r\n{"d":3}';
  const counts = await bring(Buffer.from(lines, 'latin1'));
  assert.deepEqual(counts, { read: 8, appended: 3, malformed: 3, before: 0 });
  assert.deepEqual(faults, [
    'line 2 is not valid JSON',
    'line 4 is not a JSON object',
    'line 5 holds bytes that are not UTF-8',
  ]);
  assert.equal(await held(), '{"a":1}\n{"c":2}\n{"d":3}\n');
});

test('a line that is too long for memory is malformed, and the next one is read', async (t) => {
  const { bring, held, faults } = world(t);
  await bring(`{"a":"${'x'.repeat(1_100_000)}"}\n{"b":1}\n`);
  assert.deepEqual(faults, ['line 1 is too long']);
  assert.equal(await held(), '{"b":1}\n');
});

test('a channel of another kind takes any line that is not blank', async (t) => {
  const { bring, held } = world(t);
  assert.equal((await bring('any\n\n{text\n', { mimetype: 'text/plain' })).appended, 2);
  assert.equal(await held(), 'any\n{text\n');
});

test('nothing to append leaves no trace', async (t) => {
  const { bring, streams } = world(t);
  assert.deepEqual(await bring('\n\n'), { read: 2, appended: 0, malformed: 0, before: 0 });
  assert.equal(await streams.findState('ch212'), undefined);
});

test('without an id the same lines are appended again', async (t) => {
  const { bring, held } = world(t);
  for (let times = 0; times < 2; times += 1) await bring(two);
  assert.equal(await held(), two + two);
});

test('under an id every line is appended once, wherever earlier runs broke off', async (t) => {
  const { bring, held } = world(t);
  const lines = Array.from({ length: 200 }, (_, index) =>
    index % 7 === 3 ? `bad ${index}` : `{"n":${index}}`,
  );
  const expected = lines
    .filter((line) => line.startsWith('{'))
    .map((line) => `${line}\n`)
    .join('');
  const runs = fc.sample(fc.array(fc.integer({ min: 0, max: 200 }), { maxLength: 6 }), 12);
  let imports = '';
  for (const [number, ends] of runs.entries()) {
    for (const end of [...ends, 200]) {
      await bring(
        lines
          .slice(0, end)
          .map((line) => `${line}\n`)
          .join(''),
        { importId: `import ${number}` },
      );
    }
    imports += expected;
    assert.equal(await held(), imports, `runs that ended at ${ends.join(', ')}`);
  }
});

test('two imports under one id at once append every line once', async (t) => {
  const { bring, held } = world(t);
  const outcomes = await Promise.allSettled([bring(two, { importId: 'x' }), bring(two, { importId: 'x' })]);
  const failed = outcomes.filter((outcome) => outcome.status === 'rejected');
  assert.ok(failed.every(({ reason }) => /another import of the same lines/.test(String(reason))));
  assert.equal(await held(), two);
});
