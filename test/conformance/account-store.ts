/**
 * What every account store must do. Two handles on the same data stand for two processes; the event loop always runs between a change on
 * one and a lookup on the other, as it does between requests to two processes.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { keyDigest } from '../../src/model/account/api-key.ts';
import type { AccountStore, NewUser } from '../../src/store/account-store.ts';
import { canaryBatchKey, canaryKey } from '../harness/artifacts.ts';
import { accountAuditConformance } from './account/account-audit.ts';
import { accountChangesConformance } from './account/account-changes.ts';
import { accountTenantsConformance } from './account/account-tenants.ts';
import { auditRangesConformance } from './account/audit-ranges.ts';
import { keyRestrictionsConformance } from './account/key-restrictions.ts';
import { author, newUser, type OpenAccountStore, twoProducts } from './new-user.ts';

export function accountStoreConformance(name: string, open: OpenAccountStore): void {
  describe(`${name} as an account store`, () => {
    creation(open);
    finding(open);
    listing(open);
    accountChangesConformance(open);
    accountTenantsConformance(open);
    accountAuditConformance(open);
    auditRangesConformance(open);
    keyRestrictionsConformance(open);

    test('changes survive a restart', async (t) => {
      const handle = open(t);
      const [first, user] = [handle(), newUser('ada')];
      const made = await first.createUser(user, twoProducts, author);
      await first.close();
      assert.deepEqual(await handle().findByKey(user.apiKey), made);
    });
  });
}

function creation(open: OpenAccountStore): void {
  test('a created user has exactly the requested properties', async (t) => {
    const store = open(t)();
    const pdns = {
      quota: { type: 'time', limit: 5, period: 'month' },
      burst: { size: 2, windowSeconds: 10 },
      offsetMax: 'none',
      allowedAddresses: ['192.0.2.0/24'],
      apiVersions: [2],
    } as const;
    const user = newUser('ada', {
      account: 'acme',
      permissions: ['read', 'manage'],
      keyExpiresMs: author.atMs + 1000,
      batch: { key: canaryBatchKey(), channels: [204, 212] },
      pdns,
    });
    const caller = await store.createUser(user, twoProducts, author);
    assert.deepEqual(caller, {
      user: {
        id: caller.user.id,
        username: 'ada',
        permissions: ['read', 'manage'],
        apiOwner: true,
        createdMs: author.atMs,
        keyExpiresMs: author.atMs + 1000,
        createdBy: 'operator',
        hasBatchKey: true,
        channels: [204, 212],
        pdns,
      },
      account: {
        id: caller.account.id,
        name: 'acme',
        active: true,
        products: [{ product: 'account-information' }, { product: 'intel-enrich' }],
      },
    });
    assert.match(caller.user.id, /^[A-Za-z0-9]{10}$/);
  });

  test('a user created without batch key, expiry and passive DNS has none of them', async (t) => {
    const { user } = await open(t)().createUser(newUser('ada'), [], author);
    assert.deepEqual(
      [user.hasBatchKey, user.channels, 'keyExpiresMs' in user, 'pdns' in user],
      [false, [], false, false],
    );
  });

  test('the first user of an account is its API owner, and no other is', async (t) => {
    const store = open(t)();
    const first = await store.createUser(newUser('ada', { account: 'acme' }), [], author);
    const second = await store.createUser(newUser('bob', { account: 'acme' }), [], author);
    assert.deepEqual([first.user.apiOwner, second.user.apiOwner], [true, false]);
    assert.equal(second.account.id, first.account.id);
  });

  test('a user who joins an account does not change its products', async (t) => {
    const store = open(t)();
    await store.createUser(newUser('ada', { account: 'acme' }), twoProducts, author);
    const joined = await store.createUser(newUser('bob', { account: 'acme' }), ['intel-investigate'], author);
    assert.deepEqual(
      joined.account.products.map(({ product }) => product),
      twoProducts,
    );
  });

  const batch = { key: canaryBatchKey(), channels: 'all' as const };
  const taken = newUser('ada', { batch });
  const clashes: Record<string, Partial<NewUser>> = {
    'a taken username': { username: 'ada' },
    'a taken API key': { apiKey: taken.apiKey },
    'a taken batch key': { batch },
    'a taken batch key in capitals': { batch: { ...batch, key: batch.key.toUpperCase() } },
  };
  for (const [what, clash] of Object.entries(clashes)) {
    test(`${what} is refused as already-exists and leaves neither user, account nor audit entry`, async (t) => {
      const store = open(t)();
      await store.createUser(taken, [], author);
      const audit = await store.listAudit({ limit: 10 });
      const user = newUser('bob', { account: 'other', ...clash });
      await assert.rejects(store.createUser(user, [], author), { name: 'Problem', code: 'already-exists' });
      assert.equal(await store.findByUsername('bob'), undefined);
      assert.equal(await store.findAccount('other'), undefined);
      assert.deepEqual(await store.listAudit({ limit: 10 }), audit);
    });
  }

  test('of two processes that create the same user concurrently exactly one succeeds', async (t) => {
    const handle = open(t);
    const [one, other] = [handle(), handle()];
    const users = [newUser('ada'), newUser('ada')] as const;
    const results = await Promise.allSettled([
      one.createUser(users[0], [], author),
      other.createUser(users[1], [], author),
    ]);
    assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    const refused = results.find((result) => result.status === 'rejected');
    assert.equal(refused?.reason.code, 'already-exists');
    assert.equal((await one.listUsers({ limit: 10 })).length, 1);
  });

  test('an account that two processes create concurrently is one account with one API owner', async (t) => {
    const handle = open(t);
    const [one, other] = [handle(), handle()];
    const made = await Promise.all([
      one.createUser(newUser('ada', { account: 'acme' }), [], author),
      other.createUser(newUser('bob', { account: 'acme' }), [], author),
    ]);
    assert.equal(made[0].account.id, made[1].account.id);
    assert.equal(made.filter(({ user }) => user.apiOwner).length, 1);
  });
}

function finding(open: OpenAccountStore): void {
  test('the holder of an API key is found only by the exact key', async (t) => {
    const store = open(t)();
    const [user, batchKey] = [newUser('ada'), canaryBatchKey()];
    const made = await store.createUser({ ...user, batch: { key: batchKey, channels: 'all' } }, [], author);
    assert.deepEqual(await store.findByKey(user.apiKey), made);
    for (const wrong of [keyDigest(user.apiKey), canaryKey(), batchKey, user.apiKey.toUpperCase(), '']) {
      assert.equal(await store.findByKey(wrong), undefined);
    }
  });

  test('the holder of a batch key is found only by that key', async (t) => {
    const store = open(t)();
    const [user, batchKey] = [newUser('ada'), canaryBatchKey()];
    const made = await store.createUser({ ...user, batch: { key: batchKey, channels: 'all' } }, [], author);
    assert.deepEqual(await store.findByBatchKey(batchKey), made);
    for (const wrong of [keyDigest(batchKey), canaryBatchKey(), user.apiKey, '']) {
      assert.equal(await store.findByBatchKey(wrong), undefined);
    }
  });

  test('a user is found by the exact username', async (t) => {
    const store = open(t)();
    const made = await store.createUser(newUser('ada'), [], author);
    assert.deepEqual(await store.findByUsername('ada'), made);
    for (const wrong of ['Ada', 'ad', 'ada ', '']) assert.equal(await store.findByUsername(wrong), undefined);
  });

  test("the signing key is the user's plaintext key", async (t) => {
    const store = open(t)();
    const [ada, bob] = [newUser('ada'), newUser('bob')];
    for (const user of [ada, bob]) await store.createUser(user, [], author);
    assert.equal(await store.findSigningKey('ada'), ada.apiKey);
    assert.equal(await store.findSigningKey('bob'), bob.apiKey);
    assert.equal(await store.findSigningKey('eve'), undefined);
  });

  test('an account is found by the exact name', async (t) => {
    const store = open(t)();
    const { account } = await store.createUser(newUser('ada', { account: 'acme' }), twoProducts, author);
    assert.deepEqual(await store.findAccount('acme'), account);
    assert.equal(await store.findAccount('Acme'), undefined);
  });

  test('a user that another process creates is found by the next lookup, even after a failed one', async (t) => {
    const handle = open(t);
    const [one, other, user] = [handle(), handle(), newUser('ada')];
    assert.equal(await other.findByKey(user.apiKey), undefined);
    const made = await one.createUser(user, [], author);
    await yieldToEventLoop();
    assert.deepEqual(await other.findByKey(user.apiKey), made);
  });
}

function listing(open: OpenAccountStore): void {
  const usernames = ['zoe', 'ada', 'bob', 'Zed', 'a.b', 'a-b'];
  const inOrder = ['Zed', 'a-b', 'a.b', 'ada', 'bob', 'zoe'];

  async function fill(store: AccountStore): Promise<string> {
    const others = await Promise.all(
      usernames.map((name) => store.createUser(newUser(name, { account: 'acme' }), [], author)),
    );
    await store.createUser(newUser('m', { account: 'other' }), [], author);
    return others[0]?.account.id ?? '';
  }

  test('users of one account are listed in order of username', async (t) => {
    const store = open(t)();
    const listed = await store.listUsers({ accountId: await fill(store), limit: 100 });
    assert.deepEqual(
      listed.map(({ user }) => user.username),
      inOrder,
    );
  });

  test('without an account the users of all accounts are listed', async (t) => {
    const store = open(t)();
    await fill(store);
    const listed = await store.listUsers({ limit: 100 });
    assert.deepEqual(
      listed.map(({ user }) => user.username),
      ['Zed', 'a-b', 'a.b', 'ada', 'bob', 'm', 'zoe'],
    );
  });

  test('an unknown account has no users', async (t) => {
    const store = open(t)();
    await fill(store);
    assert.deepEqual(await store.listUsers({ accountId: 'nothing', limit: 100 }), []);
  });

  for (const limit of [1, 2, 3, 6, 7]) {
    test(`pages of ${limit} show every user once and never more than ${limit}`, async (t) => {
      const store = open(t)();
      const accountId = await fill(store);
      const seen: string[] = [];
      for (let after = ''; ; after = seen.at(-1) ?? '') {
        const page = await store.listUsers({ accountId, after, limit });
        assert.ok(page.length <= limit);
        if (page.length === 0) break;
        seen.push(...page.map(({ user }) => user.username));
      }
      assert.deepEqual(seen, inOrder);
    });
  }

  test('a listed user is the same as the one found by name', async (t) => {
    const store = open(t)();
    await store.createUser(newUser('ada'), twoProducts, author);
    assert.deepEqual(await store.listUsers({ limit: 1 }), [await store.findByUsername('ada')]);
  });
}
