/** Triage: users watch or ignore domains. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDomains } from '../../harness/fixtures/watchlist-fixture.ts';
import type { NewFixture } from './describe-detect-store.ts';

const ann = { username: 'ann', atMs: 3000 };
const bob = { username: 'bob', atMs: 4000 };

export function watchlistTriage(newFixture: NewFixture): void {
  test('TRI-02 TRI-05 TRI-07 TRI-08 TRI-18 triage moves a domain to another list, and records the user and the time', async () => {
    const fixture = newFixture();
    await addDomains(fixture, 'a.example');
    const seen: unknown[] = [];
    for (const state of ['watched', 'ignored', 'watched'] as const) {
      await fixture.triage('a.example', state, ann);
      const { assigned } = await fixture.find('a.example');
      seen.push([await fixture.names('new'), await fixture.names(state), assigned]);
    }
    const expected = [[], ['a.example'], { by: 'ann', atMs: 3000 }];
    assert.deepEqual(seen, [expected, expected, expected]);
  });

  test('TRI-09 repeating a decision changes nothing, not even the assigned user', async () => {
    const fixture = newFixture();
    await addDomains(fixture, 'a.example');
    await fixture.triage('a.example', 'watched', ann);
    await fixture.triage('a.example', 'watched', bob);
    assert.deepEqual((await fixture.find('a.example')).assigned, { by: 'ann', atMs: 3000 });
  });

  test('TRI-10 TRI-17 triage moves and returns all given domains, in their order, and no other', async () => {
    const fixture = newFixture();
    const [a, b] = await addDomains(fixture, 'a.example', 'b.example', 'c.example');
    const outcome = await fixture.watchlist.triageDomains(
      fixture.accountId,
      [b, a, b] as string[],
      'watched',
      ann,
    );
    assert.ok('domains' in outcome);
    assert.deepEqual(
      outcome.domains.map(({ domain, state }) => [domain, state]),
      [
        ['b.example', 'watched'],
        ['a.example', 'watched'],
      ],
    );
    assert.deepEqual(await fixture.names('new'), ['c.example']);
  });

  test('TRI-16 if one id does not belong to the account nothing changes, and the id is returned', async () => {
    const [fixture, other] = [newFixture(), newFixture()];
    const [own] = await addDomains(fixture, 'a.example');
    const [foreign] = await addDomains(other, 'a.example');
    const ids = [own, foreign, 'nobody'] as string[];
    assert.deepEqual(await fixture.watchlist.triageDomains(fixture.accountId, ids, 'watched', ann), {
      unknownIds: [foreign, 'nobody'],
    });
    assert.deepEqual([await fixture.names('new'), await other.names('new')], [['a.example'], ['a.example']]);
  });
}
