/** Lists of domains: every filter, every order, every page. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DomainFacts } from '../../src/model/detect/watchlist.ts';
import type { DomainQuery } from '../../src/store/watchlist-store.ts';
import { facts, type WatchlistWorld } from '../harness/watchlist-world.ts';
import type { NewWorld } from './watchlist-store.ts';

/** Domains a, b, c, … with what is known of each, discovered one after another from 100 on. */
async function filled(world: WatchlistWorld, known: readonly Partial<DomainFacts>[]): Promise<void> {
  const monitor = await world.monitor();
  await world.store.discover(
    known.map((some, index) =>
      world.discovery(`${'abcdefgh'[index]}.example`, [monitor], {
        discoveredMs: 100 + index,
        facts: { ...facts, ...some },
      }),
    ),
  );
}

async function letters(
  world: WatchlistWorld,
  query: Partial<DomainQuery>,
  state: DomainQuery['state'] = 'new',
) {
  return (await world.names(state, query)).map((name) => name[0]).join('');
}

export function watchlistLists(newWorld: NewWorld): void {
  filtering(newWorld);
  sorting(newWorld);
}

function filtering(newWorld: NewWorld): void {
  test('DOM-29 ranges of scores include both ends, and several keep any', async () => {
    const world = newWorld();
    await filled(
      world,
      [0, 1, 39, 40, 100, undefined].map((riskScore) => ({ riskScore })),
    );
    const kept = (riskRanges: readonly (readonly [number, number])[]) =>
      letters(world, { riskRanges, descending: false });
    assert.deepEqual(
      [
        await kept([[0, 0]]),
        await kept([[1, 39]]),
        await kept([
          [0, 0],
          [100, 100],
        ]),
        await kept([]),
      ],
      ['a', 'bc', 'ae', ''],
    );
  });

  test('DOM-30 DOM-31 domains are kept by mail and by status', async () => {
    const world = newWorld();
    await filled(world, [{ mxExists: true }, { active: false }, {}]);
    assert.deepEqual(
      [
        await letters(world, { mxExists: true }),
        await letters(world, { mxExists: false }),
        await letters(world, { active: true }),
        await letters(world, { active: false }),
        await letters(world, { active: true, mxExists: false }),
      ],
      ['a', 'cb', 'ca', 'b', 'c'],
    );
  });

  test('DOM-32 DOM-33 since is inclusive, before is exclusive', async () => {
    const world = newWorld();
    await filled(world, [{}, {}, {}]);
    assert.deepEqual(
      [
        await letters(world, { discoveredSinceMs: 101 }),
        await letters(world, { discoveredBeforeMs: 101 }),
        await letters(world, { discoveredSinceMs: 101, discoveredBeforeMs: 102 }),
      ],
      ['cb', 'a', 'b'],
    );
  });

  test('DOM-34 watched domains are kept by the time of their last change', async () => {
    const world = newWorld();
    await filled(world, [{}, {}, {}]);
    for (const name of ['a.example', 'b.example', 'c.example']) await world.triage(name, 'watched');
    const change = (atMs: number) => ({ atMs, fields: ['mx'] });
    await world.news([
      { domain: 'a.example', facts, changed: change(500) },
      { domain: 'b.example', facts, changed: change(600) },
    ]);
    const kept = (query: Partial<DomainQuery>) => letters(world, query, 'watched');
    assert.deepEqual(
      [
        await kept({ changedSinceMs: 500 }),
        await kept({ changedSinceMs: 501 }),
        await kept({ changedBeforeMs: 600 }),
        await kept({}),
      ],
      ['ba', 'b', 'a', 'cba'],
    );
  });

  test('DOM-26 DOM-36 ESC-18 escalated domains are kept by type and by time', async () => {
    const world = newWorld();
    await filled(world, [{}, {}, {}]);
    await world.escalate('a.example', 'blocked', { username: 'bob', atMs: 500 });
    await world.escalate('b.example', 'external_safe', { username: 'bob', atMs: 600 });
    await world.triage('c.example', 'watched');
    const kept = (query: Partial<DomainQuery>) => letters(world, query, 'watched');
    assert.deepEqual(
      [
        await kept({ escalationTypes: ['blocked'] }),
        await kept({ escalationTypes: ['blocked', 'external_safe'] }),
        await kept({ escalatedSinceMs: 500 }),
        await kept({ escalatedSinceMs: 501 }),
        await kept({ escalationTypes: ['blocked'], escalatedSinceMs: 501 }),
      ],
      ['a', 'ba', 'ba', 'b', ''],
    );
  });

  test('DOM-27 DOM-28 DOM-42 domains are kept by TLD, as it is', async () => {
    const world = newWorld();
    const monitor = await world.monitor();
    for (const name of ['a.com', 'b.net', 'c.co.uk']) await world.discover(name, [monitor]);
    const kept = (...tlds: string[]) => letters(world, { tlds, descending: false });
    assert.deepEqual(
      [await kept('com'), await kept('com', 'co.uk'), await kept('com,net'), await kept('uk')],
      ['a', 'ac', '', ''],
    );
  });

  test('DOM-37 text is searched in the punycode and the Unicode form of names', async () => {
    const world = newWorld();
    const monitor = await world.monitor();
    for (const name of ['xn--mnchen-3ya.example', 'paypa1.example']) await world.discover(name, [monitor]);
    assert.deepEqual(
      [
        await letters(world, { search: 'münch' }),
        await letters(world, { search: 'mnchen' }),
        await letters(world, { search: 'pa1.ex' }),
        await letters(world, { search: '%' }),
        await letters(world, { search: 'example' }),
      ],
      ['x', 'x', 'p', '', 'px'],
    );
  });

  test('DOM-23 DOM-24 DOM-25 a list is of one monitor, of all, or of one that is not there', async () => {
    const [world, other] = [newWorld(), newWorld()];
    const [one, two] = [await world.monitor(), await world.monitor()];
    await world.discover('a.example', [one]);
    await world.discover('b.example', [two]);
    const foreign = await other.monitor();
    const query = { state: 'new', sort: [], descending: true, offset: 0, limit: 10 } as const;
    assert.deepEqual(
      [
        await letters(world, { monitorId: one.id }),
        await letters(world, {}),
        await world.store.listDomains(world.accountId, { ...query, monitorId: foreign.id }),
        await world.store.listDomains(world.accountId, { ...query, monitorId: 'none' }),
      ],
      ['a', 'ba', 'unknown-monitor', 'unknown-monitor'],
    );
  });
}

function sorting(newWorld: NewWorld): void {
  test('DOM-39 DOM-41 domains are sorted by discovery and by score, both ways, unknown scores last', async () => {
    const world = newWorld();
    await filled(
      world,
      [50, undefined, 70, 10].map((riskScore) => ({ riskScore })),
    );
    const sorted = (sort: DomainQuery['sort'], descending: boolean) => letters(world, { sort, descending });
    assert.deepEqual(
      [
        await sorted(['discovered_date'], true),
        await sorted(['discovered_date'], false),
        await sorted(['risk_score'], true),
        await sorted(['risk_score'], false),
      ],
      ['dcba', 'abcd', 'cadb', 'dacb'],
    );
  });

  test('DOM-40 domains that never changed are last in both directions', async () => {
    const world = newWorld();
    await filled(world, [{}, {}, {}]);
    for (const name of ['a.example', 'b.example', 'c.example']) await world.triage(name, 'watched');
    await world.news(
      ['a.example', 'c.example'].map((domain, index) => ({
        domain,
        facts,
        changed: { atMs: 500 + index, fields: ['mx'] },
      })),
    );
    const sorted = (descending: boolean) => letters(world, { sort: ['changed_date'], descending }, 'watched');
    assert.deepEqual([await sorted(true), await sorted(false)], ['cab', 'acb']);
  });

  test('several keys sort one after another', async () => {
    const world = newWorld();
    await filled(
      world,
      [50, 70, 50].map((riskScore) => ({ riskScore })),
    );
    assert.equal(await letters(world, { sort: ['risk_score', 'discovered_date'] }), 'bca');
  });

  test('DOM-08 DOM-44 pages of domains of one moment have no gap and no repeat, and all have the same total', async () => {
    const world = newWorld();
    const monitor = await world.monitor();
    const names = Array.from({ length: 25 }, (_, index) => `n${index}.example`);
    await world.store.discover(names.map((name) => world.discovery(name, [monitor])));
    const pages = await Promise.all(
      [0, 10, 20, 30].map((offset) => world.list('new', { offset, limit: 10, sort: ['risk_score'] })),
    );
    assert.deepEqual(
      pages.flatMap(({ domains }) => domains.map(({ domain }) => domain)).sort(),
      names.toSorted(),
    );
    assert.deepEqual(
      pages.map(({ total }) => total),
      [25, 25, 25, 25],
    );
  });
}
