/** What every risk-store promises. Two handles on the same data stand for two processes. */
import assert from 'node:assert/strict';
import { after, describe, type TestContext, test } from 'node:test';
import * as fc from 'fast-check';
import type { Link } from '../../src/model/risk/link.ts';
import type { Reading, RiskStore } from '../../src/store/risk-store.ts';
import { address, linksAgree, type NewWorld, type RiskWorld, readingsAgree } from './risk-sequences.ts';

/** A function that opens one more handle on the data of this test. */
export type OpenRiskStore = (t: TestContext) => () => RiskStore;

export function riskStoreConformance(name: string, open: OpenRiskStore): void {
  describe(`${name} as a risk-store`, () => {
    const handle = open({ after } as TestContext);
    let stores: readonly [RiskStore, RiskStore] | undefined;
    let place = 0;
    const newWorld = async (): Promise<RiskWorld> => {
      stores ??= [handle(), handle()];
      const [store, other] = stores;
      const takeChanges = async () => {
        const changes = await other.listVerdictChanges(place, 100_000);
        place = changes.at(-1)?.id ?? place;
        return changes.map(({ domain }) => domain);
      };
      await store.keepLists([]);
      place = (await store.listVerdictChanges(place, 100_000)).at(-1)?.id ?? place;
      await store.pruneVerdictChanges(place);
      return { store, other, takeChanges };
    };
    reading(newWorld);
    ending(newWorld);
    telling(newWorld);
    linking(newWorld);
    keepingPlaces(newWorld, handle);
    test('any sequence of readings comes out as in a simple model', () => readingsAgree(newWorld));
    test('any sequence of links comes out as in a simple model', () => linksAgree(newWorld));
  });
}

const first: Reading = { list: 'feed', label: 'phishing', weight: 0.8, id: 1, untilMs: undefined };
const listed = (...domains: readonly string[]) => domains.map((domain) => ({ domain }));
const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ domain: `n${index}.example`, rank: index + 1 }));

function reading(newWorld: NewWorld): void {
  test('what lists say of domains is found in the order asked for, by every process', async () => {
    const { store, other } = await newWorld();
    await store.takeListed(first, listed('a.example', 'b.example'));
    await other.takeListed({ ...first, list: 'good', label: 'good', weight: 1 }, listed('b.example'));
    const phishing = { list: 'feed', label: 'phishing', weight: 0.8 };
    assert.deepEqual(await other.findVerdicts(['b.example', 'x.example', 'a.example'], 0), [
      [phishing, { list: 'good', label: 'good', weight: 1 }],
      [],
      [phishing],
    ]);
  });

  test('a domain has the best of the ranks that a reading gives it, and those of the next reading then', async () => {
    const { store } = await newWorld();
    const popular = { ...first, list: 'top', label: 'popular', weight: 1 } as const;
    const rank = async () => (await store.findVerdicts(['a.example'], 0))[0]?.[0]?.rank;
    const ranked = (...ranks: readonly number[]) => ranks.map((one) => ({ domain: 'a.example', rank: one }));
    await store.takeListed(popular, ranked(9, 10));
    await store.takeListed(popular, ranked(30));
    const before = await rank();
    await store.takeListed({ ...popular, id: 2 }, ranked(120));
    assert.deepEqual([before, await rank()], [9, 120]);
  });

  test('tens of thousands of domains are taken at once, and read again', async () => {
    const { store, other, takeChanges } = await newWorld();
    const domains = numbered(60_000);
    await Promise.all([store.takeListed(first, domains), other.takeListed(first, domains)]);
    const told = (await takeChanges()).length;
    await store.takeListed({ ...first, id: 2 }, domains);
    await store.endReading({ ...first, id: 2 }, undefined, 5);
    assert.deepEqual([told, await takeChanges()], [60_000, []]);
    assert.deepEqual(
      (await store.listLists()).map((list) => list.domains),
      [60_000],
    );
  });
}

function ending(newWorld: NewWorld): void {
  test('a list keeps what was named before until a later reading has ended without it', async () => {
    const { store, other, takeChanges } = await newWorld();
    await store.takeListed(first, listed('a.example', 'b.example'));
    await store.endReading(first, 'one', 100);
    await takeChanges();
    const second = { ...first, id: 2 };
    await store.takeListed(second, listed('b.example'));
    const during = await store.findVerdicts(['a.example'], 0);
    const known = await other.listLists();
    await store.endReading(second, undefined, 200);
    assert.equal(during[0]?.length, 1);
    assert.deepEqual(known, [{ list: 'feed', label: 'phishing', domains: 2, readMs: 100, place: 'one' }]);
    assert.deepEqual(await other.findVerdicts(['a.example'], 0), [[]]);
    assert.deepEqual(await takeChanges(), ['a.example']);
    assert.deepEqual(await other.listLists(), [
      { list: 'feed', label: 'phishing', domains: 1, readMs: 200, place: undefined },
    ]);
  });

  test('what is believed for a time stays without being named, and is no longer found when it is over', async () => {
    const { store, takeChanges } = await newWorld();
    await store.takeListed({ ...first, untilMs: 1000 }, listed('a.example', 'b.example'));
    await store.takeListed({ ...first, id: 2, untilMs: 2000 }, listed('b.example'));
    await store.endReading({ ...first, id: 2, untilMs: 2000 }, undefined, 500);
    await takeChanges();
    const found = async (nowMs: number) =>
      (await store.findVerdicts(['a.example', 'b.example'], nowMs)).map(({ length }) => length);
    assert.deepEqual(
      [await found(999), await found(1000), await found(2000)],
      [
        [1, 1],
        [0, 1],
        [0, 0],
      ],
    );
    assert.deepEqual([await store.removeExpired(999, 10), await store.removeExpired(1000, 10)], [0, 1]);
    assert.deepEqual(await takeChanges(), ['a.example']);
  });

  test('what is over is taken away no more at a time than asked for, until nothing is left', async () => {
    const { store, other, takeChanges } = await newWorld();
    await store.takeListed({ ...first, untilMs: 1000 }, numbered(250));
    const removed = [];
    for (const which of [store, other, store, other]) removed.push(await which.removeExpired(1000, 100));
    assert.deepEqual(removed, [100, 100, 50, 0]);
    assert.equal(new Set(await takeChanges()).size, 250);
    assert.equal((await store.statistics()).verdicts, 0);
  });

  test('lists that nobody reads any more are forgotten, whatever they believed for how long', async () => {
    const { store, other, takeChanges } = await newWorld();
    await store.takeListed({ ...first, untilMs: 9e12 }, listed('a.example', 'b.example'));
    await store.takeListed({ ...first, list: 'kept' }, listed('b.example'));
    await takeChanges();
    await other.keepLists(['kept', 'new']);
    assert.deepEqual(
      (await store.listLists()).map(({ list }) => list),
      ['kept'],
    );
    assert.deepEqual((await takeChanges()).toSorted(), ['a.example', 'b.example']);
  });
}

function telling(newWorld: NewWorld): void {
  test('a change is told once: a domain that is new, or said to be something else, or believed otherwise', async () => {
    const { store, takeChanges } = await newWorld();
    await store.takeListed(first, listed('a.example', 'b.example', 'a.example'));
    const told = [await takeChanges()];
    for (const later of [
      { ...first, id: 2 },
      { ...first, id: 3, label: 'malware' as const },
      { ...first, id: 4, label: 'malware' as const, weight: 1 },
      { ...first, id: 5, label: 'malware' as const, weight: 1, untilMs: 10 },
    ]) {
      await store.takeListed(later, listed('a.example'));
      told.push(await takeChanges());
    }
    assert.deepEqual(told, [['a.example', 'b.example'], [], ['a.example'], ['a.example'], []]);
  });

  test('nobody is told of popular domains, come or gone', async () => {
    const { store, takeChanges } = await newWorld();
    const popular = { ...first, label: 'popular' } as const;
    await store.takeListed(popular, numbered(3));
    await store.endReading({ ...popular, id: 2 }, undefined, 5);
    assert.deepEqual([await takeChanges(), (await store.statistics()).verdicts], [[], 0]);
  });

  test('changes are read on from an id, and those up to one are forgotten', async () => {
    const { store, other } = await newWorld();
    await store.takeListed(first, listed('a.example', 'b.example', 'c.example'));
    const all = await other.listVerdictChanges(0, 10);
    const [one, two] = all.map(({ id }) => id) as [number, number];
    assert.deepEqual(await other.listVerdictChanges(one, 1), all.slice(1, 2));
    await store.pruneVerdictChanges(two);
    assert.deepEqual(await other.listVerdictChanges(0, 10), all.slice(2));
    await store.pruneVerdictChanges(9e15);
    await store.takeListed(first, listed('d.example'));
    const [next] = await other.listVerdictChanges(0, 10);
    assert.ok(next && next.id > two + 1, 'an id is never given twice');
  });
}

const oddCharacter = fc.constantFrom('a', ' ', '\0', '"', '\\', '\n', '\u0085', 'é', '\u{1f600}', '\uffff');

function linking(newWorld: NewWorld): void {
  test('bad domains of a link are counted without the one that asks, and so is the greatest weight', async () => {
    const { store, other } = await newWorld();
    const link = address('192.0.2.1');
    await store.putBadLinks([
      { domain: 'a.example', weight: 1, links: [link, address('192.0.2.2')] },
      { domain: 'b.example', weight: 0.5, links: [link] },
    ]);
    const asked = ['a.example', 'b.example', 'c.example'].map((except) => ({ link, except }));
    const nobody = { link: { kind: 'network', attribute: 'ip', value: '192.0.2.1' } as const, except: '' };
    assert.deepEqual(await other.countBad([...asked, nobody]), [
      { domains: 1, weight: 0.5 },
      { domains: 1, weight: 1 },
      { domains: 2, weight: 1 },
      { domains: 0, weight: 0 },
    ]);
    assert.deepEqual(await other.listBad(link, 'c.example', 1), ['a.example']);
    assert.deepEqual(await other.listBad(link, 'a.example', 9), ['b.example']);
    await store.putBadLinks(['a.example', 'b.example'].map((domain) => ({ domain, weight: 0, links: [] })));
  });

  test('any text is a value', async () => {
    const { store } = await newWorld();
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: oddCharacter }), async (value) => {
        const links: Link[] = [
          { kind: 'registrant', attribute: 'registrant', value },
          { kind: 'naming-pattern', value },
        ];
        const bad = { domain: 'a.example', weight: 0.25, links };
        assert.deepEqual(await store.putBadLinks([bad]), links);
        assert.deepEqual(await store.findBadLinks(['b.example', 'a.example']), [
          { domain: 'b.example', weight: 0, links: [] },
          bad,
        ]);
        assert.deepEqual(
          await store.countBad(links.map((link) => ({ link, except: '' }))),
          links.map(() => ({ domains: 1, weight: 0.25 })),
        );
        assert.deepEqual(await store.putBadLinks([{ ...bad, links: [] }]), links);
      }),
      { numRuns: 30 },
    );
  });
}

function keepingPlaces(newWorld: NewWorld, handle: () => RiskStore): void {
  test('a reader has its place, and a store that is opened again has everything', async () => {
    const { store, other } = await newWorld();
    const places = [await store.findPlace('one')];
    await store.setPlace('one', 5);
    await store.setPlace('two', 7);
    await store.setPlace('one', 6);
    for (const reader of ['one', 'two']) places.push(await other.findPlace(reader));
    const again = handle();
    await again.takeListed(first, listed('a.example'));
    await again.close();
    const opened = handle();
    places.push(await opened.findPlace('one'));
    assert.deepEqual(places, [0, 6, 7, 6]);
    assert.equal((await opened.findVerdicts(['a.example'], 0))[0]?.length, 1);
  });
}
