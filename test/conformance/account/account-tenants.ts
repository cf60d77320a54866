/** The part of the account store's suite about what separates accounts: names, numbers of users, channels, withdrawn APIs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { author, newUser, type OpenAccountStore, twoProducts } from '../new-user.ts';

export function accountTenantsConformance(open: OpenAccountStore): void {
  names(open);
  channels(open);
  withdrawal(open);
}

function names(open: OpenAccountStore): void {
  test('a username that differs from another by case alone is refused as already-exists', async (t) => {
    const store = open(t)();
    const first = await store.createUser(newUser('CaseUser', { account: 'acme' }), [], author);
    for (const username of ['caseuser', 'CASEUSER', 'CaseUser']) {
      await assert.rejects(store.createUser(newUser(username, { account: 'other' }), [], author), {
        code: 'already-exists',
      });
      assert.deepEqual(await store.findByUsername(username), username === 'CaseUser' ? first : undefined);
    }
    assert.equal(await store.findAccount('other'), undefined);
    await store.removeUser('CaseUser', author);
    const { user } = await store.createUser(newUser('caseuser', { account: 'acme' }), [], author);
    assert.equal(user.username, 'caseuser');
  });

  test('a new account whose name differs from another by case alone is refused as already-exists', async (t) => {
    const store = open(t)();
    await store.createUser(newUser('ada', { account: 'Acme' }), [], author);
    await assert.rejects(store.createUser(newUser('bob', { account: 'acme' }), [], author), {
      code: 'already-exists',
      message: 'there is an account Acme; acme differs by case alone',
    });
    assert.equal(await store.findByUsername('bob'), undefined);
  });

  test('an account has at most usersMax users, also with concurrent requests to two processes', async (t) => {
    const handle = open(t);
    const [one, other] = [handle(), handle()];
    const create = (index: number) =>
      (index % 2 ? one : other).createUser(
        newUser(`user${index}`, { account: 'acme', usersMax: 5 }),
        [],
        author,
      );
    const results = await Promise.allSettled(Array.from({ length: 9 }, (_, index) => create(index)));
    const refused = results.filter(({ status }) => status === 'rejected');
    assert.equal(refused.length, 4);
    await assert.rejects(create(10), { code: 'permission-denied', message: /has 5 users/ });
    assert.equal((await one.listUsers({ limit: 99 })).length, 5);
    await one.createUser(newUser('elsewhere', { usersMax: 5 }), [], author);
  });
}

function channels(open: OpenAccountStore): void {
  test('a channel has one owner, and every process sees it with the next lookup', async (t) => {
    const handle = open(t);
    const [one, other] = [handle(), handle()];
    const [ada, bob] = [newUser('ada'), newUser('bob')];
    for (const user of [ada, bob]) await one.createUser(user, [], author);
    const own = async (key: string) => {
      await yieldToEventLoop();
      return (await other.findByKey(key))?.account.ownChannels;
    };
    assert.deepEqual([await own(ada.apiKey), await own(bob.apiKey)], [undefined, undefined]);
    assert.deepEqual((await one.ownChannels('ada', [43, 42], author)).ownChannels, [42, 43]);
    assert.deepEqual([await own(ada.apiKey), await own(bob.apiKey)], [[42, 43], undefined]);
    await one.ownChannels('bob', [43], author);
    assert.deepEqual([await own(ada.apiKey), await own(bob.apiKey)], [[42], [43]]);
    assert.deepEqual(
      [...(await other.channelOwners())],
      [
        [42, 'ada'],
        [43, 'bob'],
      ],
    );
    await one.disownChannels('ada', [42, 43], author);
    assert.deepEqual([...(await other.channelOwners())], [[43, 'bob']]);
    await assert.rejects(one.ownChannels('nobody', [1], author), { code: 'not-found' });
    await assert.rejects(one.disownChannels('nobody', [1], author), { code: 'not-found' });
  });

  test('giving and taking channels is audited', async (t) => {
    const store = open(t)();
    await store.createUser(newUser('ada'), [], author);
    await store.ownChannels('ada', [42], author);
    await store.disownChannels('ada', [42], author);
    const [last, before] = await store.listAudit({ account: 'ada', limit: 2 });
    assert.deepEqual([before?.action, before?.detail], ['channel.own', { channels: [42] }]);
    assert.deepEqual([last?.action, last?.detail], ['channel.disown', { channels: [42] }]);
    assert.equal((await store.checkAudit()).brokenAt, undefined);
  });
}

function withdrawal(open: OpenAccountStore): void {
  test('APIs with keys of their own are withdrawn and given back by name', async (t) => {
    const store = open(t)();
    await store.createUser(newUser('ada'), twoProducts, author);
    assert.deepEqual((await store.withdraw('ada', ['pdns'], author)).withdrawn, ['pdns']);
    const { products, withdrawn } = await store.withdraw('ada', ['batch', 'pdns', 'intel-enrich'], author);
    assert.deepEqual([products.length, [...(withdrawn ?? [])].sort()], [1, ['batch', 'pdns']]);
    assert.deepEqual((await store.restoreApis('ada', ['batch'], author)).withdrawn, ['pdns']);
    assert.equal((await store.restoreApis('ada', ['pdns'], author)).withdrawn, undefined);
    await assert.rejects(store.restoreApis('nobody', ['pdns'], author), { code: 'not-found' });
  });

  test('with the last product every API is withdrawn, and what is given back later stays', async (t) => {
    const store = open(t)();
    await store.createUser(newUser('ada'), twoProducts, author);
    assert.equal((await store.withdraw('ada', ['intel-enrich'], author)).withdrawn, undefined);
    const closed = await store.withdraw('ada', ['account-information'], author);
    assert.deepEqual([...(closed.withdrawn ?? [])].sort(), ['batch', 'pdns']);
    await store.restoreApis('ada', ['pdns', 'batch'], author);
    assert.deepEqual((await store.withdraw('ada', ['batch'], author)).withdrawn, ['batch']);
  });
}
