import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { planChunks } from '../../../../src/store/distributed/stream/chunk-plan.ts';

const head = { name: 'feed-nod', end_byte: 100, end_line: 10, last_minute: 5 };
const lines = (minute: number, text: string) => ({ stream: 'feed-nod', minute, bytes: Buffer.from(text) });

test('lines of one minute become one chunk, and those of a clock that is behind go to the latest minute', () => {
  const plan = planChunks(head, [lines(4, 'a\n'), lines(5, 'b\n'), lines(7, 'c\nd\n'), lines(6, 'e\n')]);
  assert.deepEqual(
    plan.chunks.map(({ start_byte, start_line, minute, bytes }) => [
      start_byte,
      start_line,
      minute,
      String(bytes),
    ]),
    [
      [100, 10, 5, 'a\nb\n'],
      [104, 12, 7, 'c\nd\ne\n'],
    ],
  );
  assert.deepEqual(plan.head, { name: 'feed-nod', end_byte: 110, end_line: 15, last_minute: 7 });
});

test('chunks of any lines follow one another, end with a line, and are small unless a line is long', () => {
  const length = fc.oneof(fc.integer({ min: 1, max: 50_000 }), fc.integer({ min: 1, max: 600_000 }));
  fc.assert(
    fc.property(fc.array(length, { minLength: 1, maxLength: 20 }), (lengths) => {
      const text = lengths.map((each) => `${'x'.repeat(each)}\n`).join('');
      const { chunks, head: end } = planChunks(head, [lines(5, text)]);
      assert.equal(Buffer.concat(chunks.map(({ bytes }) => bytes)).toString(), text);
      assert.equal(end.end_line, 10 + lengths.length);
      let at = 100;
      for (const { start_byte, size, lines: count, bytes } of chunks) {
        assert.equal(start_byte, at);
        at += size;
        assert.ok(bytes.at(-1) === 10 && (size <= 262_144 || count === 1));
      }
      assert.equal(end.end_byte, at);
    }),
    { numRuns: 50 },
  );
});
