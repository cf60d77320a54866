/** The part of the account store's suite about what restricts keys, and who made them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { canaryKey } from '../../harness/artifacts.ts';
import { author, newUser, type OpenAccountStore } from '../new-user.ts';

const quota = { type: 'time', limit: 5, period: 86_400 } as const;
const pdns = { quota, allowedAddresses: [], apiVersions: [2] } as const;

export function keyRestrictionsConformance(open: OpenAccountStore): void {
  addresses(open);
  sharedPdns(open);
  prefixes(open);
}

function addresses(open: OpenAccountStore): void {
  test('a user has the addresses and products of the request, and who created it', async (t) => {
    const handle = open(t);
    const more = { keyAddresses: ['192.0.2.0/24'], products: ['intel-enrich'] } as const;
    const { user } = await handle().createUser(newUser('ada', more), [], { ...author, actor: 'eve' });
    assert.deepEqual(
      [user.keyAddresses, user.products, user.createdBy],
      [['192.0.2.0/24'], ['intel-enrich'], 'eve'],
    );
    assert.deepEqual((await handle().findByUsername('ada'))?.user, user);
  });

  test('addresses and products change, and an empty list or null removes them', async (t) => {
    const store = open(t)();
    await store.createUser(newUser('ada'), [], author);
    const change = { keyAddresses: ['::1'], products: ['intel-enrich'] } as const;
    const { user } = await store.updateUser('ada', change, author);
    assert.deepEqual([user.keyAddresses, user.products], [['::1'], ['intel-enrich']]);
    const { user: free } = await store.updateUser('ada', { keyAddresses: [], products: null }, author);
    assert.deepEqual(['keyAddresses' in free, 'products' in free], [false, false]);
  });

  test('a reset keeps the addresses and products of a key', async (t) => {
    const store = open(t)();
    const more = { keyAddresses: ['192.0.2.1'], products: ['intel-enrich'] } as const;
    const { user } = await store.createUser(newUser('ada', more), [], author);
    assert.deepEqual(await store.resetKey('ada', canaryKey(), author), user);
  });
}

function sharedPdns(open: OpenAccountStore): void {
  test('a user who shares a passive DNS grant has that of the other, and follows its changes', async (t) => {
    const handle = open(t);
    const [one, other] = [handle(), handle()];
    const { user: owner } = await one.createUser(newUser('ada', { account: 'acme', pdns }), [], author);
    const sharing = newUser('siem', { account: 'acme', pdnsSharedWith: 'ada' });
    const { user } = await one.createUser(sharing, [], author);
    assert.deepEqual(user.pdns, { ...pdns, countedWith: owner.id });
    await yieldToEventLoop();
    assert.deepEqual((await other.findByKey(sharing.apiKey))?.user.pdns, user.pdns);
    await one.updateUser('ada', { pdns: { ...pdns, apiVersions: [1] } }, author);
    await yieldToEventLoop();
    assert.deepEqual((await other.findByKey(sharing.apiKey))?.user.pdns?.apiVersions, [1]);
    await one.updateUser('ada', { pdns: null }, author);
    assert.equal((await one.findByUsername('siem'))?.user.pdns, undefined);
  });

  test('sharing replaces a grant, a grant replaces sharing, and null ends it', async (t) => {
    const store = open(t)();
    const { user: owner } = await store.createUser(newUser('ada', { account: 'acme', pdns }), [], author);
    await store.createUser(newUser('siem', { account: 'acme', pdns }), [], author);
    const pdnsAfter = async (change: Parameters<typeof store.updateUser>[1]) =>
      (await store.updateUser('siem', change, author)).user.pdns;
    assert.equal((await pdnsAfter({ pdnsSharedWith: 'ada' }))?.countedWith, owner.id);
    assert.deepEqual(await pdnsAfter({ pdns }), pdns);
    await pdnsAfter({ pdnsSharedWith: 'ada' });
    assert.equal(await pdnsAfter({ pdns: null }), undefined);
  });

  test('a grant is shared within an account only, and ends with the user that has it', async (t) => {
    const store = open(t)();
    await store.createUser(newUser('boss', { account: 'acme' }), [], author);
    await store.createUser(newUser('ada', { account: 'acme', pdns }), [], author);
    await assert.rejects(store.createUser(newUser('eve', { pdnsSharedWith: 'ada' }), [], author), {
      code: 'not-found',
    });
    await store.createUser(newUser('siem', { account: 'acme', pdnsSharedWith: 'ada' }), [], author);
    await store.removeUser('ada', author);
    assert.equal((await store.findByUsername('siem'))?.user.pdns, undefined);
  });
}

function prefixes(open: OpenAccountStore): void {
  test('the prefix of a key is at most a sixth of it, and only of users of the account', async (t) => {
    const store = open(t)();
    const short = 'abcdefgh';
    const { account } = await store.createUser(newUser('ada', { apiKey: short }), [], author);
    const long = newUser('bob', { account: 'ada', apiKey: `ngk_${'0123456789'.repeat(5)}` });
    await store.createUser(long, [], author);
    await store.createUser(newUser('eve'), [], author);
    assert.deepEqual(
      [...(await store.keyPrefixes(account.id))],
      [
        ['ada', 'a'],
        ['bob', 'ngk_0123'],
      ],
    );
  });
}
