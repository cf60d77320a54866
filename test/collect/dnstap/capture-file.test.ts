import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { scanCapture } from '../../../src/collect/dnstap/capture-file.ts';
import {
  contentType,
  controlFrame,
  dataFrame,
  start,
  stop,
  u32,
} from '../../harness/network/encode-dnstap.ts';

const one = dataFrame(Buffer.from('one'));
const two = dataFrame(Buffer.from('second'));

async function* inPieces(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Each frame and fault as text with its offset. */
async function read(parts: readonly Uint8Array[], size = 7): Promise<string[]> {
  const items: string[] = [];
  for await (const item of scanCapture(inPieces(Buffer.concat(parts), size))) {
    const what = item.kind === 'data' ? Buffer.from(item.payload).toString('latin1') : `(${item.reason})`;
    items.push(`${what} at ${item.offset}`);
  }
  return items;
}

test('the frames of a capture are read with their offsets', async () => {
  assert.deepEqual(await read([start, one, two, stop]), ['one at 42', 'second at 49']);
});

test('a capture without STOP is complete, and so is one without frames', async () => {
  assert.deepEqual(await read([start, one]), ['one at 42']);
  assert.deepEqual(await read([start]), []);
});

test('concatenated captures are read one after the other', async () => {
  assert.deepEqual(await read([start, one, stop, start, two, stop]), ['one at 42', 'second at 103']);
});

test('a capture that ends inside a frame yields the frames before and the offset', async () => {
  assert.deepEqual(await read([start, one, two.subarray(0, 6)]), ['one at 42', '(cut-off) at 49']);
  assert.deepEqual(await read([start, one, two.subarray(0, 2)]), ['one at 42', '(cut-off) at 49']);
});

test('after a broken length nothing more is read', async () => {
  assert.deepEqual(await read([start, one, u32(0x7fff_ffff), two, stop]), [
    'one at 42',
    '(frame-too-long) at 49',
  ]);
});

test('a file that is not a dnstap capture is a fault at offset 0', async () => {
  assert.deepEqual(await read([]), ['(empty) at 0']);
  assert.deepEqual(await read([Buffer.from('{"rrname":"example.com."}\n')]), ['(frame-too-long) at 0']);
  assert.deepEqual(await read([one]), ['(out-of-order) at 0']);
  assert.deepEqual(await read([controlFrame(4, contentType), start]), ['(out-of-order) at 0']);
  assert.deepEqual(await read([controlFrame(2, Buffer.from('x'))]), ['(content-type) at 0']);
});

test('the result does not depend on how the capture is split into chunks', async () => {
  const noise = fc.uint8Array({ maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(noise, fc.integer({ min: 1, max: 60 }), async (rest, size) => {
      const parts = [start, one, two, rest];
      assert.deepEqual(await read(parts, size), await read(parts, 1000));
    }),
  );
});
