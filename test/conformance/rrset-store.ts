/** The contract of every RrsetStore. Two handles on the same data represent two processes. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import type { Rrset } from '../../src/model/dns/rrset.ts';
import { plainTypes } from '../../src/model/dns/type-selection.ts';
import { compileFlexPattern } from '../../src/model/flex/flex-pattern.ts';
import { ObservationBatch } from '../../src/store/rrset/observation-batch.ts';
import type { Position, Row, RrsetStore, Scan, TextRow, TextScan } from '../../src/store/rrset-store.ts';
import * as any from '../harness/arbitraries/rrset-arbitraries.ts';
import { hex, rowsFor, shown, shownText, textRowsFor } from '../harness/reference/rrset-reference.ts';
import { sharedInFile, type TestScope } from '../harness/test-scope.ts';

/** Returns a function that opens another handle on the data of this test. */
export type OpenRrsetStore = (scope: TestScope) => () => RrsetStore;

export async function all<Item>(slices: AsyncIterable<readonly Item[]>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const slice of slices) items.push(...slice);
  return items;
}

export async function record(store: RrsetStore, observations: readonly Rrset[]): Promise<void> {
  const intake = await store.openIntake();
  for (const observation of observations) await intake.add(observation);
  await intake.flush();
}

/** Scans of everything, in both directions, merged and by time bucket. */
const everything: readonly Scan[] = [true, false].flatMap((merged) => [
  {
    selection: { by: 'owner', name: any.wire('.'), span: 'below' },
    filter: { types: 'any', fences: {} },
    merged,
    nowSeconds: any.nowSeconds,
  },
  {
    selection: { by: 'rdata-prefix', bytes: new Uint8Array(0) },
    filter: { types: 'any', fences: {} },
    merged,
    nowSeconds: any.nowSeconds,
  },
]);

async function contents(store: RrsetStore): Promise<string[][]> {
  const found: string[][] = [];
  for (const scan of everything) found.push((await all(store.scan(scan))).map(shown));
  return found;
}

export interface ConformanceOptions {
  /** Of the usual number of examples of each property, for stores behind a network. */
  readonly share?: number;
  /** Whether the store merges its segments when it likes, and not all of them at once. */
  readonly mergesLater?: boolean;
}

export function rrsetStoreConformance(
  name: string,
  open: OpenRrsetStore,
  { share = 1 }: ConformanceOptions = {},
): void {
  const runs = (usual: number) => ({ numRuns: Math.ceil(usual * share) });
  describe(`${name} as an rrset-store`, () => {
    const shared = sharedInFile<void, Filled>((scope) => filled(scope, open, 1));
    merging(open, runs(10));
    scanning(open, shared, runs(400));
    paging(open, shared, runs(60));
    searching(open, shared);
    importing(open);
    sharing(open);
    verifying(open);
  });
}

function merging(open: OpenRrsetStore, runs: Runs): void {
  test('the same observations give the same store, in any order and any batches', async (t) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(any.observation, { maxLength: 40 }),
        fc.array(fc.nat(6), { maxLength: 20 }),
        fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
        fc.boolean(),
        async (observations, sizes, chance, compacts) => {
          const store = open(t)();
          const shuffled = observations
            .map((one) => ({ one, at: chance.next().value }))
            .sort((left, right) => left.at - right.at)
            .map(({ one }) => one);
          for (const size of sizes) await record(store, shuffled.splice(0, size));
          await record(store, shuffled);
          if (compacts) await store.compact();
          const other = open(t)();
          await record(other, observations);
          const found = await contents(store);
          assert.deepEqual(found, await contents(other));
          for (const [index, scan] of everything.entries()) {
            assert.deepEqual(found[index]?.toSorted(), rowsFor(observations, scan).sort());
          }
          await store.close();
          await other.close();
        },
      ),
      runs,
    );
  });
}

interface Runs {
  readonly numRuns: number;
}

interface Filled {
  readonly store: RrsetStore;
  readonly observations: readonly Rrset[];
}

/** A store of several segments, for many queries. */
async function filled(scope: TestScope, open: OpenRrsetStore, seed: number): Promise<Filled> {
  const observations = fc.sample(any.observation, { numRuns: 1500, seed });
  const store = open(scope)();
  scope.after(() => store.close());
  await record(store, observations.slice(0, 900));
  await record(store, observations.slice(900, 1300));
  await record(store, observations.slice(1300, 1450));
  await record(store, observations.slice(1450));
  return { store, observations };
}

function scanning(open: OpenRrsetStore, shared: () => Promise<Filled>, runs: Runs): void {
  test('wildcards, prefixes, fences and filters return what a full scan would', async () => {
    const { store, observations } = await shared();
    await fc.assert(
      fc.asyncProperty(any.scan, async (scan) => {
        const found = (await all(store.scan(scan))).map(shown);
        assert.deepEqual(found.toSorted(), rowsFor(observations, scan).sort());
      }),
      runs,
    );
  });

  test('compaction does not change the results', async (t) => {
    const { store } = await filled(t, open, 2);
    const before = await contents(store);
    await store.compact();
    assert.deepEqual(await contents(store), before);
  });

  test('owners are ordered by their labels from the top, shorter labels first', async (t) => {
    const store = open(t)();
    t.after(() => store.close());
    const names = ['net.', 'com.', 'b.com.', 'aa.com.', 'a.b.com.', 'a.com.'];
    const observed = names.map((owner) => ({
      origin: 'sensor' as const,
      owner: any.wire(owner),
      type: 1,
      bailiwick: any.wire('.'),
      rdata: [any.rdata(1, '192.0.2.1')],
      firstSeconds: any.nowSeconds,
      lastSeconds: any.nowSeconds,
      count: 1,
    }));
    await record(store, observed);
    const rows = await all(store.scan(everything[0] as Scan));
    const owners = rows.map(({ owner }) => hex(owner));
    const expected = ['com.', 'a.com.', 'b.com.', 'a.b.com.', 'aa.com.', 'net.'];
    assert.deepEqual(
      owners,
      expected.map((text) => hex(any.wire(text))),
    );
  });

  test('an empty store returns nothing', async (t) => {
    const store = open(t)();
    t.after(() => store.close());
    assert.deepEqual(await contents(store), [[], [], [], []]);
  });

  test('an RRset of sixty thousand bytes and one of many members are stored completely', async (t) => {
    const store = open(t)();
    t.after(() => store.close());
    const base = {
      origin: 'sensor',
      bailiwick: any.wire('com.'),
      firstSeconds: 1,
      lastSeconds: 2,
      count: 3,
    } as const;
    const large = {
      ...base,
      owner: any.wire('large.com.'),
      type: 65_280,
      rdata: [new Uint8Array(60_000).fill(7)],
    };
    const members = Array.from({ length: 5000 }, (_, number) =>
      Uint8Array.of(10, 0, number >>> 8, number & 255),
    );
    const many = { ...base, owner: any.wire('many.com.'), type: 1, rdata: members };
    await record(store, [large, many]);
    const rows = await all(store.scan(everything[0] as Scan));
    assert.deepEqual(rows.map(shown).sort(), [large, many].map(shown).sort());
  });
}

function paging(open: OpenRrsetStore, shared: () => Promise<Filled>, runs: Runs): void {
  /** The first `size` items of a scan. */
  async function page<Item>(slices: AsyncIterable<readonly Item[]>, size: number): Promise<Item[]> {
    const items: Item[] = [];
    for await (const slice of slices) {
      items.push(...slice);
      if (items.length >= size) break;
    }
    return items.slice(0, size);
  }

  test('paging by position has no gap and no repeat', async () => {
    const { store } = await shared();
    await fc.assert(
      fc.asyncProperty(any.scan, fc.integer({ min: 1, max: 50 }), async (scan, size) => {
        const whole = (await all(store.scan(scan))).map(shown);
        const paged: string[] = [];
        for (let after: Position | undefined; ; ) {
          const rows: Row[] = await page(store.scan({ ...scan, ...(after ? { after } : {}) }), size);
          paged.push(...rows.map(shown));
          if (rows.length < size) break;
          after = rows.at(-1)?.position;
        }
        assert.deepEqual(paged, whole);
      }),
      runs,
    );
  });

  test('skipped rows are the first ones', async () => {
    const { store } = await shared();
    await fc.assert(
      fc.asyncProperty(any.scan, fc.nat(60), async (scan, skip) => {
        const whole = (await all(store.scan(scan))).map(shown);
        assert.deepEqual((await all(store.scan({ ...scan, skip }))).map(shown), whole.slice(skip));
      }),
      runs,
    );
  });

  test('paging is unaffected by new data and compaction', async (t) => {
    const { store } = await filled(t, open, 5);
    const scan = everything[0] as Scan;
    const before = (await all(store.scan(scan))).map(({ position }) => hex(position));
    const seen: string[] = [];
    for (let after: Position | undefined; ; ) {
      const rows: Row[] = await page(store.scan({ ...scan, ...(after ? { after } : {}) }), 100);
      seen.push(...rows.map(({ position }) => hex(position)));
      if (rows.length < 100) break;
      after = rows.at(-1)?.position;
      await record(store, fc.sample(any.observation, { numRuns: 3, seed: seen.length }));
      if (seen.length === 200) await store.compact();
    }
    assert.equal(new Set(seen).size, seen.length);
    assert.deepEqual(
      before.filter((position) => !seen.includes(position)),
      [],
    );
  });
}

function searching(open: OpenRrsetStore, shared: () => Promise<Filled>): void {
  const patterns = [
    'exam',
    'w+\\.ex',
    '^a\\.',
    '(mail|www)\\.example\\.com\\.$',
    '.',
    'spf1',
    'no such text',
  ];

  test('a text search finds what a full scan would', async (t) => {
    const { store, observations } = await filled(t, open, 6);
    const searched = [2, 5, 6, 12, 15, 16, 33];
    for (const compacted of [false, true]) {
      if (compacted) await store.compact();
      for (const over of ['names', 'rdata'] as const) {
        for (const pattern of patterns) {
          const { matches } = compileFlexPattern('regex', pattern);
          const filter = {
            types: over === 'names' ? plainTypes : { only: new Set(searched) },
            fences: {},
          };
          const text = { kind: 'regex', text: pattern } as const;
          const rows: TextRow[] = await all(store.scanText({ over, pattern: text, filter: { fences: {} } }));
          assert.deepEqual(
            rows.map(shownText).sort(),
            textRowsFor(observations, over, matches, filter).sort(),
            `${over} by ${pattern}`,
          );
        }
      }
    }
  });

  test('a text search resumes after a position', async () => {
    const { store } = await shared();
    const search: TextScan = {
      over: 'names',
      pattern: { kind: 'regex', text: 'exam' },
      filter: { fences: {} },
    };
    const whole: TextRow[] = await all(store.scanText(search));
    for (const [index, { position }] of whole.entries()) {
      if (index % 7 !== 0) continue;
      const rest = await all(store.scanText({ ...search, after: position }));
      assert.deepEqual(rest.map(shownText), whole.slice(index + 1).map(shownText));
    }
    const skipped = await all(store.scanText({ ...search, skip: 5 }));
    assert.deepEqual(skipped.map(shownText), whole.slice(5).map(shownText));
  });
}

function importing(open: OpenRrsetStore): void {
  const observations = fc.sample(any.observation, { numRuns: 300, seed: 8 });

  async function importAll(store: RrsetStore, id: string, upTo = observations.length, completes = true) {
    const intake = await store.openIntake({ importId: id });
    for (const [index, one] of observations.slice(0, upTo).entries()) {
      await intake.add(one);
      if (index % 50 === 49) await intake.flush();
    }
    await (completes ? intake.finish() : intake.flush());
    return intake.durable;
  }

  test('the same import id is idempotent', async (t) => {
    const store = open(t)();
    t.after(() => store.close());
    await importAll(store, 'one');
    const before = await contents(store);
    assert.equal(await importAll(store, 'one'), observations.length);
    assert.deepEqual(await contents(store), before);
    assert.deepEqual(await store.findImport('one'), { id: 'one', observations: 300, complete: true });
  });

  test('packed observations are stored, skipped and counted as others are', async (t) => {
    const [store, other] = [open(t)(), open(t)()];
    t.after(() => Promise.all([store.close(), other.close()]));
    await importAll(other, 'one');
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const intake = await store.openIntake({ importId: 'one' });
      for (const one of observations) {
        const batch = new ObservationBatch(64);
        batch.add(one);
        await intake.addPacked(batch.contents(), batch.bytes);
      }
      await intake.finish();
      assert.equal(intake.durable, observations.length);
      assert.deepEqual(await contents(store), await contents(other));
      assert.throws(() => intake.addPacked(new Uint8Array(40), 40), /cannot be stored/);
    }
  });

  test('another import id is counted again', async (t) => {
    const store = open(t)();
    t.after(() => store.close());
    await importAll(store, 'one');
    await importAll(store, 'two');
    const rows = await all(store.scan(everything[0] as Scan));
    const total = observations.reduce((sum, { count }) => sum + count, 0);
    assert.equal(
      rows.reduce((sum, { count }) => sum + count, 0),
      2 * total,
    );
  });

  test('an interrupted import resumes from what is durable', async (t) => {
    const handle = open(t);
    const first = handle();
    await importAll(first, 'one', 130, false);
    assert.deepEqual(await first.findImport('one'), { id: 'one', observations: 130, complete: false });
    await first.close();
    const second = handle();
    t.after(() => second.close());
    await importAll(second, 'one');
    const rows = (await all(second.scan(everything[0] as Scan))).map(shown);
    assert.deepEqual(rows.sort(), rowsFor(observations, everything[0] as Scan).sort());
  });

  test('concurrent imports with one id do not count twice', async (t) => {
    const handle = open(t);
    const [one, other] = [handle(), handle()];
    t.after(() => Promise.all([one.close(), other.close()]));
    const outcomes = await Promise.allSettled([importAll(one, 'one'), importAll(other, 'one')]);
    const rejected = outcomes.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    for (const { reason } of rejected)
      assert.match(String(reason), /another import with the id one is in progress/);
    await importAll(one, 'one');
    const rows = (await all(one.scan(everything[0] as Scan))).map(shown);
    assert.deepEqual(rows.sort(), rowsFor(observations, everything[0] as Scan).sort());
  });
}

function sharing(open: OpenRrsetStore): void {
  test('what one handle committed is visible to another', async (t) => {
    const handle = open(t);
    const [one, other] = [handle(), handle()];
    t.after(() => Promise.all([one.close(), other.close()]));
    assert.deepEqual((await contents(other))[0], []);
    const observations = fc.sample(any.observation, { numRuns: 100, seed: 9 });
    await record(one, observations);
    assert.deepEqual(
      (await contents(other))[0]?.toSorted(),
      rowsFor(observations, everything[0] as Scan).sort(),
    );
  });

  test('statistics count segments, rows and bytes', async (t) => {
    const store = open(t)();
    t.after(() => store.close());
    assert.equal((await store.statistics()).rrsets, 0);
    await record(store, fc.sample(any.observation, { numRuns: 50, seed: 10 }));
    const { rrsets, bytes, firstSeconds, lastSeconds } = await store.statistics();
    assert.ok(rrsets > 0 && rrsets <= 50);
    assert.ok(bytes > 0);
    assert.ok((firstSeconds ?? 0) <= (lastSeconds ?? 0));
  });
}

function verifying(open: OpenRrsetStore): void {
  test('verification reads everything and finds no damage in what was stored and compacted', async (t) => {
    const { store } = await filled(t, open, 11);
    for (const compacted of [false, true]) {
      if (compacted) await store.compact();
      const { bytes } = await store.statistics();
      const progress: number[] = [];
      const damages = store.verify((done, whole) => {
        assert.equal(whole, bytes);
        progress.push(done);
      });
      for await (const damage of damages) assert.fail(JSON.stringify(damage));
      assert.equal(progress.at(-1), bytes);
      assert.deepEqual(
        progress,
        progress.toSorted((left, right) => left - right),
      );
    }
  });
}
