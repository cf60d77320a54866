/** The part of the account store's suite about the audit log. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyDigest } from '../../../src/model/account/api-key.ts';
import type { AccountStore } from '../../../src/store/account-store.ts';
import { canaryBatchKey, canaryKey } from '../../harness/artifacts.ts';
import { newUser, type OpenAccountStore, twoProducts } from '../new-user.ts';

const by = (actor: string, atMs: number) => ({ actor, atMs });

export function accountAuditConformance(open: OpenAccountStore): void {
  test('every change writes an audit entry with actor, time, action and target', async (t) => {
    const store = open(t)();
    await store.createUser(newUser('ada', { account: 'acme' }), twoProducts, by('operator', 1));
    await store.createUser(newUser('bob', { account: 'acme', permissions: ['triage'] }), [], by('ada', 2));
    await store.resetKey('bob', canaryKey(), by('ada', 3));
    await store.provision('acme', [{ product: 'intel-enrich', perMinute: 7 }], by('operator', 4));
    await store.withdraw('acme', ['intel-enrich'], by('operator', 5));
    await store.setAccountActive('acme', false, by('operator', 6));
    await store.setAccountActive('acme', true, by('operator', 7));
    await store.updateUser('bob', { permissions: ['read'], batchKey: canaryBatchKey() }, by('operator', 8));
    await store.removeUser('bob', by('operator', 9));
    const entries = await store.listAudit({ limit: 100 });
    const of = (actor: string, atMs: number) => ({ actor, atMs, account: 'acme' });
    assert.deepEqual(
      entries.toReversed(),
      [
        { ...of('operator', 1), action: 'account.create', detail: { products: twoProducts } },
        {
          ...of('operator', 1),
          action: 'user.create',
          username: 'ada',
          detail: { permissions: ['read'], channels: [], pdns: null },
        },
        {
          ...of('ada', 2),
          action: 'user.create',
          username: 'bob',
          detail: { permissions: ['triage'], channels: [], pdns: null },
        },
        { ...of('ada', 3), action: 'key.reset', username: 'bob', detail: {} },
        {
          ...of('operator', 4),
          action: 'product.provision',
          detail: { product: 'intel-enrich', perMinute: 7 },
        },
        { ...of('operator', 5), action: 'product.withdraw', detail: { product: 'intel-enrich' } },
        { ...of('operator', 6), action: 'account.disable', detail: {} },
        { ...of('operator', 7), action: 'account.enable', detail: {} },
        {
          ...of('operator', 8),
          action: 'user.update',
          username: 'bob',
          detail: { permissions: ['read'], batchKey: 'replaced' },
        },
        { ...of('operator', 9), action: 'user.remove', username: 'bob', detail: {} },
      ].map((entry, index) => ({ number: index + 1, ...entry })),
    );
  });

  test('each of several products in one change has a separate entry', async (t) => {
    const store = open(t)();
    await store.createUser(newUser('ada'), [], by('operator', 1));
    await store.provision('ada', [{ product: 'intel-enrich' }, { product: 'intel-investigate' }], by('x', 2));
    const entries = await store.listAudit({ limit: 2 });
    assert.deepEqual(
      entries.map(({ detail }) => detail['product']),
      ['intel-investigate', 'intel-enrich'],
    );
  });

  test('the audit log contains no key and no digest of a key', async (t) => {
    const store = open(t)();
    const [key, next, batchKey, nextBatchKey] = [
      canaryKey(),
      canaryKey(),
      canaryBatchKey(),
      canaryBatchKey(),
    ];
    const batch = { key: batchKey, channels: 'all' } as const;
    await store.createUser(newUser('ada', { apiKey: key, batch }), twoProducts, by('operator', 1));
    await store.resetKey('ada', next, by('operator', 2));
    await store.updateUser('ada', { batchKey: nextBatchKey }, by('operator', 3));
    const log = JSON.stringify(await store.listAudit({ limit: 10 }));
    for (const secret of [key, next, batchKey, nextBatchKey]) {
      assert.ok(!log.includes(secret));
      assert.ok(!log.includes(keyDigest(secret)));
    }
    assert.ok(log.includes('key.reset'));
  });

  test('entries are numbered from 1 without a gap, in the order of the changes', async (t) => {
    const store = await filled(open(t)());
    const entries = await store.listAudit({ limit: 100 });
    assert.deepEqual(
      entries.map(({ number }) => number),
      [7, 6, 5, 4, 3, 2, 1],
    );
  });

  test('at most `limit` entries are listed, the newest ones before `before`', async (t) => {
    const store = await filled(open(t)());
    const numbers = async (range: { before?: number; limit: number }) =>
      (await store.listAudit(range)).map(({ number }) => number);
    assert.deepEqual(await numbers({ limit: 3 }), [7, 6, 5]);
    assert.deepEqual(await numbers({ before: 5, limit: 3 }), [4, 3, 2]);
    assert.deepEqual(await numbers({ before: 2, limit: 3 }), [1]);
    assert.deepEqual(await numbers({ before: 1, limit: 3 }), []);
  });

  test('the entries of one account are listed without those of others', async (t) => {
    const store = await filled(open(t)());
    const entries = await store.listAudit({ account: 'bob', before: 7, limit: 2 });
    assert.deepEqual(
      entries.map(({ number, account }) => [number, account]),
      [
        [6, 'bob'],
        [4, 'bob'],
      ],
    );
    assert.deepEqual(await store.listAudit({ account: 'nobody', limit: 2 }), []);
  });

  test('an empty audit log has no break', async (t) => {
    const store = open(t)();
    assert.deepEqual(await store.listAudit({ limit: 1 }), []);
    assert.equal((await store.checkAudit()).brokenAt, undefined);
  });

  test('the audit chain is intact after concurrent changes by two processes', async (t) => {
    const handle = open(t);
    const [one, other] = [handle(), handle()];
    const names = Array.from({ length: 20 }, (_, index) => `user${index}`);
    await Promise.all(
      names.map((name, index) =>
        (index % 2 === 0 ? one : other).createUser(newUser(name), [], by('operator', index)),
      ),
    );
    assert.equal((await one.checkAudit()).brokenAt, undefined);
    assert.equal((await other.checkAudit()).brokenAt, undefined);
    const numbers = (await one.listAudit({ limit: 100 })).map(({ number }) => number);
    assert.deepEqual(
      numbers,
      Array.from({ length: 40 }, (_, index) => 40 - index),
    );
  });
}

/** Entries 1 and 2 are of ada, 3 and 4 of bob, then 5, 6 and 7 of ada, bob and ada. */
async function filled(store: AccountStore): Promise<AccountStore> {
  await store.createUser(newUser('ada'), [], by('operator', 1));
  await store.createUser(newUser('bob'), [], by('operator', 2));
  await store.setAccountActive('ada', false, by('operator', 3));
  await store.setAccountActive('bob', false, by('operator', 4));
  await store.setAccountActive('ada', true, by('operator', 5));
  return store;
}
