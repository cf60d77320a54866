/** What every store of single sign-on must do. Two sets of handles on the same data stand for two processes. */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { hourMs, minuteMs } from '../../../src/model/durations.ts';
import type { NewProvider, SignOnRequest } from '../../../src/store/person/sign-on-store.ts';
import { author } from '../new-user.ts';
import { ada, type OpenPersonStores, withAccounts } from './person-fixture.ts';

const now = author.atMs;
const many = 100;
const rules = {
  permissions: [{ claim: 'groups', value: 'analysts', permissions: ['read'] }],
  createsPeople: true,
  nameClaim: '',
  emailDomains: [],
} as const;
const connection = {
  kind: 'oidc',
  issuer: 'https://id.example',
  clientId: 'nameglass',
  scopes: ['email'],
} as const;

async function withProvider(t: TestContext, open: OpenPersonStores, more: Partial<NewProvider> = {}) {
  const handle = open(t);
  const stores = await withAccounts(handle());
  const { person, account } = await ada(stores);
  const common = { accountId: account.id, connection, rules, enabled: true, listed: true };
  const create = (name: string, given: Partial<NewProvider> = {}) =>
    stores.signOn.createProvider({ ...common, name, ...given }, many, author);
  const provider = await create('Corp', { clientSecret: 'very secret', ...more });
  return { ...stores, person, account, provider, create, another: handle };
}

const requestOf = (providerId: string, more: Partial<SignOnRequest> = {}): SignOnRequest => ({
  stateDigest: 'state',
  providerId,
  purpose: 'sign-in',
  requestId: '_request',
  binding: 'cookie',
  nonce: 'the nonce',
  codeVerifier: 'the verifier',
  next: '/ui/',
  personId: undefined,
  expiresMs: now + 15 * minuteMs,
  ...more,
});

export function signOnStoreConformance(name: string, open: OpenPersonStores): void {
  describe(`${name} as a store of single sign-on`, () => {
    providers(open);
    identities(open);
    requests(open);
  });
}

function providers(open: OpenPersonStores): void {
  test('a provider is found as it was stored, with its account, in every process', async (t) => {
    const { provider, account, another } = await withProvider(t, open);
    const { signOn } = another();
    assert.deepEqual(await signOn.findProvider(provider.id), { provider, account });
    assert.equal(await signOn.findClientSecret(provider.id), 'very secret');
    assert.equal(await signOn.findProvider('nothing'), undefined);
    assert.deepEqual([provider.connection, provider.rules], [connection, rules]);
  });

  test('a change keeps what it does not name, the secret included', async (t) => {
    const { signOn, provider, account } = await withProvider(t, open);
    const later = { ...author, atMs: now + 1 };
    const changed = await signOn.updateProvider(
      account.id,
      provider.id,
      { name: 'Other', enabled: false },
      later,
    );
    assert.deepEqual(changed, { ...provider, name: 'Other', enabled: false, changedMs: now + 1 });
    assert.equal(await signOn.findClientSecret(provider.id), 'very secret');
    await signOn.updateProvider(account.id, provider.id, { clientSecret: 'another' }, later);
    assert.equal(await signOn.findClientSecret(provider.id), 'another');
  });

  test('a name is used once in an account, in any case of letters, and accounts have a largest number of providers', async (t) => {
    const { signOn, provider, create, account } = await withProvider(t, open);
    await assert.rejects(create('corp'), { code: 'already-exists' });
    const second = await create('Second');
    const rename = () => signOn.updateProvider(account.id, second.id, { name: 'cOrp' }, author);
    await assert.rejects(rename(), { code: 'already-exists' });
    for (const name of ['Corp', 'CORP'])
      await signOn.updateProvider(account.id, provider.id, { name }, author);
    const third = { accountId: account.id, name: 'Third', connection, rules, enabled: true, listed: true };
    await assert.rejects(signOn.createProvider(third, 2, author), { code: 'permission-denied' });
  });

  test('a provider of another account can be neither changed nor removed', async (t) => {
    const { signOn, provider, accounts } = await withProvider(t, open);
    const other = (await accounts.findByUsername('key-of-other'))?.account.id ?? '';
    assert.deepEqual(await signOn.listProviders(other), []);
    const change = () => signOn.updateProvider(other, provider.id, { name: 'Mine' }, author);
    await assert.rejects(change(), { code: 'not-found' });
    await assert.rejects(signOn.removeProvider(other, provider.id, author), { code: 'not-found' });
  });

  test('offered are enabled and listed providers of active accounts, in order of name', async (t) => {
    const { signOn, create, accounts } = await withProvider(t, open);
    await create('Alpha');
    await create('Off', { enabled: false });
    await create('Unlisted', { listed: false });
    const names = async (limit = many) => (await signOn.listOfferedProviders(limit)).map(({ name }) => name);
    assert.deepEqual(await names(), ['Alpha', 'Corp']);
    assert.deepEqual(await names(1), ['Alpha']);
    await accounts.setAccountActive('acme', false, author);
    assert.deepEqual(await names(), []);
  });

  test('single sign-on is required only while a provider is enabled, and every person of the account shows it', async (t) => {
    const { signOn, people, provider, account, person } = await withProvider(t, open, { enabled: false });
    await assert.rejects(signOn.setRequired(account, true, author), { code: 'conflict' });
    await signOn.updateProvider(account.id, provider.id, { enabled: true }, author);
    await signOn.setRequired(account, true, author);
    assert.equal(await signOn.isRequired(account.id), true);
    assert.equal((await people.findPersonById(person.id))?.person.credentials.mustSignOn, true);
    const disable = () => signOn.updateProvider(account.id, provider.id, { enabled: false }, author);
    await assert.rejects(disable(), { code: 'conflict' });
    await assert.rejects(signOn.removeProvider(account.id, provider.id, author), { code: 'conflict' });
    await signOn.setRequired(account, false, author);
    await signOn.removeProvider(account.id, provider.id, author);
    assert.equal((await people.findPersonById(person.id))?.person.credentials.mustSignOn, false);
  });

  test('changes of providers are in the audit log, without the secret', async (t) => {
    const { signOn, provider, account, accounts } = await withProvider(t, open);
    await signOn.updateProvider(account.id, provider.id, { clientSecret: 'another' }, author);
    await signOn.setRequired(account, true, author);
    await signOn.recordRefusal({ account: account.name, detail: { why: 'late' } }, author);
    const entries = await accounts.listAudit({ account: 'acme', limit: 4 });
    const actions = [
      'identity-provider.refuse',
      'identity-provider.require',
      'identity-provider.update',
      'identity-provider.create',
    ];
    assert.deepEqual(
      entries.map(({ action }) => action),
      actions,
    );
    assert.doesNotMatch(JSON.stringify(entries), /very secret|another/);
  });
}

function identities(open: OpenPersonStores): void {
  test('a person is found by the subject at the provider, and no longer once the link ends', async (t) => {
    const { signOn, provider, person, another } = await withProvider(t, open);
    await signOn.linkIdentity({ providerId: provider.id, subject: 'sub-1', personId: person.id }, author);
    const found = await another().signOn.findByIdentity(provider.id, 'sub-1');
    assert.deepEqual([found?.person.name, found?.person.credentials.identities], ['ada', 1]);
    assert.equal(await signOn.findByIdentity(provider.id, 'SUB-1'), undefined);
    const [identity] = await signOn.listIdentities(person.id);
    assert.deepEqual(identity, {
      providerId: provider.id,
      providerName: 'Corp',
      subject: 'sub-1',
      createdMs: now,
    });
    await signOn.unlinkIdentity(person.id, provider.id, author);
    assert.equal(await signOn.findByIdentity(provider.id, 'sub-1'), undefined);
    await assert.rejects(signOn.unlinkIdentity(person.id, provider.id, author), { code: 'not-found' });
  });

  test('a subject belongs to one person, and a person has one subject at a provider', async (t) => {
    const { signOn, people, provider, person } = await withProvider(t, open);
    const link = (subject: string, personId: string) =>
      signOn.linkIdentity({ providerId: provider.id, subject, personId }, author);
    await link('sub-1', person.id);
    const { person: bob } = await ada({ people }, { name: 'bob' });
    await assert.rejects(link('sub-1', bob.id), { code: 'already-exists' });
    await assert.rejects(link('sub-2', person.id), { code: 'already-exists' });
  });

  test('a person is not linked to a provider of another account', async (t) => {
    const { signOn, people, provider } = await withProvider(t, open);
    const { person: stranger } = await ada({ people }, { name: 'stranger', account: 'other' });
    const identity = { providerId: provider.id, subject: 'sub-1', personId: stranger.id };
    await assert.rejects(signOn.linkIdentity(identity, author), { code: 'not-found' });
  });

  test('a person is created together with the identity, or not at all', async (t) => {
    const { signOn, people, provider } = await withProvider(t, open);
    const identity = { providerId: provider.id, subject: 'sub-1' };
    const { person } = await ada({ people }, { name: 'new', identity });
    assert.equal((await signOn.findByIdentity(provider.id, 'sub-1'))?.person.id, person.id);
    await assert.rejects(ada({ people }, { name: 'newer', identity }), { code: 'already-exists' });
    assert.equal(await people.findPerson('newer'), undefined);
  });

  test('identities end with their person and with their provider', async (t) => {
    const { signOn, people, provider, account } = await withProvider(t, open);
    const { person } = await ada(
      { people },
      { name: 'new', identity: { providerId: provider.id, subject: 'one' } },
    );
    await people.removePerson(person.id, author);
    assert.equal(await signOn.findByIdentity(provider.id, 'one'), undefined);
    const two = await ada({ people }, { name: 'two', identity: { providerId: provider.id, subject: 'two' } });
    await signOn.removeProvider(account.id, provider.id, author);
    assert.deepEqual(await signOn.listIdentities(two.person.id), []);
  });
}

function requests(open: OpenPersonStores): void {
  test('a request is found by its state and by its id until it is used, once, in any process', async (t) => {
    const { signOn, provider, another } = await withProvider(t, open);
    const request = requestOf(provider.id);
    await signOn.createRequest(request, many, now);
    const other = another().signOn;
    assert.deepEqual(await other.findRequest('state', now), request);
    assert.deepEqual(await other.findRequestById('_request', now), request);
    const uses = await Promise.all([signOn.useRequest('state'), other.useRequest('state')]);
    assert.deepEqual(uses.toSorted(), [false, true]);
    assert.equal(await signOn.findRequest('state', now), undefined);
    assert.equal(await signOn.findRequestById('_request', now), undefined);
  });

  test('a request ends by its age, and when the clock is set back', async (t) => {
    const { signOn, provider } = await withProvider(t, open);
    await signOn.createRequest(requestOf(provider.id), many, now);
    assert.ok(await signOn.findRequest('state', now + 15 * minuteMs - 1));
    assert.equal(await signOn.findRequest('state', now + 15 * minuteMs), undefined);
    assert.equal(await signOn.findRequest('state', now - hourMs), undefined);
  });

  test('no more requests are open at once than allowed, and old ones make room', async (t) => {
    const { signOn, provider } = await withProvider(t, open);
    const begin = (stateDigest: string, atMs = now) =>
      signOn.createRequest(requestOf(provider.id, { stateDigest, requestId: undefined }), 2, atMs);
    await begin('one');
    await begin('two');
    await assert.rejects(begin('three'), { code: 'too-many-connections' });
    await begin('three', now + hourMs);
  });

  test('a result is read until it is used or too old', async (t) => {
    const { signOn } = await withProvider(t, open);
    const result = { tokenDigest: 'token', content: '{"a":1}', expiresMs: now + minuteMs };
    await signOn.createResult(result, now);
    assert.equal(await signOn.findResult('token', now), '{"a":1}');
    assert.equal(await signOn.findResult('token', now + minuteMs), undefined);
    assert.deepEqual([await signOn.useResult('token'), await signOn.useResult('token')], [true, false]);
    assert.equal(await signOn.findResult('token', now), undefined);
  });

  test('what is too old is pruned, and nothing else', async (t) => {
    const { signOn, provider } = await withProvider(t, open);
    await signOn.createRequest(requestOf(provider.id), many, now);
    await signOn.createResult({ tokenDigest: 'token', content: 'x', expiresMs: now + hourMs }, now);
    await signOn.pruneSignOns(now + 30 * minuteMs);
    assert.deepEqual([await signOn.useRequest('state'), await signOn.useResult('token')], [false, true]);
  });
}
