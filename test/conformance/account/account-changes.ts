/** The part of the account store's suite about changes of keys, products and accounts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { User } from '../../../src/model/account/account.ts';
import type { AccountStore, UserChange } from '../../../src/store/account-store.ts';
import { canaryBatchKey, canaryKey } from '../../harness/artifacts.ts';
import { author, newUser, type OpenAccountStore, twoProducts } from '../new-user.ts';

export function accountChangesConformance(open: OpenAccountStore): void {
  resetting(open);
  updating(open);
  removing(open);
  provisioning(open);
}

function resetting(open: OpenAccountStore): void {
  test('after a reset the new key is found and signs, and the old one does neither', async (t) => {
    const store = open(t)();
    const [user, newKey] = [newUser('ada'), canaryKey()];
    await store.createUser(user, [], author);
    await store.resetKey('ada', newKey, author);
    assert.equal((await store.findByKey(newKey))?.user.username, 'ada');
    assert.equal(await store.findByKey(user.apiKey), undefined);
    assert.equal(await store.findSigningKey('ada'), newKey);
  });

  test('a reset on one handle takes effect at the next lookup on another that had the old key cached', async (t) => {
    const handle = open(t);
    const [one, other, user, newKey] = [handle(), handle(), newUser('ada'), canaryKey()];
    await one.createUser(user, [], author);
    await yieldToEventLoop();
    assert.equal((await other.findByKey(user.apiKey))?.user.username, 'ada');
    assert.equal(await other.findSigningKey('ada'), user.apiKey);
    await one.resetKey('ada', newKey, author);
    await yieldToEventLoop();
    assert.equal(await other.findByKey(user.apiKey), undefined);
    assert.equal(await other.findSigningKey('ada'), newKey);
  });

  test('a key that replaces an expired one does not expire', async (t) => {
    const store = open(t)();
    await store.createUser(newUser('ada', { keyExpiresMs: author.atMs }), [], author);
    assert.equal((await store.resetKey('ada', canaryKey(), author)).keyExpiresMs, undefined);
  });

  test('a key that replaces one with an expiry in the future keeps the expiry', async (t) => {
    const store = open(t)();
    await store.createUser(newUser('ada', { keyExpiresMs: author.atMs + 1 }), [], author);
    assert.equal((await store.resetKey('ada', canaryKey(), author)).keyExpiresMs, author.atMs + 1);
  });

  test('a reset changes only the key of the user', async (t) => {
    const store = open(t)();
    const batch = { key: canaryBatchKey(), channels: [204] };
    const made = await store.createUser(newUser('ada', { batch }), twoProducts, author);
    assert.deepEqual(await store.resetKey('ada', canaryKey(), { ...author, atMs: 5 }), made.user);
    assert.deepEqual(await store.findByBatchKey(batch.key), made);
  });

  test('a reset of an unknown user is refused as not-found', async (t) => {
    const store = open(t)();
    await assert.rejects(store.resetKey('eve', canaryKey(), author), { name: 'Problem', code: 'not-found' });
    assert.deepEqual(await store.listAudit({ limit: 1 }), []);
  });

  test("a reset to another user's key is refused and leaves both keys unchanged", async (t) => {
    const store = open(t)();
    const [ada, bob] = [newUser('ada'), newUser('bob')];
    for (const user of [ada, bob]) await store.createUser(user, [], author);
    await assert.rejects(store.resetKey('ada', bob.apiKey, author));
    assert.equal((await store.findByKey(ada.apiKey))?.user.username, 'ada');
    assert.equal((await store.findByKey(bob.apiKey))?.user.username, 'bob');
    assert.equal(await store.findSigningKey('ada'), ada.apiKey);
  });
}

function updating(open: OpenAccountStore): void {
  const pdns = { quota: { type: 'unlimited' }, allowedAddresses: [], apiVersions: [1] } as const;
  const full = () =>
    newUser('ada', {
      keyExpiresMs: author.atMs + 1,
      batch: { key: canaryBatchKey(), channels: [204] },
      pdns,
    });

  const changes: readonly (readonly [UserChange, Partial<User>])[] = [
    [{ permissions: ['admin'] }, { permissions: ['admin'] }],
    [{ keyExpiresMs: 5 }, { keyExpiresMs: 5 }],
    [{ channels: 'all' }, { channels: 'all' }],
    [{ pdns: { ...pdns, apiVersions: [2] } }, { pdns: { ...pdns, apiVersions: [2] } }],
    [{ batchKey: null }, { hasBatchKey: false }],
    [{}, {}],
  ];
  for (const [change, effect] of changes) {
    test(`the change ${JSON.stringify(change)} of a user changes that and nothing else`, async (t) => {
      const handle = open(t);
      const [one, other, user] = [handle(), handle(), full()];
      const before = await one.createUser(user, twoProducts, author);
      await yieldToEventLoop();
      await other.findByKey(user.apiKey);
      const after = await one.updateUser('ada', change, author);
      assert.deepEqual(after, { ...before, user: { ...before.user, ...effect } });
      await yieldToEventLoop();
      assert.deepEqual(await other.findByKey(user.apiKey), after);
    });
  }

  test('null removes the expiry and passive DNS', async (t) => {
    const store = open(t)();
    await store.createUser(full(), [], author);
    const { user } = await store.updateUser('ada', { keyExpiresMs: null, pdns: null }, author);
    assert.deepEqual(['keyExpiresMs' in user, 'pdns' in user], [false, false]);
  });

  test('after a change of the batch key the new one is found and the old one is not', async (t) => {
    const store = open(t)();
    const [user, next] = [full(), canaryBatchKey()];
    await store.createUser(user, [], author);
    await store.updateUser('ada', { batchKey: next.toUpperCase() }, author);
    assert.equal((await store.findByBatchKey(next))?.user.username, 'ada');
    assert.equal(await store.findByBatchKey(user.batch?.key ?? ''), undefined);
    await store.updateUser('ada', { batchKey: null }, author);
    assert.equal(await store.findByBatchKey(next), undefined);
  });

  test('a new API owner replaces the previous one', async (t) => {
    const store = open(t)();
    for (const name of ['ada', 'bob']) await store.createUser(newUser(name, { account: 'x' }), [], author);
    await store.createUser(newUser('eve'), [], author);
    await store.updateUser('bob', { apiOwner: true }, author);
    const users = (await store.listUsers({ limit: 10 })).map(({ user }) => [user.username, user.apiOwner]);
    assert.deepEqual(Object.fromEntries(users), { ada: false, bob: true, eve: true });
  });

  test("another user's batch key is refused as already-exists, and nothing changes", async (t) => {
    const store = open(t)();
    const [ada, bob] = [full(), { ...full(), username: 'bob' }];
    for (const user of [ada, bob]) await store.createUser(user, [], author);
    const before = [await store.findByUsername('bob'), await store.listAudit({ limit: 10 })];
    const change = { batchKey: ada.batch?.key, permissions: ['admin'] } as const;
    await assert.rejects(store.updateUser('bob', change, author), { code: 'already-exists' });
    assert.deepEqual([await store.findByUsername('bob'), await store.listAudit({ limit: 10 })], before);
  });

  test('a change of an unknown user is refused as not-found', async (t) => {
    const store = open(t)();
    await assert.rejects(store.updateUser('eve', {}, author), { name: 'Problem', code: 'not-found' });
    assert.deepEqual(await store.listAudit({ limit: 1 }), []);
  });
}

function removing(open: OpenAccountStore): void {
  test("a removed user's keys are invalid, even on a handle that had them cached", async (t) => {
    const handle = open(t);
    const [one, other, batchKey] = [handle(), handle(), canaryBatchKey()];
    const user = newUser('bob', { account: 'acme', batch: { key: batchKey, channels: 'all' } });
    await one.createUser(newUser('ada', { account: 'acme' }), [], author);
    await one.createUser(user, [], author);
    await yieldToEventLoop();
    assert.equal(await other.findSigningKey('bob'), user.apiKey);
    await one.removeUser('bob', author);
    for (const store of [one, other]) {
      await yieldToEventLoop();
      assert.equal(await store.findByKey(user.apiKey), undefined);
      assert.equal(await store.findByBatchKey(batchKey), undefined);
      assert.equal(await store.findByUsername('bob'), undefined);
      assert.equal(await store.findSigningKey('bob'), undefined);
    }
    assert.equal((await one.findByUsername('ada'))?.account.name, 'acme');
  });

  test('an API owner is not removed while the account has other users', async (t) => {
    const store = open(t)();
    for (const name of ['ada', 'bob']) await store.createUser(newUser(name, { account: 'x' }), [], author);
    await assert.rejects(store.removeUser('ada', author), { name: 'Problem', code: 'permission-denied' });
    assert.equal((await store.findByUsername('ada'))?.user.apiOwner, true);
    await store.removeUser('bob', author);
    await store.removeUser('ada', author);
    assert.deepEqual(await store.listUsers({ limit: 10 }), []);
  });

  test('after the last user of an account was removed, the next one becomes its API owner and has its products', async (t) => {
    const store = open(t)();
    const { account } = await store.createUser(newUser('ada', { account: 'acme' }), twoProducts, author);
    await store.removeUser('ada', author);
    const next = await store.createUser(newUser('bob', { account: 'acme' }), [], author);
    assert.deepEqual([next.user.apiOwner, next.account], [true, account]);
  });

  test('a reused username is a new user, with nothing of the removed one', async (t) => {
    const store = open(t)();
    const batch = { key: canaryBatchKey(), channels: 'all' } as const;
    const first = await store.createUser(newUser('ada', { permissions: ['admin'], batch }), [], author);
    await store.removeUser('ada', author);
    const second = await store.createUser(newUser('ada'), [], author);
    assert.notEqual(second.user.id, first.user.id);
    assert.deepEqual([second.user.permissions, second.user.hasBatchKey], [['read'], false]);
  });

  test('the removal of an unknown user is refused as not-found', async (t) => {
    const store = open(t)();
    await assert.rejects(store.removeUser('eve', author), { name: 'Problem', code: 'not-found' });
    assert.deepEqual(await store.listAudit({ limit: 1 }), []);
  });
}

function provisioning(open: OpenAccountStore): void {
  test('a provisioned product has the given limits, and the others keep theirs', async (t) => {
    const store = open(t)();
    await store.createUser(newUser('ada'), ['account-information'], author);
    const grant = {
      product: 'intel-enrich',
      perMinute: 1,
      perHour: 2,
      perMonth: 3,
      absolute: 4,
      expirationDate: '2026-12-31',
    } as const;
    const account = await store.provision('ada', [grant], author);
    assert.deepEqual(account.products, [{ product: 'account-information' }, grant]);
  });

  test('provisioning a product again replaces all of its limits', async (t) => {
    const store = open(t)();
    await store.createUser(newUser('ada'), [], author);
    await store.provision('ada', [{ product: 'intel-enrich', perMinute: 1, absolute: 4 }], author);
    const account = await store.provision('ada', [{ product: 'intel-enrich', perHour: 0 }], author);
    assert.deepEqual(account.products, [{ product: 'intel-enrich', perHour: 0 }]);
  });

  test('withdrawing removes exactly the named products', async (t) => {
    const store = open(t)();
    await store.createUser(newUser('ada'), [...twoProducts, 'intel-investigate'], author);
    const account = await store.withdraw('ada', ['intel-enrich', 'intel-detect-monitors'], author);
    assert.deepEqual(
      account.products.map(({ product }) => product),
      ['account-information', 'intel-investigate'],
    );
  });

  test('an account can be deactivated and reactivated', async (t) => {
    const store = open(t)();
    await store.createUser(newUser('ada'), [], author);
    assert.equal((await store.setAccountActive('ada', false, author)).active, false);
    assert.equal((await store.findByUsername('ada'))?.account.active, false);
    assert.equal((await store.setAccountActive('ada', true, author)).active, true);
    assert.equal((await store.findByUsername('ada'))?.account.active, true);
  });

  const changes = {
    provision: (store: AccountStore, account: string) =>
      store.provision(account, [{ product: 'intel-investigate' }], author),
    withdraw: (store: AccountStore, account: string) => store.withdraw(account, ['intel-enrich'], author),
    setAccountActive: (store: AccountStore, account: string) =>
      store.setAccountActive(account, false, author),
  };
  for (const [name, change] of Object.entries(changes)) {
    test(`${name} changes one account only, and another process sees it at its next lookup`, async (t) => {
      const handle = open(t);
      const [one, other] = [handle(), handle()];
      const ada = newUser('ada');
      await one.createUser(ada, twoProducts, author);
      const bob = await one.createUser(newUser('bob'), twoProducts, author);
      await yieldToEventLoop();
      await other.findByKey(ada.apiKey);
      const account = await change(one, 'ada');
      await yieldToEventLoop();
      assert.deepEqual((await other.findByKey(ada.apiKey))?.account, account);
      assert.deepEqual(await other.findByUsername('bob'), bob);
    });

    test(`${name} of an unknown account is refused as not-found`, async (t) => {
      const store = open(t)();
      await assert.rejects(change(store, 'nobody'), { name: 'Problem', code: 'not-found' });
      assert.equal(await store.findAccount('nobody'), undefined);
      assert.deepEqual(await store.listAudit({ limit: 1 }), []);
    });
  }
}
