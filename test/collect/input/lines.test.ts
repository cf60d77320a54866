import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import * as fc from 'fast-check';
import { decompress } from '../../../src/collect/input/decompress.ts';
import { lineBytesMax, readLines } from '../../../src/collect/input/lines.ts';

/** In chunks of these sizes, cyclically. */
async function* inChunks(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let index = 0;
  for (let at = 0; at < bytes.length; index += 1) {
    const size = sizes[index % sizes.length] ?? bytes.length;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

async function linesOf(bytes: Uint8Array, sizes: readonly number[] = [65_536]) {
  const lines: (string | undefined)[] = [];
  for await (const batch of readLines(decompress(inChunks(bytes, sizes)))) {
    assert.equal(batch.firstNumber, lines.length + 1);
    assert.ok(batch.lines.length > 0);
    lines.push(...batch.lines);
  }
  return lines;
}

test('lines end in LF or CRLF, the last one with or without an end', async () => {
  assert.deepEqual(await linesOf(Buffer.from('a\nb\r\n\r\n\nc')), ['a', 'b', '', '', 'c']);
  assert.deepEqual(await linesOf(Buffer.from('a\nb\n')), ['a', 'b']);
  assert.deepEqual(await linesOf(Buffer.from('a\r')), ['a']);
  assert.deepEqual(await linesOf(Buffer.from('\n')), ['']);
  assert.deepEqual(await linesOf(Buffer.from('')), []);
});

test('a byte order mark is not part of the first line', async () => {
  assert.deepEqual(await linesOf(Buffer.from('\uFEFFa\n\uFEFFb\n'), [1]), ['a', '\uFEFFb']);
});

test('the result depends neither on chunk boundaries nor on compression', async () => {
  const text = fc.array(fc.constantFrom('a', 'ü', '𐍈', '\r', '\n', '\r\n', 'bcd'), { maxLength: 60 });
  const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(text, sizes, async (parts, chunkSizes) => {
      const bytes = Buffer.from(parts.join(''));
      const expected = bytes.toString().split('\n');
      if (expected.at(-1) === '') expected.pop();
      const lines = expected.map((line) => line.replace(/\r$/, ''));
      for (const packed of [bytes, gzipSync(bytes), zstdCompressSync(bytes)]) {
        assert.deepEqual(await linesOf(packed, chunkSizes), lines);
      }
    }),
    { numRuns: 60 },
  );
});

test('a line longer than 1 MiB is marked and skipped, and its neighbours are read', async () => {
  const longest = 'x'.repeat(lineBytesMax);
  const bytes = Buffer.from(`a\n${longest}\n${longest}y\nb\n${longest.repeat(3)}`);
  for (const sizes of [[65_536], [bytes.length], [7, 100_000]]) {
    const lines = await linesOf(bytes, sizes);
    assert.deepEqual(
      lines.map((line) => line?.length),
      [1, lineBytesMax, undefined, 1, undefined],
    );
  }
});

test('invalid UTF-8 becomes U+FFFD', async () => {
  assert.deepEqual(await linesOf(Buffer.from([0x61, 0xff, 0x0a, 0xc3, 0x0a, 0x62])), [
    'a\uFFFD',
    '\uFFFD',
    'b',
  ]);
});

test('concatenated gzip files are read to the end', async () => {
  const joined = Buffer.concat([gzipSync('one\n'), gzipSync('two\nthr'), gzipSync('ee\n')]);
  for (const sizes of [[1], [5], [65_536]])
    assert.deepEqual(await linesOf(joined, sizes), ['one', 'two', 'three']);
});

test('zstd files of many frames are read to the end, wherever chunks split them', async () => {
  const skippable = Buffer.from([0x53, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 9, 9, 9]);
  const runLength = zstdCompressSync(Buffer.alloc(300_000, 'z'));
  const text = Array.from({ length: 30_000 }, (_, index) => `line ${index * 7919}\n`).join('');
  const several = zstdCompressSync(text);
  const joined = Buffer.concat([
    skippable,
    zstdCompressSync('one\n'),
    zstdCompressSync(''),
    several,
    runLength,
  ]);
  const expected = ['one', ...text.trimEnd().split('\n'), 'z'.repeat(300_000)];
  for (const sizes of [[11, 500], [1000], [joined.length]]) {
    assert.deepEqual(await linesOf(joined, sizes), expected);
  }
});

test('truncated or damaged compressed data is read as far as possible, then throws', async () => {
  const text = Array.from({ length: 100_000 }, (_, index) => `${index * 7919}\n`).join('');
  for (const packed of [gzipSync(text), zstdCompressSync(text)]) {
    let count = 0;
    await assert.rejects(async () => {
      const cut = inChunks(packed.subarray(0, packed.length - 1000), [4096]);
      for await (const batch of readLines(decompress(cut))) count += batch.lines.length;
    }, /damaged or truncated/);
    assert.ok(count > 1000);
  }
});

test('a failing source makes the reader fail', async () => {
  async function* failing() {
    yield gzipSync('one\n').subarray(0, 10);
    await Promise.resolve();
    throw new Error('disk gone');
  }
  await assert.rejects(async () => {
    for await (const batch of readLines(decompress(failing()))) assert.equal(batch, undefined);
  }, /disk gone/);
});

test('a reader that stops early closes its source', async () => {
  for (const packed of [Buffer.from('a\n'.repeat(100_000)), gzipSync(Buffer.from('a\n'.repeat(1_000_000)))]) {
    let isClosed = false;
    async function* source() {
      try {
        yield* inChunks(packed, [100]);
      } finally {
        isClosed = true;
      }
    }
    for await (const batch of readLines(decompress(source()))) {
      assert.ok(batch.lines.length > 0);
      break;
    }
    await new Promise((resolve) => setImmediate(resolve));
    assert.ok(isClosed);
  }
});

test('a small file that decompresses to one endless line needs little memory', async () => {
  const part = gzipSync(Buffer.alloc(40 * 1_048_576, 'x'));
  const bomb = Buffer.concat([part, part, part, part]);
  const before = process.memoryUsage().arrayBuffers;
  assert.deepEqual(await linesOf(bomb), [undefined]);
  assert.ok(process.memoryUsage().arrayBuffers - before < 128 * 1_048_576);
});
