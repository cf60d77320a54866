/** Paging over a known order, in slices of chosen sizes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { Problem } from '../../../src/model/problem.ts';
import { readCursor } from '../../../src/product/pdns/cursor.ts';
import {
  type Ending,
  type PositionedRow,
  pageFor,
  type RowSource,
  type Search,
  searchPage,
} from '../../../src/product/pdns/page.ts';
import type { Paging } from '../../../src/product/pdns/query.ts';

interface Numbered extends PositionedRow {
  readonly number: number;
}

/** A position contains the number; some are as long as the rdata of a large row. */
function rowsOf(lastTimes: readonly number[], isLong: (number: number) => boolean = () => false): Numbered[] {
  return lastTimes.map((lastSeconds, number) => ({
    number,
    count: 1,
    firstSeconds: 0,
    lastSeconds,
    position: Uint8Array.from([number >> 8, number & 255, ...(isLong(number) ? new Uint8Array(5000) : [])]),
  }));
}

/** Scans numbers in ascending order, as a store scans positions. */
function sourceOf(rows: readonly Numbered[], sliceLength: number): RowSource<Numbered> {
  return {
    fences: {},
    bytesOf: () => 100,
    async *scan({ after, skip = 0 }, { lastBefore = Infinity, lastAfter = -Infinity }) {
      const from = after ? (after[0] as number) * 256 + (after[1] as number) : -1;
      const found = rows
        .filter(
          ({ number, lastSeconds }) => number > from && lastSeconds <= lastBefore && lastSeconds >= lastAfter,
        )
        .slice(skip);
      yield [];
      for (let at = 0; at < found.length; at += sliceLength) {
        yield found.slice(at, at + sliceLength);
        yield [];
      }
    },
  };
}

const anything = { resultsMax: 1_000_000, offsetMax: 1_000_000 };
const whole: Paging = {
  path: ['lookup'],
  merged: true,
  order: 'store',
  limit: 10_000,
  offset: undefined,
  after: undefined,
};

async function collect(search: Search<Numbered>): Promise<{ numbers: number[]; ending: Ending }> {
  const numbers: number[] = [];
  for (;;) {
    const step = await search.next();
    if (step.done) return { numbers, ending: step.value };
    numbers.push(...step.value.map(({ number }) => number));
  }
}

const search = (rows: readonly Numbered[], paging: Partial<Paging>, sliceLength = 3) =>
  collect(searchPage(sourceOf(rows, sliceLength), pageFor({ ...whole, ...paging }, anything)));

const times = fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 40 });
const slice = fc.integer({ min: 1, max: 9 });
const byNewest = (rows: readonly Numbered[]) =>
  [...rows].sort((left, right) => right.lastSeconds - left.lastSeconds).map(({ number }) => number);

for (const order of ['store', 'newest'] as const) {
  const expected = (rows: readonly Numbered[]) =>
    order === 'store' ? rows.map(({ number }) => number) : byNewest(rows);

  test(`PDNS-06 PDNS-08 PDNS-13 limit and offset select a page of the ${order} order, and the ending says whether a further row exists`, async () => {
    const bound = fc.integer({ min: 1, max: 45 });
    await fc.assert(
      fc.asyncProperty(times, slice, bound, fc.nat({ max: 45 }), async (lastTimes, length, limit, offset) => {
        const rows = rowsOf(lastTimes);
        const { numbers, ending } = await search(rows, { order, limit, offset }, length);
        assert.deepEqual(numbers, expected(rows).slice(offset, offset + limit));
        assert.equal(ending.outcome, rows.length > offset + limit ? 'limited' : 'complete');
      }),
    );
  });

  test(`PDNS-40 paging by cursor through the ${order} order has no gap and no repeat`, async () => {
    await fc.assert(
      fc.asyncProperty(
        times,
        slice,
        fc.integer({ min: 1, max: 9 }),
        fc.nat(),
        async (lastTimes, length, limit, long) => {
          const rows = rowsOf(lastTimes, (number) => ((long >> (number % 16)) & 1) === 1);
          const paged: number[] = [];
          let after: Paging['after'];
          for (let pages = 0; ; pages += 1) {
            assert.ok(pages <= rows.length);
            const { numbers, ending } = await search(rows, { order, limit, after }, length);
            paged.push(...numbers);
            if (ending.outcome === 'complete') break;
            after = readCursor(ending.cursor ?? '', { ...whole, order });
            assert.ok(after);
          }
          assert.deepEqual(paged, expected(rows));
        },
      ),
    );
  });
}

test('PQ-06 a limit above the maximum of the key is capped, and 0 is that maximum', () => {
  const allowance = { resultsMax: 50, offsetMax: 10 };
  const limits = [10, 50, 51, 0, 10_000].map((limit) => pageFor({ ...whole, limit }, allowance).limit);
  assert.deepEqual(limits, [10, 50, 50, 50, 50]);
});

function refusal(paging: Partial<Paging>, allowance: Parameters<typeof pageFor>[1] = anything): Problem {
  try {
    pageFor({ ...whole, ...paging }, allowance);
  } catch (error) {
    assert.ok(error instanceof Problem);
    return error;
  }
  return assert.fail('nothing was refused');
}

test('PE-09 PE-10 PE-11 an offset beyond the maximum is rejected, and any offset where none is allowed', () => {
  assert.equal(pageFor({ ...whole, offset: 10 }, { resultsMax: 1, offsetMax: 10 }).skip, 10);
  assert.equal(pageFor(whole, { resultsMax: 1, offsetMax: 'n/a' }).skip, 0);
  for (const problem of [
    refusal({ offset: 11 }, { resultsMax: 1, offsetMax: 10 }),
    refusal({ offset: 1 }, { resultsMax: 1, offsetMax: 'n/a' }),
    refusal({ offset: 0 }, { resultsMax: 1, offsetMax: 'n/a' }),
  ]) {
    assert.equal(problem.code, 'offset-exceeded');
    assert.match(
      problem.message,
      /^offset value greater than maximum allowed; .*exceeds the allowed maximum/,
    );
  }
});

test('with sort, offset and limit together are at most 10000, and the problem names the offending one', () => {
  assert.equal(pageFor({ ...whole, order: 'newest' }, anything).limit, 10_000);
  assert.equal(pageFor({ ...whole, order: 'newest', limit: 0, offset: 4000 }, anything).limit, 6000);
  assert.equal(
    pageFor({ ...whole, order: 'newest', limit: 90_000 }, { resultsMax: 7, offsetMax: 0 }).limit,
    7,
  );
  assert.match(refusal({ order: 'newest', limit: 10_001 }).message, /^limit: /);
  assert.match(refusal({ order: 'newest', limit: 9000, offset: 1001 }).message, /^limit: /);
  assert.match(refusal({ order: 'newest', limit: 0, offset: 10_000 }).message, /^offset: /);
});

test('rows too large to sort in memory are rejected before any is returned', async () => {
  const rows = rowsOf(Array.from({ length: 100 }, (_, index) => index));
  const source = { ...sourceOf(rows, 10), bytesOf: () => 1024 * 1024 };
  const found = collect(searchPage(source, pageFor({ ...whole, order: 'newest' }, anything)));
  await assert.rejects(found, (error) => error instanceof Problem && error.message.startsWith('limit: '));
  const few = await collect(searchPage(source, pageFor({ ...whole, order: 'newest', limit: 5 }, anything)));
  assert.deepEqual(few.numbers, [99, 98, 97, 96, 95]);
});

test('stopping a search stops its scan', async () => {
  for (const order of ['store', 'newest'] as const) {
    let ended = false;
    const source: RowSource<Numbered> = {
      fences: {},
      bytesOf: () => 1,
      async *scan() {
        try {
          for (;;) yield rowsOf([1]);
        } finally {
          ended = true;
        }
      },
    };
    const endless = searchPage(source, pageFor({ ...whole, order, limit: 5 }, anything));
    await endless.next();
    await endless.return({ outcome: 'complete' });
    assert.ok(ended);
  }
});
