import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { highestFirst } from '../../../src/product/feed/highest-first.ts';
import { openStreamStore } from '../../../src/store/embedded/stream-store.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

let streams = 0;

test('FEED-26 records are sorted by share, highest first, however little fits in memory', async (t) => {
  const store = openStreamStore(temporaryDirectory(t));
  t.after(() => store.close());
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 1, maxLength: 60 }),
      fc.integer({ min: 1, max: 70 }),
      fc.integer({ min: 1, max: 2000 }),
      async (shares, recordsMax, bytesMax) => {
        streams += 1;
        const stream = `feed-x${streams}`;
        const records = shares.map((share, number) => ({ number, all_threats_combined_percent: share }));
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
        for await (const chunk of highestFirst(scan, recordsMax, bytesMax))
          text += Buffer.from(chunk).toString();
        await range.close();
        const sorted = records.toSorted(
          (left, right) => right.all_threats_combined_percent - left.all_threats_combined_percent,
        );
        const expected = sorted.slice(0, recordsMax).map((record) => `${JSON.stringify(record)}\n`);
        assert.equal(text, expected.join(''));
      },
    ),
    { numRuns: 40 },
  );
});
