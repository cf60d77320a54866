import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { scanNewestFirst } from '../../../src/product/feed/scan-newest-first.ts';
import { openStreamStore } from '../../../src/store/embedded/stream-store.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

let streams = 0;

test('FEED-26 records come in reverse order, each once, whatever the length of lines and blocks', async (t) => {
  const store = openStreamStore(temporaryDirectory(t));
  t.after(() => store.close());
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 200 }), { minLength: 1, maxLength: 60 }),
      fc.integer({ min: 0, max: 10 }),
      fc.integer({ min: 1, max: 70 }),
      fc.integer({ min: 1, max: 500 }),
      async (lengths, skipped, recordsMax, blockBytes) => {
        streams += 1;
        const stream = `feed-x${streams}`;
        const lines = lengths.map(
          (length, number) => `{"number":${number},"text":"${'x'.repeat(length)}"}\n`,
        );
        await store.append([{ stream, bytes: Buffer.from(lines.join('')) }], 0);
        const from = Buffer.byteLength(lines.slice(0, skipped).join(''));
        const to = Buffer.byteLength(lines.join(''));
        const range = await store.openRange(stream, 0, to);
        assert.ok(range);
        const scan = {
          range,
          readRange: { from, to, checkedTo: 0, oldest: '', checkedFrom: to, newest: '' },
          filter: (record: Readonly<Record<string, unknown>>) => Number(record['number']) % 7 !== 3,
          signal: new AbortController().signal,
          recordsMax,
        };
        let text = '';
        for await (const chunk of scanNewestFirst(scan, blockBytes)) text += Buffer.from(chunk).toString();
        await range.close();
        const expected = lines.filter((_, number) => number >= skipped && number % 7 !== 3).toReversed();
        assert.equal(text, expected.slice(0, recordsMax).join(''));
      },
    ),
    { numRuns: 60 },
  );
});
