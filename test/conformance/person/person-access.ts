/** The part of the suite of people about disabling them, operators and administrators. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayMs } from '../../../src/model/durations.ts';
import { author } from '../new-user.ts';
import { ada, type OpenPersonStores, type PersonStores, withAccounts } from './person-fixture.ts';

const keepsAdmin = { keepsAdmin: true };
const limits = { idleMs: dayMs, totalMs: dayMs };

async function signedIn({ sessions }: PersonStores, personId: string, tokenDigest: string): Promise<void> {
  const how = { address: '192.0.2.1', agent: 'test', method: 'password' };
  await sessions.createSession({ personId, tokenDigest, ...how }, author);
}

export function personAccessConformance(open: OpenPersonStores): void {
  test('a disabled person has no session and no link, gets none, and has them again when enabled', async (t) => {
    const stores = await withAccounts(open(t)());
    const { people, sessions } = stores;
    const { person } = await ada(stores);
    const link = {
      tokenDigest: 'l',
      personId: person.id,
      expiresMs: author.atMs + 1000,
      loopbackOnly: false,
    };
    await signedIn(stores, person.id, 's');
    await sessions.createLink(link, author);
    const { person: disabled } = await people.updatePerson(person.id, { disabled: true }, author);
    assert.equal(disabled.disabledMs, author.atMs);
    assert.equal(await sessions.findSession('s', author.atMs, limits), undefined);
    assert.equal(await sessions.findLink('l', author.atMs), undefined);
    await assert.rejects(signedIn(stores, person.id, 't'), { code: 'credentials-invalid' });
    await assert.rejects(sessions.createLink(link, author), { code: 'conflict' });
    const { person: enabled } = await people.updatePerson(person.id, { disabled: false }, author);
    assert.deepEqual(enabled, person);
    await signedIn(stores, person.id, 't');
  });

  test('a person becomes an operator and ceases to be one, and both are in the audit log', async (t) => {
    const { people, accounts } = await withAccounts(open(t)());
    const { person } = await ada({ people });
    assert.equal((await people.updatePerson(person.id, { operator: true }, author)).person.operator, true);
    assert.equal((await people.updatePerson(person.id, { operator: false }, author)).person.operator, false);
    const entries = await accounts.listAudit({ limit: 2, kind: 'person.update' });
    assert.deepEqual(
      entries.map(({ detail }) => detail),
      [{ operator: false }, { operator: true }],
    );
  });

  test('the last administrator who can sign in is not removed, disabled or demoted where one is kept', async (t) => {
    const stores = await withAccounts(open(t)());
    const { people } = stores;
    const { person: boss } = await ada(stores, { name: 'boss', permissions: ['admin'] });
    const { person: second } = await ada(stores, { name: 'second', permissions: ['admin'] });
    await ada(stores, { name: 'elsewhere', account: 'other', permissions: ['admin'] });
    await people.updatePerson(second.id, { disabled: true }, author, keepsAdmin);
    const conflict = { code: 'conflict' };
    await assert.rejects(people.removePerson(boss.id, author, keepsAdmin), conflict);
    for (const change of [{ disabled: true }, { permissions: ['read'] }] as const)
      await assert.rejects(people.updatePerson(boss.id, change, author, keepsAdmin), conflict);
    await people.updatePerson(boss.id, { permissions: ['admin', 'read'] }, author, keepsAdmin);
    await people.removePerson(second.id, author, keepsAdmin);
    await people.removePerson(boss.id, author);
  });

  test('of two administrators who remove one another at once, one stays', async (t) => {
    const handle = open(t);
    const stores = await withAccounts(handle());
    const made = [
      await ada(stores, { permissions: ['admin'] }),
      await ada(stores, { name: 'bob', permissions: ['admin'] }),
    ];
    const [one, other] = [stores, handle()];
    const outcomes = await Promise.allSettled([
      one.people.removePerson(made[0]?.person.id ?? '', author, keepsAdmin),
      other.people.removePerson(made[1]?.person.id ?? '', author, keepsAdmin),
    ]);
    assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
    assert.equal((await one.people.listPeople({ limit: 10 })).length, 1);
  });

  test('resetting second factors removes passkeys, authenticator app and recovery codes, not the password', async (t) => {
    const { people, accounts } = await withAccounts(open(t)());
    const { person } = await ada({ people });
    await people.setPasswordHash(person.id, 'HASH', author);
    await people.beginTotp(person.id, 'SECRET');
    await people.confirmTotp(person.id, { step: 1, recoveryDigests: ['DIGEST'] }, author);
    const passkey = { id: 'k', personId: person.id, name: 'phone', counter: 0, transports: [] };
    await people.addPasskey({ ...passkey, publicKey: Buffer.of(1) }, 5, author);
    assert.equal(await people.resetSecondFactors(person.id, author), 1);
    const { credentials } = (await people.findPersonById(person.id))?.person ?? person;
    assert.deepEqual([credentials.hasPassword, credentials.hasTotp, credentials.passkeys], [true, false, 0]);
    assert.equal(await people.countRecoveryCodes(person.id), 0);
    const [entry] = await accounts.listAudit({ limit: 1 });
    assert.deepEqual([entry?.action, entry?.detail], ['second-factors.reset', { passkeys: 1 }]);
  });
}
