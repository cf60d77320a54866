/** What every store of people must do. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { defaultPreferences } from '../../../src/model/person/preferences.ts';
import { author, newUser } from '../new-user.ts';
import { personAccessConformance } from './person-access.ts';
import { ada, type OpenPersonStores, withAccounts } from './person-fixture.ts';

const code = (expected: string) => ({ code: expected });

export function personStoreConformance(name: string, open: OpenPersonStores): void {
  describe(`${name} as a store of people`, () => {
    people(open);
    names(open);
    secrets(open);
    passkeys(open);
    personAccessConformance(open);
  });
}

function people(open: OpenPersonStores): void {
  test('a created person has exactly the requested properties', async (t) => {
    const stores = await withAccounts(open(t)());
    const { person, account, apiOwner } = await ada(stores, {
      email: 'ada@acme.example',
      permissions: ['triage'],
    });
    const { id: _, ...rest } = person;
    assert.deepEqual(rest, {
      name: 'ada',
      email: 'ada@acme.example',
      permissions: ['triage'],
      createdMs: author.atMs,
      operator: false,
      preferences: defaultPreferences,
      credentials: { hasPassword: false, hasTotp: false, passkeys: 0, identities: 0, mustSignOn: false },
    });
    assert.deepEqual([account.name, apiOwner], ['acme', false]);
  });

  test('a person is found by name in any case and by id, also after a restart', async (t) => {
    const handle = open(t);
    const made = await ada(await withAccounts(handle()));
    const other = handle();
    assert.deepEqual(await other.people.findPerson('ADA'), made);
    assert.deepEqual(await other.people.findPersonById(made.person.id), made);
    assert.equal(await other.people.findPerson('eve'), undefined);
  });

  test('people are listed in order of name, of one account or of all', async (t) => {
    const stores = await withAccounts(open(t)());
    const { account } = await ada(stores, { name: 'zoe' });
    await ada(stores);
    await ada(stores, { name: 'bob', account: 'other' });
    const namesOf = async (range: { accountId?: string }) =>
      (await stores.people.listPeople({ limit: 10, ...range })).map(({ person }) => person.name);
    assert.deepEqual(await namesOf({}), ['ada', 'bob', 'zoe']);
    assert.deepEqual(await namesOf({ accountId: account.id }), ['ada', 'zoe']);
  });

  test('a change keeps what it does not mention, and null removes', async (t) => {
    const stores = await withAccounts(open(t)());
    const { person } = await ada(stores, { email: 'ada@acme.example' });
    const changed = await stores.people.updatePerson(person.id, { permissions: ['admin'] }, author);
    assert.deepEqual(changed.person, { ...person, permissions: ['admin'] });
    const { person: bare } = await stores.people.updatePerson(person.id, { email: null }, author);
    assert.equal('email' in bare, false);
  });

  test('preferences are kept whole', async (t) => {
    const stores = await withAccounts(open(t)());
    const { person } = await ada(stores);
    const chosen = { ...defaultPreferences, theme: 'dark', guidedPivotThreshold: 20 } as const;
    assert.deepEqual((await stores.people.setPreferences(person.id, chosen)).preferences, chosen);
  });

  test('a removed person is gone, and the name is free', async (t) => {
    const stores = await withAccounts(open(t)());
    const { person } = await ada(stores);
    await stores.people.removePerson(person.id, author);
    assert.equal(await stores.people.findPerson('ada'), undefined);
    await ada(stores, { account: 'other' });
    await assert.rejects(stores.people.removePerson(person.id, author), code('not-found'));
  });

  test('every change of a person is in the audit log, without a secret', async (t) => {
    const { accounts, people: store } = await withAccounts(open(t)());
    const { person } = await ada({ people: store });
    await store.setPasswordHash(person.id, 'HASH', author);
    await store.beginTotp(person.id, 'SECRET');
    await store.confirmTotp(person.id, { step: 1, recoveryDigests: ['DIGEST'] }, author);
    await store.useRecoveryCode(person.id, 'DIGEST', author);
    await store.updatePerson(person.id, { permissions: ['admin'] }, author);
    await store.removePerson(person.id, author);
    const entries = await accounts.listAudit({ account: 'acme', limit: 6 });
    assert.deepEqual(
      entries.map(({ action }) => action),
      ['person.remove', 'person.update', 'recovery-code.use', 'totp.set', 'password.set', 'person.create'],
    );
    assert.doesNotMatch(JSON.stringify(entries), /HASH|SECRET|DIGEST/);
    assert.equal((await accounts.checkAudit()).brokenAt, undefined);
  });
}

function names(open: OpenPersonStores): void {
  test('people and API users share one name space, in any case', async (t) => {
    const stores = await withAccounts(open(t)());
    await ada(stores);
    for (const name of ['ada', 'Ada', 'KEY-OF-ACME', 'key-of-other'])
      await assert.rejects(ada(stores, { name }), code('already-exists'), name);
    for (const [username, account] of [
      ['Ada', 'acme'],
      ['ada', 'other'],
      ['ada', 'ada'],
    ] as const)
      await assert.rejects(
        stores.accounts.createUser(newUser(username, { account }), [], author),
        code('already-exists'),
        `${username} in ${account}`,
      );
  });

  test('a person and an API user of one name and account are the same one, in both orders', async (t) => {
    const stores = await withAccounts(open(t)());
    const owner = await ada(stores, { name: 'key-of-acme' });
    assert.equal(owner.apiOwner, true);
    await ada(stores);
    await stores.accounts.createUser(newUser('ada', { account: 'acme' }), [], author);
    assert.equal((await stores.people.findPerson('ada'))?.apiOwner, false);
  });

  test('an unknown account is refused, and so is one that has as many people as it may', async (t) => {
    const stores = await withAccounts(open(t)());
    await assert.rejects(ada(stores, { account: 'nobody' }), code('not-found'));
    await ada(stores, { peopleMax: 1 });
    await assert.rejects(ada(stores, { name: 'bob', peopleMax: 1 }), code('permission-denied'));
  });
}

function secrets(open: OpenPersonStores): void {
  test('a password hash is set, replaced and removed', async (t) => {
    const stores = await withAccounts(open(t)());
    const { person } = await ada(stores);
    assert.equal(await stores.people.findPasswordHash(person.id), undefined);
    await stores.people.setPasswordHash(person.id, 'one', author);
    await stores.people.setPasswordHash(person.id, 'two', author);
    assert.equal(await stores.people.findPasswordHash(person.id), 'two');
    await stores.people.setPasswordHash(person.id, null, author);
    assert.equal(await stores.people.findPasswordHash(person.id), undefined);
    await assert.rejects(stores.people.setPasswordHash('nobody', 'one', author), code('not-found'));
  });

  test('a secret of an authenticator app counts once it is confirmed, and is not replaced then', async (t) => {
    const { people: store } = await withAccounts(open(t)());
    const { person } = await ada({ people: store });
    const confirmation = { step: 7, recoveryDigests: ['a', 'b'] };
    await assert.rejects(store.confirmTotp(person.id, confirmation, author), code('conflict'));
    await store.beginTotp(person.id, 'FIRST');
    await store.beginTotp(person.id, 'SECOND');
    assert.deepEqual(await store.findTotp(person.id), { secret: 'SECOND', confirmed: false });
    assert.equal(await store.useTotpStep(person.id, 8), false);
    await store.confirmTotp(person.id, confirmation, author);
    assert.deepEqual(await store.findTotp(person.id), { secret: 'SECOND', confirmed: true });
    await assert.rejects(store.beginTotp(person.id, 'THIRD'), code('conflict'));
    assert.equal((await store.findPersonById(person.id))?.person.credentials.hasTotp, true);
  });

  test('a time step is used once, and none before it, by all handles together', async (t) => {
    const handle = open(t);
    const one = await withAccounts(handle());
    const other = handle();
    const { person } = await ada(one);
    await one.people.beginTotp(person.id, 'SECRET');
    await one.people.confirmTotp(person.id, { step: 7, recoveryDigests: [] }, author);
    assert.equal(await other.people.useTotpStep(person.id, 7), false);
    const uses = await Promise.all(
      [one, other, one].map(({ people: store }) => store.useTotpStep(person.id, 9)),
    );
    assert.deepEqual(uses.filter(Boolean), [true]);
    assert.equal(await one.people.useTotpStep(person.id, 8), false);
  });

  test('a recovery code works once, and all end with the authenticator app', async (t) => {
    const { people: store } = await withAccounts(open(t)());
    const { person } = await ada({ people: store });
    await store.beginTotp(person.id, 'SECRET');
    await store.confirmTotp(person.id, { step: 7, recoveryDigests: ['a', 'b'] }, author);
    assert.equal(await store.useRecoveryCode(person.id, 'a', author), true);
    assert.equal(await store.useRecoveryCode(person.id, 'a', author), false);
    assert.equal(await store.countRecoveryCodes(person.id), 1);
    await store.removeTotp(person.id, author);
    assert.equal(await store.countRecoveryCodes(person.id), 0);
    assert.equal(await store.findTotp(person.id), undefined);
  });
}

function passkeys(open: OpenPersonStores): void {
  const key = {
    id: 'credential',
    name: 'laptop',
    publicKey: Buffer.from([1, 2]),
    counter: 0,
    transports: ['usb'],
  };

  test('a passkey is found with its person and last use, and removed by that person alone', async (t) => {
    const stores = await withAccounts(open(t)());
    const [{ person }, { person: bob }] = [await ada(stores), await ada(stores, { name: 'bob' })];
    const store = stores.people;
    await store.addPasskey({ ...key, personId: person.id }, 2, author);
    await store.usePasskey(key.id, 5, author.atMs + 1);
    const found = {
      ...key,
      personId: person.id,
      counter: 5,
      createdMs: author.atMs,
      usedMs: author.atMs + 1,
    };
    assert.deepEqual(await store.findPasskey(key.id), found);
    assert.deepEqual(await store.listPasskeys(person.id), [found]);
    assert.equal((await store.findPersonById(person.id))?.person.credentials.passkeys, 1);
    await assert.rejects(store.removePasskey(bob.id, key.id, author), code('not-found'));
    await store.removePasskey(person.id, key.id, author);
    assert.equal(await store.findPasskey(key.id), undefined);
  });

  test('a known credential is refused, and so is one more passkey than a person may have', async (t) => {
    const stores = await withAccounts(open(t)());
    const [{ person }, { person: bob }] = [await ada(stores), await ada(stores, { name: 'bob' })];
    await stores.people.addPasskey({ ...key, personId: person.id }, 1, author);
    await assert.rejects(
      stores.people.addPasskey({ ...key, personId: bob.id }, 1, author),
      code('already-exists'),
    );
    await assert.rejects(
      stores.people.addPasskey({ ...key, id: 'second', personId: person.id }, 1, author),
      code('permission-denied'),
    );
  });
}
