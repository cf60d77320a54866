/** Triage, escalations, blocklists, and submissions to somebody outside. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WatchlistWorld } from '../harness/watchlist-world.ts';
import type { NewWorld, OpenWatchlistStore } from './watchlist-store.ts';

const ann = { username: 'ann', atMs: 3000 };
const bob = { username: 'bob', atMs: 4000 };

async function withDomains(world: WatchlistWorld, ...names: readonly string[]): Promise<readonly string[]> {
  const monitor = await world.monitor();
  await world.store.discover(names.map((name) => world.discovery(name, [monitor])));
  return Promise.all(names.map(async (name) => (await world.find(name)).id));
}

export function watchlistDecisions(newWorld: NewWorld, open: OpenWatchlistStore): void {
  triaging(newWorld);
  escalating(newWorld);
  blocking(newWorld);
  submitting(open);
}

function triaging(newWorld: NewWorld): void {
  test('TRI-02 TRI-05 TRI-07 TRI-08 TRI-18 a decision moves a domain to its list, and says who made it when', async () => {
    const world = newWorld();
    await withDomains(world, 'a.example');
    const seen: unknown[] = [];
    for (const state of ['watched', 'ignored', 'watched'] as const) {
      await world.triage('a.example', state, ann);
      const { assigned } = await world.find('a.example');
      seen.push([await world.names('new'), await world.names(state), assigned]);
    }
    const expected = [[], ['a.example'], { by: 'ann', atMs: 3000 }];
    assert.deepEqual(seen, [expected, expected, expected]);
  });

  test('TRI-09 a decision that is made already changes nothing, who made it neither', async () => {
    const world = newWorld();
    await withDomains(world, 'a.example');
    await world.triage('a.example', 'watched', ann);
    await world.triage('a.example', 'watched', bob);
    assert.deepEqual((await world.find('a.example')).assigned, { by: 'ann', atMs: 3000 });
  });

  test('TRI-10 TRI-17 all domains of a decision are moved and given, in its order, and no other', async () => {
    const world = newWorld();
    const [a, b] = await withDomains(world, 'a.example', 'b.example', 'c.example');
    const outcome = await world.store.triage(world.accountId, [b, a, b] as string[], 'watched', ann);
    assert.ok('domains' in outcome);
    assert.deepEqual(
      outcome.domains.map(({ domain, state }) => [domain, state]),
      [
        ['b.example', 'watched'],
        ['a.example', 'watched'],
      ],
    );
    assert.deepEqual(await world.names('new'), ['c.example']);
  });

  test('TRI-16 where one id is not the account’s own nothing changes, and it is named', async () => {
    const [world, other] = [newWorld(), newWorld()];
    const [own] = await withDomains(world, 'a.example');
    const [foreign] = await withDomains(other, 'a.example');
    const ids = [own, foreign, 'nobody'] as string[];
    assert.deepEqual(await world.store.triage(world.accountId, ids, 'watched', ann), {
      unknownIds: [foreign, 'nobody'],
    });
    assert.deepEqual([await world.names('new'), await other.names('new')], [['a.example'], ['a.example']]);
  });
}

function escalating(newWorld: NewWorld): void {
  for (const [state, rule] of [
    ['new', 'ESC-05'],
    ['watched', 'ESC-06'],
    ['ignored', 'ESC-08'],
  ] as const) {
    test(`${rule} ESC-07 a domain that was ${state} is watched once it is escalated, and shows it`, async () => {
      const world = newWorld();
      await withDomains(world, 'a.example');
      if (state !== 'new') await world.triage('a.example', state, ann);
      const escalation = await world.escalate('a.example', 'blocked', bob);
      const domain = await world.find('a.example');
      assert.deepEqual([domain.state, domain.escalations], ['watched', [escalation]]);
      assert.equal(domain.assigned?.by, state === 'watched' ? 'ann' : 'bob');
    });
  }

  test('ESC-01 ESC-03 ESC-04 ESC-09 each type is an escalation of its own, and each an event', async () => {
    const world = newWorld();
    const [domainId] = await withDomains(world, 'a.example');
    const blocked = await world.escalate('a.example', 'blocked', ann);
    const safe = await world.escalate('a.example', 'external_safe', bob);
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
    const events = await world.store.listEvents(world.accountId, {
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

  test('ESC-16 the same type again is refused for all of the request, and the domains are named', async () => {
    const world = newWorld();
    const ids = await withDomains(world, 'a.example', 'b.example');
    await world.escalate('a.example', 'blocked');
    assert.deepEqual(await world.store.escalate(world.accountId, ids, 'blocked', bob), {
      outcome: 'already-escalated',
      ids: [ids[0]],
    });
    assert.deepEqual(await world.names('new'), ['b.example']);
  });

  test('ESC-17 where one id is not the account’s own nothing is recorded', async () => {
    const [world, other] = [newWorld(), newWorld()];
    const [own] = await withDomains(world, 'a.example');
    const [foreign] = await withDomains(other, 'a.example');
    const ids = [own, foreign] as string[];
    assert.deepEqual(await world.store.escalate(world.accountId, ids, 'blocked', bob), {
      outcome: 'unknown-ids',
      ids: [foreign],
    });
    assert.deepEqual(await world.store.listEscalations(world.accountId, { limit: 10 }), []);
  });

  test('escalations are listed newest first, page by page, of one type or all', async () => {
    const world = newWorld();
    await withDomains(world, 'a.example', 'b.example');
    const made = [
      await world.escalate('a.example', 'blocked'),
      await world.escalate('a.example', 'external_safe'),
      await world.escalate('b.example', 'blocked'),
    ];
    const [first, second, third] = made.map(({ id }) => id) as [string, string, string];
    const list = async (page: { type?: 'blocked'; beforeId?: string; limit: number }) =>
      (await world.store.listEscalations(world.accountId, page)).map(({ id }) => id);
    assert.deepEqual(
      [
        await list({ limit: 2 }),
        await list({ limit: 2, beforeId: second }),
        await list({ limit: 9, type: 'blocked' }),
        await list({ limit: 9, beforeId: 'unknown' }),
        await newWorld().store.listEscalations('nobody', { limit: 9, beforeId: third }),
      ],
      [[third, second], [first], [third, first], [], []],
    );
  });
}

function blocking(newWorld: NewWorld): void {
  test('blocked names are listed in order, page by page, with the time since when', async () => {
    const world = newWorld();
    await withDomains(world, 'b.example', 'a.example', 'c.example');
    await world.escalate('b.example', 'blocked', { username: 'bob', atMs: 1 });
    await world.escalate('a.example', 'blocked', { username: 'bob', atMs: 2 });
    await world.escalate('c.example', 'external_safe');
    assert.deepEqual(
      [
        await world.store.listBlocked(world.accountId, '', 1),
        await world.store.listBlocked(world.accountId, 'a.example', 9),
        await newWorld().store.listBlocked('nobody', '', 9),
      ],
      [[{ domain: 'a.example', sinceMs: 2 }], [{ domain: 'b.example', sinceMs: 1 }], []],
    );
  });

  test('the version of blocked names rises with them alone', async () => {
    const world = newWorld();
    await withDomains(world, 'a.example');
    const version = () => world.store.blockedVersion(world.accountId);
    const before = await version();
    await world.escalate('a.example', 'external_safe');
    const same = await version();
    await world.escalate('a.example', 'blocked');
    assert.deepEqual([same === before, (await version()) > before], [true, true]);
  });

  test('the edition of a blocklist is the same until it is renewed, and each account has its own', async () => {
    const [world, other] = [newWorld(), newWorld()];
    const edition = (one: WatchlistWorld) => one.store.blocklistEdition(one.accountId);
    const before = [await edition(world), await edition(world), await edition(other)];
    const renewed = await world.store.renewBlocklistEdition(world.accountId);
    assert.deepEqual([before, renewed, await edition(world), await edition(other)], [[1, 1, 1], 2, 2, 1]);
  });
}

function submitting(open: OpenWatchlistStore): void {
  test('ESC-02 only external escalations are to be submitted, by one at a time, until the lease ends', async (t) => {
    const handle = open(t);
    const [store, other] = [handle(), handle()];
    const world = new WatchlistWorld(store);
    await withDomains(world, 'a.example');
    await world.escalate('a.example', 'blocked');
    const { id } = await world.escalate('a.example', 'external_safe', bob);
    const early = await store.leaseSubmissions(9, 3999, 5000);
    const leases = await Promise.all([store, other].map((each) => each.leaseSubmissions(9, 4000, 5000)));
    const [expired] = await other.leaseSubmissions(9, 5000, 6000);
    assert.deepEqual(
      [early, leases.flat().map((one) => [one.id, one.accountId]), expired?.submission?.attempts],
      [[], [[id, world.accountId]], 2],
    );
  });

  test('a submission that failed for now is due again at its time, and one that is settled never', async (t) => {
    const store = open(t)();
    const world = new WatchlistWorld(store);
    await withDomains(world, 'a.example');
    const { id } = await world.escalate('a.example', 'external_safe', bob);
    await store.leaseSubmissions(9, 4000, 5000);
    await store.settleSubmission(id, { status: 'waiting', error: 'refused', nextMs: 7000, atMs: 4500 });
    const [waiting] = await store.listEscalations(world.accountId, { limit: 1 });
    const early = await store.leaseSubmissions(9, 6999, 9000);
    const due = await store.leaseSubmissions(9, 7000, 9000);
    await store.settleSubmission(id, { status: 'submitted', atMs: 7500 });
    await store.settleSubmission(id, { status: 'waiting', nextMs: 0, atMs: 7600 });
    const [submitted] = await store.listEscalations(world.accountId, { limit: 1 });
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
    assert.deepEqual(await store.leaseSubmissions(9, 99_000, 99_001), []);
  });
}
