import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { highestFirst } from '../../../src/product/feed/highest-first.ts';
import { openStreamStore } from '../../../src/store/embedded/stream-store.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

let streams = 0;

test('FEED-26 records are sorted by a score, highest first, however little fits in memory', async (t) => {
  const store = openStreamStore(temporaryDirectory(t));
  t.after(() => store.close());
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 1, maxLength: 60 }),
      fc.integer({ min: 1, max: 70 }),
      fc.integer({ min: 1, max: 2000 }),
      fc.constantFrom('in-order' as const, 'newest-first' as const),
      async (shares, recordsMax, bytesMax, ties) => {
        streams += 1;
        const stream = `feed-x${streams}`;
        const records = shares.map((share, number) => ({ number, overall_risk: share }));
        const bytes = Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
        await store.append([{ stream, bytes }], 0);
        const range = await store.openRange(stream, 0, bytes.length);
        assert.ok(range);
        const readRange = {
          from: 0,
          to: bytes.length,
          checkedTo: 0,
          oldest: '',
          checkedFrom: bytes.length,
          newest: '',
        };
        const scan = { range, readRange, filter: undefined, signal: new AbortController().signal };
        let text = '';
        const sorting = { scan, member: 'overall_risk', ties, recordsMax, bytesMax };
        for await (const chunk of highestFirst(sorting)) text += Buffer.from(chunk).toString();
        await range.close();
        const inOrder = ties === 'in-order' ? records : records.toReversed();
        const sorted = inOrder.toSorted((left, right) => right.overall_risk - left.overall_risk);
        const expected = sorted.slice(0, recordsMax).map((record) => `${JSON.stringify(record)}\n`);
        assert.equal(text, expected.join(''));
      },
    ),
    { numRuns: 40 },
  );
});
