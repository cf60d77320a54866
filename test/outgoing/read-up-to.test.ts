import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { readUpTo } from '../../src/outgoing/read-up-to.ts';

function streamOf(chunks: readonly string[], last?: Error | 'close'): PassThrough {
  const stream = new PassThrough();
  for (const chunk of chunks) stream.write(chunk);
  if (last === undefined) stream.end();
  else setImmediate(() => stream.destroy(last === 'close' ? undefined : last));
  return stream;
}

test('a stream is read to its end, or to the limit, however it is divided', async () => {
  const chunks = fc.array(fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 5 }), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(chunks, fc.integer({ min: 1, max: 20 }), async (given, bytesMax) => {
      const whole = given.join('');
      const { bytes, isTruncated } = await readUpTo(streamOf(given), bytesMax, bytesMax + 1);
      assert.equal(bytes.toString(), whole.slice(0, bytesMax));
      assert.equal(isTruncated, whole.length > bytesMax);
    }),
  );
});

test('a stream that stays open after enough bytes is not waited for', async () => {
  const stream = new PassThrough();
  stream.write('abc');
  const { bytes, isTruncated } = await readUpTo(stream, 3, 3);
  assert.deepEqual([bytes.toString(), isTruncated], ['abc', false]);
  stream.destroy();
});

test('the error of a stream is thrown', async () => {
  await assert.rejects(readUpTo(streamOf(['ab'], new Error('reset')), 10, 11), /reset/);
});

test('a stream that is closed before its end is an error, also where that was before', async () => {
  const code = { code: 'ERR_STREAM_PREMATURE_CLOSE' };
  await assert.rejects(readUpTo(streamOf(['ab'], 'close'), 10, 11), code);
  const closed = streamOf([], 'close');
  await new Promise((resolve) => closed.once('close', resolve));
  await assert.rejects(readUpTo(closed, 10, 11), code);
});
