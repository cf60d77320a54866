import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { scanLines } from '../../../src/store/stream/scan-lines.ts';

/** Chunks of a text, cut anywhere, in a buffer that is reused for the next chunk. */
function rangeOf(text: string, cuts: readonly number[], from = 1000) {
  const bytes = Buffer.from(text);
  const bounds = [...new Set([0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort(
    (left, right) => left - right,
  );
  return {
    from,
    to: from + bytes.length,
    async *read() {
      const memory = Buffer.alloc(bytes.length);
      for (const [index, start] of bounds.slice(0, -1).entries()) {
        const chunk = bytes.subarray(start, bounds[index + 1]);
        memory.fill(0);
        memory.set(chunk);
        yield memory.subarray(0, chunk.length);
      }
    },
  };
}

const line = fc.string({ maxLength: 30 }).map((text) => `${text.replaceAll('\n', ' ')}é\n`);

test('slices are whole lines, in order, no longer than the limit unless a single line is, each with its end offset', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(line),
      fc.array(fc.nat()),
      fc.integer({ min: 1, max: 80 }),
      async (lines, cuts, bytesMax) => {
        const text = lines.join('');
        let read = '';
        let offset = 1000;
        for await (const { bytes, end } of scanLines(rangeOf(text, cuts), { bytesMax })) {
          const slice = Buffer.from(bytes).toString();
          assert.ok(slice.endsWith('\n'));
          assert.ok(bytes.length <= bytesMax || slice.indexOf('\n') === slice.length - 1);
          offset += bytes.length;
          assert.equal(end, offset);
          read += slice;
        }
        assert.equal(read, text);
      },
    ),
  );
});

test('an unfinished last line is left out', async () => {
  const slices = [];
  for await (const { bytes } of scanLines(rangeOf('a\nb\nhalf', [3, 5]))) {
    slices.push(Buffer.from(bytes).toString());
  }
  assert.equal(slices.join(''), 'a\nb\n');
});
