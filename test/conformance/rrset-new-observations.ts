/** The contract of every RrsetStore about newly observed RRsets: exactly what a full comparison with everything before would show. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import type { Rrset } from '../../src/model/dns/rrset.ts';
import { Problem } from '../../src/model/problem.ts';
import type { RrsetStore } from '../../src/store/rrset-store.ts';
import * as any from '../harness/arbitraries/rrset-arbitraries.ts';
import { newlyObservedIn, newlyObservedText } from '../harness/reference/new-observation-reference.ts';
import { all, type ConformanceOptions, type OpenRrsetStore } from './rrset-store.ts';

const day = 86_400;
const silenceSeconds = 10 * day;

async function record(store: RrsetStore, observations: readonly Rrset[], publish: boolean): Promise<void> {
  const intake = await store.openIntake({ publish });
  for (const observation of observations) await intake.add(observation);
  await intake.flush();
}

/** Base domains below other base domains, suffixes, and names without a base domain. */
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
      isNew: fc.boolean(),
      observations: fc.array(observation, { minLength: 1, maxLength: 12 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('publish' as const),
      twice: fc.boolean(),
      days: fc.constantFrom(0, 1, 10, 60),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('compact' as const) }) },
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

export function newlyObservedConformance(
  name: string,
  open: OpenRrsetStore,
  { share = 1, mergesLater = false }: ConformanceOptions = {},
): void {
  describe(`${name} as a source of newly observed RRsets`, () => {
    againstReference(open, Math.ceil(25 * share));
    edges(open, mergesLater);
    interrupted(open);
  });
}

function againstReference(open: OpenRrsetStore, numRuns: number): void {
  test('in any sequence of batches, compactions, handles and publications, newly observed is what a full comparison shows', async (t) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const handle = open(t);
        let [store, other] = [handle(), handle()];
        const known: Rrset[] = [];
        let unpublished: { readonly before: readonly Rrset[]; readonly batch: readonly Rrset[] }[] = [];
        for (const one of steps) {
          if (one.kind === 'batch') {
            await record(store, one.observations, one.isNew);
            if (one.isNew) unpublished.push({ before: [...known], batch: one.observations });
            known.push(...one.observations);
          } else if (one.kind === 'publish') {
            const batch = await store.findUnpublished();
            const [expected] = unpublished;
            assert.equal(batch === undefined, expected === undefined);
            if (!batch || !expected) continue;
            const scan = { sequence: batch.sequence, silenceSeconds: one.days * day };
            const newlyObserved = newlyObservedIn(expected.before, expected.batch, scan.silenceSeconds);
            assert.equal(batch.rrsets, newlyObserved.length);
            for (let time = 0; time < (one.twice ? 2 : 1); time += 1) {
              assert.deepEqual(
                (await all(store.scanNewlyObserved(scan))).map(newlyObservedText),
                newlyObserved,
              );
            }
            await store.markPublished(batch.sequence, { domains: 0, hosts: 0 });
            unpublished = unpublished.slice(1);
          } else if (one.kind === 'compact') await store.compact();
          else if (one.kind === 'other handle') [store, other] = [other, store];
          else {
            await store.close();
            store = handle();
          }
        }
        await store.close();
        await other.close();
      }),
      { numRuns },
    );
  });
}

function edges(open: OpenRrsetStore, mergesLater: boolean): void {
  const domainsOf = async (store: RrsetStore) => {
    const { sequence } = (await store.findUnpublished()) ?? assert.fail('nothing is unpublished');
    const newlyObserved = await all(store.scanNewlyObserved({ sequence, silenceSeconds }));
    await store.markPublished(sequence, { domains: 0, hosts: 0 });
    return newlyObserved.flatMap(({ domain }) => (domain ? [domain.kind] : []));
  };

  test('a domain is seen again after exactly the silence given, and not a second earlier', async (t) => {
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

  test('the earliest sighting in the batch decides, in whichever RRset it is', async (t) => {
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

  test('the one recent sighting among very many old rows of a domain is found', async (t) => {
    for (const isSeenRecently of [true, false]) {
      const store = open(t)();
      const old = { firstSeconds: any.nowSeconds - 30 * day };
      const rows = Array.from({ length: 5000 }, (_, number) => seen(`h${number}.example.com.`, old));
      if (isSeenRecently) rows[3300] = seen('h3300.example.com.', { firstSeconds: any.nowSeconds - day });
      await record(store, rows, false);
      await record(store, [seen('new.example.com.')], true);
      assert.deepEqual(await domainsOf(store), isSeenRecently ? [] : ['again']);
      await store.close();
    }
  });

  test('rows of zone files hide no sighting, in any number', async (t) => {
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

  test('history that is added after a batch was not known before it', async (t) => {
    const store = open(t)();
    t.after(() => store.close());
    await record(store, [seen('www.example.net.')], false);
    await record(store, [seen('www.example.com.')], true);
    await record(store, [seen('www.example.com.')], false);
    await store.compact();
    assert.deepEqual(await domainsOf(store), ['first']);
    await store.compact();
    if (!mergesLater) assert.equal((await store.statistics()).segments, 1);
  });
}

function interrupted(open: OpenRrsetStore): void {
  const many = (of: string, count: number) =>
    Array.from({ length: count }, (_, number) => seen(`h${number}.d${number % 97}.${of}.`));

  test('a scan is unaffected by new data and the compaction of older segments', async (t) => {
    const store = open(t)();
    t.after(() => store.close());
    const [before, batch] = [many('com', 3000), [...many('com', 4000), ...many('net', 2000)]];
    for (let from = 0; from < 3000; from += 1000) await record(store, before.slice(from, from + 1000), false);
    await record(store, batch, true);
    const { sequence } = (await store.findUnpublished()) ?? assert.fail();
    const undisturbed = (await all(store.scanNewlyObserved({ sequence, silenceSeconds }))).map(
      newlyObservedText,
    );
    const scanned: string[] = [];
    for await (const slice of store.scanNewlyObserved({ sequence, silenceSeconds })) {
      scanned.push(...slice.map(newlyObservedText));
      await record(store, [seen(`late${scanned.length}.net.`)], false);
      await store.compact();
    }
    assert.equal(scanned.length, 6000);
    assert.deepEqual(scanned, undisturbed);
  });

  test('what was new in an import is counted over its published batches, whichever handle published them', async (t) => {
    const handle = open(t);
    const [store, other] = [handle(), handle()];
    t.after(() => Promise.all([store.close(), other.close()]));
    const intake = await store.openIntake({ importId: 'one', publish: true });
    for (const [owner, counts] of [
      ['www.example.com.', { domains: 1, hosts: 2 }],
      ['www.example.net.', { domains: 1, hosts: 1 }],
    ] as const) {
      await intake.add(seen(owner));
      await intake.flush();
      const { sequence, importId } = (await other.findUnpublished()) ?? assert.fail();
      assert.equal(importId, 'one');
      await other.markPublished(sequence, counts);
    }
    await record(store, [seen('www.example.org.')], true);
    assert.deepEqual((await other.findUnpublished())?.importId, undefined);
    await intake.finish();
    assert.deepEqual(await store.countNewlyObserved('one'), { domains: 2, hosts: 3 });
    assert.deepEqual(await store.countNewlyObserved('none'), { domains: 0, hosts: 0 });
  });

  test('a published batch cannot be scanned, even when another segment takes its sequence', async (t) => {
    const store = open(t)();
    t.after(() => store.close());
    await record(store, [seen('www.example.com.')], false);
    await record(store, [seen('www.example.net.')], true);
    const { sequence } = (await store.findUnpublished()) ?? assert.fail();
    await store.markPublished(sequence, { domains: 0, hosts: 0 });
    await store.compact();
    const isPublished = (error: unknown) => error instanceof Problem && error.code === 'not-found';
    await assert.rejects(all(store.scanNewlyObserved({ sequence, silenceSeconds })), isPublished);
  });
}
