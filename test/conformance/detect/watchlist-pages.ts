/** Pages of lists that change while they are read. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { domainStates } from '../../../src/model/detect/watchlist.ts';
import type { DomainQuery } from '../../../src/store/watchlist-store.ts';
import { addDomains, WatchlistFixture } from '../../harness/fixtures/watchlist-fixture.ts';
import type { NewFixture, OpenDetectStores } from './describe-detect-store.ts';

const limit = 2;
const hourMs = 3_600_000;

interface Reader {
  readonly username?: string;
  readonly query?: string;
  readonly nowMs?: number;
}

/** A page as letters, with the total. */
async function pageOf(
  fixture: WatchlistFixture,
  offset: number,
  query: Partial<DomainQuery> = {},
  { username = 'ann', query: digest = 'q', nowMs = 1000 }: Reader = {},
) {
  const paging = { username, query: digest, isFirstPage: offset === 0, rowsMax: 100, nowMs };
  const whole = { sort: [], descending: false, offset, limit, ...query };
  const { total, domains } = await fixture.list(query.state ?? 'new', whole, paging);
  return `${domains.map(({ domain }) => domain[0]).join('')} ${total}`;
}

const names = (letters: string) => letters.split('').map((letter) => `${letter}.example`);

export function watchlistPages(newFixture: NewFixture, open: OpenDetectStores): void {
  test('DOM-44 rows that are triaged between two pages of a list shift no other row, and keep their place in it', async () => {
    const fixture = newFixture();
    const ids = await addDomains(fixture, ...names('abcdefg'));
    const first = await pageOf(fixture, 0);
    const by = { username: 'bob', atMs: 1 };
    await fixture.watchlist.triageDomains(fixture.accountId, [ids[0], ids[3]] as string[], 'ignored', by);
    const pages = [first, await pageOf(fixture, 2), await pageOf(fixture, 4), await pageOf(fixture, 6)];
    assert.deepEqual(pages, ['ab 7', 'cd 7', 'ef 7', 'g 7']);
    const rest = await fixture.list('new', { sort: [], descending: false, offset: 2, limit });
    assert.deepEqual(
      rest.domains.map(({ domain }) => domain),
      ['e.example', 'f.example'],
      'without paging a list is as it is now',
    );
  });

  test('a row of a page has its present state', async () => {
    const fixture = newFixture();
    await addDomains(fixture, ...names('abc'));
    await pageOf(fixture, 0);
    await fixture.triage('c.example', 'watched');
    const paging = { username: 'ann', query: 'q', isFirstPage: false, rowsMax: 100, nowMs: 1000 };
    const { domains } = await fixture.list('new', { sort: [], descending: false, offset: 2, limit }, paging);
    assert.deepEqual(
      domains.map(({ domain, state, assigned }) => [domain, state, assigned?.by]),
      [['c.example', 'watched', 'bob']],
    );
  });

  test('rows of a deleted monitor, and own domains, stay in the pages of a list that was begun before', async () => {
    const fixture = newFixture();
    await addDomains(fixture, ...names('abcd'));
    const { monitorIds } = await fixture.find('a.example');
    const first = await pageOf(fixture, 0);
    await fixture.monitors.changeOwnDomains(fixture.accountId, { add: ['c.example'], remove: [] });
    await fixture.monitors.deleteMonitor(fixture.accountId, monitorIds[0] as string, { forget: true });
    await fixture.watchlist.pruneUnmatchedDomains(hourMs);
    await addDomains(fixture, ...names('xyz'));
    assert.deepEqual([first, await pageOf(fixture, 2), await pageOf(fixture, 0)], ['ab 4', 'cd 4', 'xy 3']);
  });

  test('the first page of a query begins it anew, and pages of other queries and lists are separate', async () => {
    const fixture = newFixture();
    await addDomains(fixture, ...names('abc'));
    await pageOf(fixture, 0);
    await fixture.triage('a.example', 'ignored');
    assert.deepEqual(
      [
        await pageOf(fixture, 2),
        await pageOf(fixture, 1, {}, { query: 'other' }),
        await pageOf(fixture, 0, { state: 'ignored' }),
        await pageOf(fixture, 0),
        await pageOf(fixture, 2),
      ],
      ['c 3', 'c 2', 'a 1', 'bc 2', ' 2'],
    );
  });

  test('users of an account page separately, and continue what a colleague began', async () => {
    const fixture = newFixture();
    await addDomains(fixture, ...names('abcd'));
    await pageOf(fixture, 0);
    await fixture.triage('a.example', 'ignored');
    const colleague = await pageOf(fixture, 2, {}, { username: 'bob' });
    const begun = await pageOf(fixture, 0, {}, { username: 'bob' });
    assert.deepEqual(
      [colleague, begun, await pageOf(fixture, 2, {}, { username: 'bob' }), await pageOf(fixture, 2)],
      ['cd 4', 'bc 3', 'd 3', 'cd 4'],
    );
  });

  test('a snapshot is shared with other processes, belongs to its account, and lasts a day', async (t) => {
    const handle = open(t);
    const [one, two] = [new WatchlistFixture(handle(), 'one'), new WatchlistFixture(handle(), 'one')];
    const stranger = new WatchlistFixture(handle(), 'two');
    await addDomains(one, ...names('abcd'));
    await addDomains(stranger, ...names('wxyz'));
    await pageOf(one, 0);
    await one.triage('a.example', 'ignored');
    assert.deepEqual(
      [
        await pageOf(two, 2),
        await pageOf(stranger, 2),
        await pageOf(two, 2, {}, { nowMs: 1000 + 24 * hourMs }),
      ],
      ['cd 4', 'yz 4', 'd 3'],
    );
  });

  test('an account keeps eight snapshots of a list, the latest', async () => {
    const fixture = newFixture();
    await addDomains(fixture, ...names('abcd'));
    for (let number = 0; number < 9; number += 1) await pageOf(fixture, 0, {}, { query: `q${number}` });
    await fixture.triage('a.example', 'ignored');
    const pages = [];
    for (const number of [1, 8, 0]) pages.push(await pageOf(fixture, 2, {}, { query: `q${number}` }));
    assert.deepEqual(pages, ['cd 4', 'cd 4', 'd 3']);
  });

  test('DOM-44 whatever is triaged between pages, each row of the first page’s list is delivered once, in both orders', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...domainStates),
        fc.boolean(),
        fc.uniqueArray(fc.constantFrom('discovered_date', 'changed_date', 'risk_score'), { maxLength: 2 }),
        fc.array(fc.tuple(fc.nat(8), fc.constantFrom('watched' as const, 'ignored' as const)), {
          maxLength: 6,
        }),
        async (state, descending, sort, decisions) => {
          const fixture = newFixture();
          const ids = await addDomains(fixture, ...names('abcdefghi'));
          const decide = (some: readonly string[], to: 'watched' | 'ignored') =>
            fixture.watchlist.triageDomains(fixture.accountId, some, to, { username: 'bob', atMs: 1 });
          if (state !== 'new') await decide(ids, state);
          const query = { state, descending, sort: sort as DomainQuery['sort'] };
          const seen: string[] = [];
          for (let offset = 0; offset < ids.length; offset += limit) {
            seen.push((await pageOf(fixture, offset, query)).split(' ')[0] as string);
            const [index, to] = decisions[offset / limit] ?? [];
            if (index !== undefined && to) await decide([ids[index] as string], to);
          }
          assert.equal(seen.join('').split('').sort().join(''), 'abcdefghi');
        },
      ),
      { numRuns: 25 },
    );
  });
}
