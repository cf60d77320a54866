/** What every rrset-store promises about news: exactly what a look through everything known before would show. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import type { Rrset } from '../../src/model/dns/rrset.ts';
import { Problem } from '../../src/model/problem.ts';
import type { RrsetStore } from '../../src/store/rrset-store.ts';
import { newsFor, shownNews } from '../harness/news-reference.ts';
import * as any from '../harness/rrset-arbitraries.ts';
import { all, type OpenRrsetStore } from './rrset-store.ts';

const day = 86_400;
const silenceSeconds = 10 * day;

async function record(store: RrsetStore, observations: readonly Rrset[], news: boolean): Promise<void> {
  const intake = await store.openIntake({ news });
  for (const observation of observations) await intake.add(observation);
  await intake.flush();
}

/** Base domains that lie below others, suffixes, and names that have no base domain. */
const oddOwner = fc
  .constantFrom(
    'kawasaki.jp.',
    'b.kawasaki.jp.',
    'a.b.kawasaki.jp.',
    'x.a.b.kawasaki.jp.',
    'city.kawasaki.jp.',
    'example.com.au.',
    'exa\\.mple.com.',
    '1.2.in-addr.arpa.',
    'jp.',
    '.',
  )
  .map(any.wire);
const observation = fc.oneof(
  { weight: 3, arbitrary: any.observation },
  { weight: 1, arbitrary: fc.tuple(any.observation, oddOwner).map(([one, owner]) => ({ ...one, owner })) },
);

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('batch' as const),
      news: fc.boolean(),
      observations: fc.array(observation, { minLength: 1, maxLength: 12 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('tell' as const),
      twice: fc.boolean(),
      days: fc.constantFrom(0, 1, 10, 60),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('settle' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('other handle' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reopen' as const) }) },
);

function seen(owner: string, more: Partial<Rrset> = {}): Rrset {
  const lastSeconds = more.firstSeconds ?? any.nowSeconds;
  return {
    origin: 'sensor',
    owner: any.wire(owner),
    type: 1,
    bailiwick: any.wire('.'),
    rdata: [any.rdata(1, '192.0.2.1')],
    firstSeconds: lastSeconds,
    lastSeconds,
    count: 1,
    ...more,
  };
}

export function rrsetNewsConformance(name: string, open: OpenRrsetStore): void {
  describe(`${name} as a source of news`, () => {
    againstReference(open);
    edges(open);
    underWay(open);
  });
}

function againstReference(open: OpenRrsetStore): void {
  test('however batches, merges, handles and tellings follow one another, news is what a look through everything shows', async (t) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const handle = open(t);
        let [store, other] = [handle(), handle()];
        const known: Rrset[] = [];
        let untold: { readonly before: readonly Rrset[]; readonly batch: readonly Rrset[] }[] = [];
        for (const one of steps) {
          if (one.kind === 'batch') {
            await record(store, one.observations, one.news);
            if (one.news) untold.push({ before: [...known], batch: one.observations });
            known.push(...one.observations);
          } else if (one.kind === 'tell') {
            const run = await store.findUntold();
            const [expected] = untold;
            assert.equal(run === undefined, expected === undefined);
            if (!run || !expected) continue;
            const asked = { sequence: run.sequence, silenceSeconds: one.days * day };
            const news = newsFor(expected.before, expected.batch, asked.silenceSeconds);
            assert.equal(run.rrsets, news.length);
            for (let time = 0; time < (one.twice ? 2 : 1); time += 1) {
              assert.deepEqual((await all(store.scanNews(asked))).map(shownNews), news);
            }
            await store.markTold(run.sequence);
            untold = untold.slice(1);
          } else if (one.kind === 'settle') await store.settle();
          else if (one.kind === 'other handle') [store, other] = [other, store];
          else {
            await store.close();
            store = handle();
          }
        }
        await store.close();
        await other.close();
      }),
      { numRuns: 25 },
    );
  });
}

function edges(open: OpenRrsetStore): void {
  const domainsOf = async (store: RrsetStore) => {
    const { sequence } = (await store.findUntold()) ?? assert.fail('nothing is untold');
    const news = await all(store.scanNews({ sequence, silenceSeconds }));
    await store.markTold(sequence);
    return news.flatMap(({ domain }) => (domain ? [domain.kind] : []));
  };

  test('a domain is seen again after exactly the silence asked for, and not a second earlier', async (t) => {
    for (const [gap, kinds] of [
      [silenceSeconds, ['again']],
      [silenceSeconds - 1, []],
    ] as const) {
      const store = open(t)();
      await record(store, [seen('www.example.com.', { firstSeconds: any.nowSeconds - gap })], false);
      await record(store, [seen('mail.example.com.')], true);
      assert.deepEqual(await domainsOf(store), kinds);
      await store.close();
    }
  });

  test('the earliest sighting in the batch decides, whichever RRset has it', async (t) => {
    const store = open(t)();
    t.after(() => store.close());
    await record(store, [seen('www.example.com.', { firstSeconds: any.nowSeconds - silenceSeconds })], false);
    await record(
      store,
      [seen('a.example.com.'), seen('z.example.com.', { firstSeconds: any.nowSeconds - 1 })],
      true,
    );
    assert.deepEqual(await domainsOf(store), []);
  });

  test('among very many old rows of a domain the one late sighting is found, or none', async (t) => {
    for (const isSeenLate of [true, false]) {
      const store = open(t)();
      const old = { firstSeconds: any.nowSeconds - 30 * day };
      const rows = Array.from({ length: 5000 }, (_, number) => seen(`h${number}.example.com.`, old));
      if (isSeenLate) rows[3300] = seen('h3300.example.com.', { firstSeconds: any.nowSeconds - day });
      await record(store, rows, false);
      await record(store, [seen('new.example.com.')], true);
      assert.deepEqual(await domainsOf(store), isSeenLate ? [] : ['again']);
      await store.close();
    }
  });

  test('rows of zone files hide no sighting, however many there are', async (t) => {
    const store = open(t)();
    t.after(() => store.close());
    const rows = Array.from({ length: 5000 }, (_, number) =>
      seen(`h${number}.example.com.`, { origin: 'zone' }),
    );
    await record(store, rows, false);
    await record(store, [seen('new.example.com.')], true);
    assert.deepEqual(await domainsOf(store), ['first']);
    await record(store, [seen('newer.example.com.')], true);
    assert.deepEqual(await domainsOf(store), []);
  });

  test('history that comes in after a batch was not known before it', async (t) => {
    const store = open(t)();
    t.after(() => store.close());
    await record(store, [seen('www.example.net.')], false);
    await record(store, [seen('www.example.com.')], true);
    await record(store, [seen('www.example.com.')], false);
    await store.settle();
    assert.deepEqual(await domainsOf(store), ['first']);
    await store.settle();
    assert.equal((await store.statistics()).runs, 1);
  });
}

function underWay(open: OpenRrsetStore): void {
  const many = (of: string, count: number) =>
    Array.from({ length: count }, (_, number) => seen(`h${number}.d${number % 97}.${of}.`));

  test('a scan goes on undisturbed while data comes in and older runs are merged', async (t) => {
    const store = open(t)();
    t.after(() => store.close());
    const [before, batch] = [many('com', 3000), [...many('com', 4000), ...many('net', 2000)]];
    for (let from = 0; from < 3000; from += 1000) await record(store, before.slice(from, from + 1000), false);
    await record(store, batch, true);
    const { sequence } = (await store.findUntold()) ?? assert.fail();
    const undisturbed = (await all(store.scanNews({ sequence, silenceSeconds }))).map(shownNews);
    const told: string[] = [];
    for await (const slice of store.scanNews({ sequence, silenceSeconds })) {
      told.push(...slice.map(shownNews));
      await record(store, [seen(`late${told.length}.net.`)], false);
      await store.settle();
    }
    assert.equal(told.length, 6000);
    assert.deepEqual(told, undisturbed);
  });

  test('a batch that was told is not scanned, not even when another takes its sequence', async (t) => {
    const store = open(t)();
    t.after(() => store.close());
    await record(store, [seen('www.example.com.')], false);
    await record(store, [seen('www.example.net.')], true);
    const { sequence } = (await store.findUntold()) ?? assert.fail();
    await store.markTold(sequence);
    await store.settle();
    const isTold = (error: unknown) => error instanceof Problem && error.code === 'not-found';
    await assert.rejects(all(store.scanNews({ sequence, silenceSeconds })), isTold);
  });
}
