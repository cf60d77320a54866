/** Lists of domains: filters, sorting and paging. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DomainFacts } from '../../../src/model/detect/watchlist.ts';
import type { DomainQuery } from '../../../src/store/watchlist-store.ts';
import { facts, type WatchlistFixture } from '../../harness/fixtures/watchlist-fixture.ts';
import type { NewFixture } from './describe-detect-store.ts';

/** Domains a, b, c, … with the given facts, discovered at 100, 101, … */
async function filled(fixture: WatchlistFixture, known: readonly Partial<DomainFacts>[]): Promise<void> {
  const monitor = await fixture.monitor();
  await fixture.watchlist.addDiscoveries(
    known.map((some, index) =>
      fixture.discovery(`${'abcdefgh'[index]}.example`, [monitor], {
        discoveredMs: 100 + index,
        facts: { ...facts, ...some },
      }),
    ),
  );
}

async function letters(
  fixture: WatchlistFixture,
  query: Partial<DomainQuery>,
  state: DomainQuery['state'] = 'new',
) {
  return (await fixture.names(state, query)).map((name) => name[0]).join('');
}

export function watchlistLists(newFixture: NewFixture): void {
  filtering(newFixture);
  sorting(newFixture);
}

function filtering(newFixture: NewFixture): void {
  test('DOM-29 ranges of scores include both ends, and several ranges are combined with or', async () => {
    const fixture = newFixture();
    await filled(
      fixture,
      [0, 1, 39, 40, 100, undefined].map((riskScore) => ({ riskScore })),
    );
    const kept = (riskRanges: readonly (readonly [number, number])[]) =>
      letters(fixture, { riskRanges, descending: false });
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

  test('DOM-30 DOM-31 domains are filtered by mail and by status', async () => {
    const fixture = newFixture();
    await filled(fixture, [{ mxExists: true }, { active: false }, {}]);
    assert.deepEqual(
      [
        await letters(fixture, { mxExists: true }),
        await letters(fixture, { mxExists: false }),
        await letters(fixture, { active: true }),
        await letters(fixture, { active: false }),
        await letters(fixture, { active: true, mxExists: false }),
      ],
      ['a', 'cb', 'ca', 'b', 'c'],
    );
  });

  test('DOM-32 DOM-33 since is inclusive, before is exclusive', async () => {
    const fixture = newFixture();
    await filled(fixture, [{}, {}, {}]);
    assert.deepEqual(
      [
        await letters(fixture, { discoveredSinceMs: 101 }),
        await letters(fixture, { discoveredBeforeMs: 101 }),
        await letters(fixture, { discoveredSinceMs: 101, discoveredBeforeMs: 102 }),
      ],
      ['cb', 'a', 'b'],
    );
  });

  test('DOM-34 watched domains are filtered by the time of their last change', async () => {
    const fixture = newFixture();
    await filled(fixture, [{}, {}, {}]);
    for (const name of ['a.example', 'b.example', 'c.example']) await fixture.triage(name, 'watched');
    const change = (atMs: number) => ({ atMs, fields: ['mx'] });
    await fixture.applyChanges([
      { domain: 'a.example', facts, changed: change(500) },
      { domain: 'b.example', facts, changed: change(600) },
    ]);
    const kept = (query: Partial<DomainQuery>) => letters(fixture, query, 'watched');
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

  test('DOM-26 DOM-36 ESC-18 escalated domains are filtered by type and by time', async () => {
    const fixture = newFixture();
    await filled(fixture, [{}, {}, {}]);
    await fixture.escalate('a.example', 'blocked', { username: 'bob', atMs: 500 });
    await fixture.escalate('b.example', 'external_safe', { username: 'bob', atMs: 600 });
    await fixture.triage('c.example', 'watched');
    const kept = (query: Partial<DomainQuery>) => letters(fixture, query, 'watched');
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

  test('DOM-27 DOM-28 DOM-42 domains are filtered by TLD, which includes suffixes of several labels below it', async () => {
    const fixture = newFixture();
    const monitor = await fixture.monitor();
    for (const name of ['a.com', 'b.net', 'c.co.uk', 'd.uk', 'e.xuk'])
      await fixture.discover(name, [monitor]);
    const kept = (...tlds: string[]) => letters(fixture, { tlds, descending: false });
    assert.deepEqual(
      [
        await kept('com'),
        await kept('com', 'co.uk'),
        await kept('com,net'),
        await kept('uk'),
        await kept('o.uk'),
        await kept('_k', 'net'),
      ],
      ['a', 'ac', '', 'cd', '', 'b'],
    );
  });

  test('DOM-37 text is searched in the punycode and the Unicode form of names', async () => {
    const fixture = newFixture();
    const monitor = await fixture.monitor();
    for (const name of ['xn--mnchen-3ya.example', 'paypa1.example']) await fixture.discover(name, [monitor]);
    assert.deepEqual(
      [
        await letters(fixture, { search: 'münch' }),
        await letters(fixture, { search: 'mnchen' }),
        await letters(fixture, { search: 'pa1.ex' }),
        await letters(fixture, { search: '%' }),
        await letters(fixture, { search: 'example' }),
      ],
      ['x', 'x', 'p', '', 'px'],
    );
  });

  test('DOM-23 DOM-24 DOM-25 a list is of one monitor or of all, and an unknown monitor is reported', async () => {
    const [fixture, other] = [newFixture(), newFixture()];
    const [one, two] = [await fixture.monitor(), await fixture.monitor()];
    await fixture.discover('a.example', [one]);
    await fixture.discover('b.example', [two]);
    const foreign = await other.monitor();
    const query = { state: 'new', sort: [], descending: true, offset: 0, limit: 10 } as const;
    assert.deepEqual(
      [
        await letters(fixture, { monitorId: one.id }),
        await letters(fixture, {}),
        await fixture.watchlist.listDomains(fixture.accountId, { ...query, monitorId: foreign.id }),
        await fixture.watchlist.listDomains(fixture.accountId, { ...query, monitorId: 'none' }),
      ],
      ['a', 'ba', 'unknown-monitor', 'unknown-monitor'],
    );
  });
}

function sorting(newFixture: NewFixture): void {
  test('DOM-39 DOM-41 domains are sorted by discovery and by score, both ways, unknown scores last', async () => {
    const fixture = newFixture();
    await filled(
      fixture,
      [50, undefined, 70, 10].map((riskScore) => ({ riskScore })),
    );
    const sorted = (sort: DomainQuery['sort'], descending: boolean) => letters(fixture, { sort, descending });
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
    const fixture = newFixture();
    await filled(fixture, [{}, {}, {}]);
    for (const name of ['a.example', 'b.example', 'c.example']) await fixture.triage(name, 'watched');
    await fixture.applyChanges(
      ['a.example', 'c.example'].map((domain, index) => ({
        domain,
        facts,
        changed: { atMs: 500 + index, fields: ['mx'] },
      })),
    );
    const sorted = (descending: boolean) =>
      letters(fixture, { sort: ['changed_date'], descending }, 'watched');
    assert.deepEqual([await sorted(true), await sorted(false)], ['cab', 'acb']);
  });

  test('several sort keys apply one after another', async () => {
    const fixture = newFixture();
    await filled(
      fixture,
      [50, 70, 50].map((riskScore) => ({ riskScore })),
    );
    assert.equal(await letters(fixture, { sort: ['risk_score', 'discovered_date'] }), 'bca');
  });

  test('DOM-08 DOM-44 pages of an unchanged list have no gaps and no repeats, and all have the same total', async () => {
    const fixture = newFixture();
    const monitor = await fixture.monitor();
    const names = Array.from({ length: 25 }, (_, index) => `n${index}.example`);
    await fixture.watchlist.addDiscoveries(names.map((name) => fixture.discovery(name, [monitor])));
    const pages = await Promise.all(
      [0, 10, 20, 30].map((offset) => fixture.list('new', { offset, limit: 10, sort: ['risk_score'] })),
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
