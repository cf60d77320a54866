/** What every escalation store must do. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayMs } from '../../src/model/durations.ts';
import { addDomains, WatchlistFixture } from '../harness/fixtures/watchlist-fixture.ts';
import {
  describeDetectStore,
  type NewFixture,
  type OpenDetectStores,
} from './detect/describe-detect-store.ts';

const ann = { username: 'ann', atMs: 3000 };
const bob = { username: 'bob', atMs: 4000 };

export function escalationStoreConformance(name: string, open: OpenDetectStores): void {
  describeDetectStore(`${name} as an escalation store`, open, (newFixture) => {
    escalating(newFixture);
    blocking(newFixture);
    fetching(newFixture);
    submitting(open);
  });
}

function escalating(newFixture: NewFixture): void {
  for (const [state, rule] of [
    ['new', 'ESC-05'],
    ['watched', 'ESC-06'],
    ['ignored', 'ESC-08'],
  ] as const) {
    test(`${rule} ESC-07 a domain that was ${state} is watched once it is escalated, and lists the escalation`, async () => {
      const fixture = newFixture();
      await addDomains(fixture, 'a.example');
      if (state !== 'new') await fixture.triage('a.example', state, ann);
      const escalation = await fixture.escalate('a.example', 'blocked', bob);
      const domain = await fixture.find('a.example');
      assert.deepEqual([domain.state, domain.escalations], ['watched', [escalation]]);
      assert.equal(domain.assigned?.by, state === 'watched' ? 'ann' : 'bob');
    });
  }

  test('ESC-01 ESC-03 ESC-04 ESC-09 each type is a separate escalation with a separate event', async () => {
    const fixture = newFixture();
    const [domainId] = await addDomains(fixture, 'a.example');
    const blocked = await fixture.escalate('a.example', 'blocked', ann);
    const safe = await fixture.escalate('a.example', 'external_safe', bob);
    assert.match(blocked.id, /^[A-Za-z0-9]{10}$/);
    const common = { domainId, domain: 'a.example' };
    assert.deepEqual(
      [blocked, safe],
      [
        {
          ...common,
          id: blocked.id,
          type: 'blocked',
          createdMs: 3000,
          updatedMs: 3000,
          createdBy: 'ann',
          submission: undefined,
        },
        {
          ...common,
          id: safe.id,
          type: 'external_safe',
          createdMs: 4000,
          updatedMs: 4000,
          createdBy: 'bob',
          submission: { status: 'waiting', attempts: 0, error: undefined },
        },
      ],
    );
    const events = await fixture.events.listEvents(fixture.accountId, {
      afterId: 0,
      limit: 9,
      kinds: ['escalated'],
    });
    assert.deepEqual(
      events.map(({ detail, atMs }) => [detail, atMs]),
      [
        [{ type: 'blocked' }, 3000],
        [{ type: 'external_safe' }, 4000],
      ],
    );
  });

  test('ESC-16 a repeated type is refused for the whole request, and the domains are named', async () => {
    const fixture = newFixture();
    const ids = await addDomains(fixture, 'a.example', 'b.example');
    await fixture.escalate('a.example', 'blocked');
    assert.deepEqual(await fixture.escalations.escalateDomains(fixture.accountId, ids, 'blocked', bob), {
      outcome: 'already-escalated',
      ids: [ids[0]],
    });
    assert.deepEqual(await fixture.names('new'), ['b.example']);
  });

  test('ESC-17 if one id does not belong to the account nothing is recorded', async () => {
    const [fixture, other] = [newFixture(), newFixture()];
    const [own] = await addDomains(fixture, 'a.example');
    const [foreign] = await addDomains(other, 'a.example');
    const ids = [own, foreign] as string[];
    assert.deepEqual(await fixture.escalations.escalateDomains(fixture.accountId, ids, 'blocked', bob), {
      outcome: 'unknown-ids',
      ids: [foreign],
    });
    assert.deepEqual(await fixture.escalations.listEscalations(fixture.accountId, { limit: 10 }), []);
  });

  test('escalations are listed newest first, page by page, of one type or of all', async () => {
    const fixture = newFixture();
    await addDomains(fixture, 'a.example', 'b.example');
    const made = [
      await fixture.escalate('a.example', 'blocked'),
      await fixture.escalate('a.example', 'external_safe'),
      await fixture.escalate('b.example', 'blocked'),
    ];
    const [first, second, third] = made.map(({ id }) => id) as [string, string, string];
    const list = async (page: { type?: 'blocked'; beforeId?: string; limit: number }) =>
      (await fixture.escalations.listEscalations(fixture.accountId, page)).map(({ id }) => id);
    assert.deepEqual(
      [
        await list({ limit: 2 }),
        await list({ limit: 2, beforeId: second }),
        await list({ limit: 9, type: 'blocked' }),
        await list({ limit: 9, beforeId: 'unknown' }),
        await newFixture().escalations.listEscalations('nobody', { limit: 9, beforeId: third }),
      ],
      [[third, second], [first], [third, first], [], []],
    );
  });
}

function blocking(newFixture: NewFixture): void {
  test('blocked domains are listed in order of name, page by page, with the time of escalation', async () => {
    const fixture = newFixture();
    await addDomains(fixture, 'b.example', 'a.example', 'c.example');
    await fixture.escalate('b.example', 'blocked', { username: 'bob', atMs: 1 });
    await fixture.escalate('a.example', 'blocked', { username: 'bob', atMs: 2 });
    await fixture.escalate('c.example', 'external_safe');
    assert.deepEqual(
      [
        await fixture.escalations.listBlockedDomains(fixture.accountId, '', 1),
        await fixture.escalations.listBlockedDomains(fixture.accountId, 'a.example', 9),
        await newFixture().escalations.listBlockedDomains('nobody', '', 9),
      ],
      [[{ domain: 'a.example', sinceMs: 2 }], [{ domain: 'b.example', sinceMs: 1 }], []],
    );
  });

  test('the version of the blocklist increases only when the blocked domains change', async () => {
    const fixture = newFixture();
    await addDomains(fixture, 'a.example');
    const version = () => fixture.escalations.blocklistVersion(fixture.accountId);
    const before = await version();
    await fixture.escalate('a.example', 'external_safe');
    const same = await version();
    await fixture.escalate('a.example', 'blocked');
    assert.deepEqual([same === before, (await version()) > before], [true, true]);
  });

  test('the edition of a blocklist is stable until it is renewed, and separate for each account', async () => {
    const [fixture, other] = [newFixture(), newFixture()];
    const edition = (one: WatchlistFixture) => one.escalations.blocklistEdition(one.accountId);
    const before = [await edition(fixture), await edition(fixture), await edition(other)];
    const renewed = await fixture.escalations.renewBlocklistEdition(fixture.accountId);
    assert.deepEqual([before, renewed, await edition(fixture), await edition(other)], [[1, 1, 1], 2, 2, 1]);
  });
}

function fetching(newFixture: NewFixture): void {
  const fetch = (address: string, atMs: number, version = 1) =>
    ({ selection: 'blocked', format: 'rpz', address, agent: 'unbound', atMs, version }) as const;

  test('each client that fetched a blocklist is listed once for each format, the latest first', async () => {
    const [{ accountId, escalations }, other] = [newFixture(), newFixture()];
    await escalations.recordBlocklistFetch(accountId, fetch('192.0.2.1', 1000));
    await escalations.recordBlocklistFetch(accountId, fetch('192.0.2.2', 2000));
    await escalations.recordBlocklistFetch(accountId, { ...fetch('192.0.2.1', 1500), format: 'plain' });
    await escalations.recordBlocklistFetch(accountId, fetch('192.0.2.1', 3000, 2));
    assert.deepEqual(await escalations.listBlocklistFetches(accountId), [
      fetch('192.0.2.1', 3000, 2),
      fetch('192.0.2.2', 2000),
      { ...fetch('192.0.2.1', 1500), format: 'plain' },
    ]);
    assert.deepEqual(await escalations.listBlocklistFetches(other.accountId), []);
  });

  test('the twenty clients that fetched a blocklist last are kept', async () => {
    const { accountId, escalations } = newFixture();
    for (let at = 0; at < 25; at += 1)
      await escalations.recordBlocklistFetch(accountId, fetch(`192.0.2.${at}`, 1000 + at));
    const kept = await escalations.listBlocklistFetches(accountId);
    assert.deepEqual([kept.length, kept[0]?.address, kept.at(-1)?.address], [20, '192.0.2.24', '192.0.2.5']);
  });
}

function submitting(open: OpenDetectStores): void {
  test('ESC-02 only external escalations are leased for submission, to one process at a time, until the lease ends', async (t) => {
    const handle = open(t);
    const [stores, other] = [handle(), handle()];
    const fixture = new WatchlistFixture(stores);
    await addDomains(fixture, 'a.example');
    await fixture.escalate('a.example', 'blocked');
    const { id } = await fixture.escalate('a.example', 'external_safe', bob);
    const early = await stores.escalations.leaseSubmissions(9, 3999, 5000);
    const leases = await Promise.all(
      [stores, other].map((each) => each.escalations.leaseSubmissions(9, 4000, 5000)),
    );
    const [expired] = await other.escalations.leaseSubmissions(9, 5000, 6000);
    assert.deepEqual(
      [early, leases.flat().map((one) => [one.id, one.accountId]), expired?.submission?.attempts],
      [[], [[id, fixture.accountId]], 2],
    );
  });

  test('a submission delayed by a clock that was a year ahead is due when the clock is set back', async (t) => {
    const stores = open(t)();
    const fixture = new WatchlistFixture(stores);
    await addDomains(fixture, 'a.example');
    const { id } = await fixture.escalate('a.example', 'external_safe', bob);
    const atMs = 365 * dayMs;
    await stores.escalations.leaseSubmissions(9, atMs, atMs + 1000);
    await stores.escalations.recordSubmissionOutcome(id, { status: 'waiting', nextMs: atMs + 30_000, atMs });
    const due = await stores.escalations.leaseSubmissions(9, 4000, 5000);
    assert.deepEqual([due.length, await stores.escalations.leaseSubmissions(9, 4999, 6000)], [1, []]);
  });

  test('a waiting submission is due again at its time, and a final one never', async (t) => {
    const stores = open(t)();
    const fixture = new WatchlistFixture(stores);
    await addDomains(fixture, 'a.example');
    const { id } = await fixture.escalate('a.example', 'external_safe', bob);
    await stores.escalations.leaseSubmissions(9, 4000, 5000);
    await stores.escalations.recordSubmissionOutcome(id, {
      status: 'waiting',
      error: 'refused',
      nextMs: 7000,
      atMs: 4500,
    });
    const [waiting] = await stores.escalations.listEscalations(fixture.accountId, { limit: 1 });
    const early = await stores.escalations.leaseSubmissions(9, 6999, 9000);
    const due = await stores.escalations.leaseSubmissions(9, 7000, 9000);
    await stores.escalations.recordSubmissionOutcome(id, { status: 'submitted', atMs: 7500 });
    await stores.escalations.recordSubmissionOutcome(id, { status: 'waiting', nextMs: 0, atMs: 7600 });
    const [submitted] = await stores.escalations.listEscalations(fixture.accountId, { limit: 1 });
    assert.deepEqual(
      [waiting?.submission, waiting?.updatedMs, early, due.length, submitted?.submission],
      [
        { status: 'waiting', attempts: 1, error: 'refused' },
        4500,
        [],
        1,
        { status: 'submitted', attempts: 2, error: undefined },
      ],
    );
    assert.deepEqual(await stores.escalations.leaseSubmissions(9, 99_000, 99_001), []);
  });
}
