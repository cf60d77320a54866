import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  changedPage,
  chunkOfPages,
  pageHas,
  pageIds,
  type StoredPage,
} from '../../../../../src/store/distributed/domain/posting/id-page.ts';
import { chunkIds, lowsOf } from '../../../../../src/store/domain/id-chunk.ts';

const low = fc.integer({ min: 0, max: pageIds - 1 });
const isIn = fc.boolean();
/** Ranges make pages with many ids. */
const change = fc.oneof(
  fc.tuple(low, isIn).map(([first, has]) => [[first, has] as const]),
  fc
    .tuple(low, fc.integer({ min: 0, max: 3000 }), isIn)
    .map(([first, count, has]) =>
      Array.from({ length: Math.min(count, pageIds - first) }, (_, at) => [first + at, has] as const),
    ),
);

test('after any changes a page has the ids whose last change added them, and says how many more it has', () => {
  fc.assert(
    fc.property(fc.array(fc.array(change, { maxLength: 3 }), { maxLength: 6 }), (transactions) => {
      const expected = new Set<number>();
      let stored: Buffer | undefined;
      for (const changes of transactions) {
        const before = expected.size;
        for (const [id, has] of changes.flat()) {
          if (has) expected.add(id);
          else expected.delete(id);
        }
        const changed = changedPage(stored, changes.flat());
        assert.equal(changed.net, expected.size - before);
        stored = changed.ids;
        assert.equal(stored === undefined, expected.size === 0);
        const ids = stored ? lowsOf(chunkOfPages([{ page: 0, ids: stored }])) : [];
        for (const id of [0, 1, 700, 701, pageIds - 1])
          assert.equal(stored !== undefined && pageHas(stored, id), expected.has(id));
        assert.deepEqual(
          Array.from(ids),
          [...expected].sort((left, right) => left - right),
        );
      }
    }),
    { numRuns: 60 },
  );
});

test('the pages of a chunk have the ids of the chunk, whichever of them are bitmaps', () => {
  const isDense = fc.array(fc.constantFrom('absent', 'few', 'many'), { minLength: 8, maxLength: 8 });
  fc.assert(
    fc.property(isDense, (kinds) => {
      const expected: number[] = [];
      const pages: StoredPage[] = [];
      for (const [page, kind] of kinds.entries()) {
        const step = { absent: pageIds, few: 100, many: 3 }[kind];
        const lows = Array.from({ length: Math.floor(pageIds / step) }, (_, at) => at * step);
        if (kind === 'absent') continue;
        const { ids } = changedPage(
          undefined,
          lows.map((one) => [page * pageIds + one, true]),
        );
        pages.push({ page: page + (3 * chunkIds) / pageIds, ids: ids as Buffer });
        expected.push(...lows.map((one) => page * pageIds + one));
      }
      assert.deepEqual(Array.from(lowsOf(chunkOfPages(pages))), expected);
    }),
    { numRuns: 40 },
  );
});
