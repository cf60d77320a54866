/** Identity providers as administrators manage them: what is checked, tested and required. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { minuteMs } from '../../../../src/model/durations.ts';
import { fromBase32, totpCode, totpStep } from '../../../../src/model/person/totp.ts';
import { createSignInLink } from '../../../../src/product/people/sign-in-links.ts';
import { oidcProvider } from '../../../harness/identity/oidc-provider.ts';
import { samlProvider } from '../../../harness/identity/saml-provider.ts';
import { signOnBrowser } from '../../../harness/identity/sign-on-browser.ts';
import { openReceiver } from '../../../harness/network/http-receiver.ts';
import { testServer } from '../../../harness/server/test-server.ts';
import { type WebSession, webCall, webSession } from '../../../harness/server/web-session.ts';
import { TestClock } from '../../../harness/test-clock.ts';

const clock = () => new TestClock(new Date().toISOString());
const server = await testServer({ after }, { settings: { 'outgoing.allow': '127.0.0.1' }, clock: clock() });
const idp = await oidcProvider(
  { after },
  {
    eve: { preferred_username: 'eve', groups: ['staff'] },
    finn: { preferred_username: 'finn', groups: ['other'] },
    gus: { preferred_username: 'gus', groups: ['staff'] },
  },
);
const saml = await samlProvider();

const oidc = { issuer: idp.issuer, client_id: idp.clientId, client_secret: idp.clientSecret };
const mapping = {
  rules: [{ claim: 'groups', value: 'staff', permissions: ['read'] }],
  otherwise: null,
  creates_people: true,
  name_claim: '',
  email_domains: [],
};

const newAdmin = () => webSession(server, { permissions: ['admin'] });

async function addProvider(admin: WebSession, more: object = {}) {
  const body = { name: 'Corp', oidc, enabled: true, mapping, ...more };
  const made = await admin.call('POST /identity-providers', { body });
  assert.equal(made.status, 201, made.text);
  if (made.json.urls.callback !== null) idp.allow(made.json.urls.callback);
  return made.json;
}

const cookiesOf = (admin: WebSession) => new Map([admin.cookie.split('=') as [string, string]]);

test('a provider is added, listed, changed and removed, and its secret is never shown', async () => {
  const admin = await newAdmin();
  const { id } = await addProvider(admin);
  const list = await admin.call('GET /identity-providers');
  assert.equal(list.json.providers[0].oidc.has_secret, true);
  assert.equal(list.text.includes(idp.clientSecret), false);
  const changed = await admin.call(`PATCH /identity-providers/${id}`, {
    body: { name: 'Renamed', enabled: false },
  });
  assert.deepEqual(
    [changed.json.name, changed.json.enabled, changed.json.mapping],
    ['Renamed', false, mapping],
  );
  assert.equal((await admin.call(`DELETE /identity-providers/${id}`)).status, 204);
  assert.deepEqual((await admin.call('GET /identity-providers')).json.providers, []);
  const actions = (await server.accounts.listAudit({ account: admin.account, limit: 3 })).map(
    ({ action }) => action,
  );
  assert.deepEqual(actions, [
    'identity-provider.remove',
    'identity-provider.update',
    'identity-provider.create',
  ]);
});

test('a new provider lets nobody in until an administrator says who gets what and enables it', async () => {
  const admin = await newAdmin();
  const { json } = await admin.call('POST /identity-providers', { body: { name: 'New', oidc } });
  assert.equal(json.enabled, false);
  assert.deepEqual(
    [json.mapping.rules, json.mapping.otherwise, json.mapping.creates_people],
    [[], null, false],
  );
});

test('a provider of SAML comes from its metadata, from where that is published, or from its members', async (t) => {
  const admin = await newAdmin();
  const published = await openReceiver(t, { answer: (_, response) => void response.end(saml.metadata) });
  const members = {
    entity_id: saml.entityId,
    entry_point: saml.entryPoint,
    certificates: [saml.certificate],
  };
  for (const [name, described] of [
    ['text', { metadata: saml.metadata }],
    ['url', { metadata_url: published.url }],
    ['members', members],
  ] as const) {
    const made = await addProvider(admin, { name, oidc: undefined, saml: described });
    assert.equal(made.saml.entity_id, saml.entityId, name);
    assert.equal(made.saml.entry_point, saml.entryPoint, name);
    assert.match(made.saml.certificates[0].subject, /CN=idp\.example/, name);
    assert.match(made.urls.acs, /\/acs$/);
  }
});

test('what is wrong with a provider is said at its field', async (t) => {
  const admin = await newAdmin();
  await addProvider(admin, { name: 'Taken' });
  const huge = await openReceiver(t, { answer: (_, response) => void response.end('x'.repeat(2 << 20)) });
  const impostor = await openReceiver(t, {
    answer: (_, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ issuer: 'https://other.example' }));
    },
  });
  const tenants = await openReceiver(t, {
    answer: (_, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ issuer: 'https://login.example/{tenantid}/v2.0' }));
    },
  });
  const entities = `<EntitiesDescriptor>${saml.metadata}${saml.metadata}</EntitiesDescriptor>`;
  for (const [field, body, message] of [
    ['name', { name: ' ', oidc }, /visible characters/],
    ['connection', { name: 'x' }, /describe the provider/],
    ['saml', { name: 'x', oidc, saml: { metadata: saml.metadata } }, /one kind/],
    ['issuer', { name: 'x', oidc: { ...oidc, issuer: 'ftp://a.example' } }, /https URL/],
    ['issuer', { name: 'x', oidc: { ...oidc, issuer: 'http://public.example' } }, /http is for addresses/],
    [
      'issuer',
      { name: 'x', oidc: { ...oidc, issuer: 'https://10.0.0.1' } },
      /not a public address; outgoing.allow/,
    ],
    ['issuer', { name: 'x', oidc: { ...oidc, issuer: 'http://127.0.0.1:25' } }, /another service/],
    ['issuer', { name: 'x', oidc: { ...oidc, issuer: huge.url } }, /longer than/],
    ['issuer', { name: 'x', oidc: { ...oidc, issuer: impostor.url } }, /issuer/],
    ['issuer', { name: 'x', oidc: { ...oidc, issuer: tenants.url } }, /issuer/],
    ['client_id', { name: 'x', oidc: { ...oidc, client_id: ' ' } }, /empty/],
    ['scopes', { name: 'x', oidc: { ...oidc, scopes: ['a b'] } }, /without spaces/],
    ['metadata', { name: 'x', saml: {} }, /is needed/],
    ['metadata', { name: 'x', saml: { metadata: '<a/>' } }, /no EntityDescriptor/],
    ['metadata', { name: 'x', saml: { metadata: entities } }, /several providers/],
    ['metadata', { name: 'x', saml: { metadata: `<!DOCTYPE a>${saml.metadata}` } }, /document type/],
    ['metadata_url', { name: 'x', saml: { metadata_url: 'https://10.0.0.1/m' } }, /not a public address/],
    [
      'certificates',
      { name: 'x', saml: { entity_id: 'a', entry_point: 'https://a.example', certificates: ['AAAA'] } },
      /certificate/,
    ],
    [
      'rules.0',
      { name: 'x', oidc, mapping: { ...mapping, rules: [{ claim: '', value: 'x', permissions: ['read'] }] } },
      /claim/,
    ],
    ['email_domains', { name: 'x', oidc, mapping: { ...mapping, email_domains: ['@corp'] } }, /not a domain/],
  ] as const) {
    const refused = await admin.call('POST /identity-providers', { body });
    assert.equal(refused.status, 422, refused.text);
    assert.match(refused.json.error.fields[field]?.[0] ?? refused.text, message, field);
  }
  const taken = await admin.call('POST /identity-providers', { body: { name: 'taken', oidc } });
  assert.equal(taken.status, 409);
});

test('providers of another account do not exist, and changes need a recent sign-in', async () => {
  const [admin, other] = [await newAdmin(), await newAdmin()];
  const { id } = await addProvider(admin);
  for (const route of [
    `PATCH /identity-providers/${id}`,
    `DELETE /identity-providers/${id}`,
    `POST /identity-providers/${id}/test`,
  ])
    assert.equal((await other.call(route, { body: {} })).status, 404, route);
  server.clock.advanceSeconds(11 * 60);
  for (const [route, body] of [
    ['POST /identity-providers', { name: 'Late', oidc }],
    [`PATCH /identity-providers/${id}`, { enabled: false }],
    [`DELETE /identity-providers/${id}`, {}],
    ['PUT /sign-on', { required: true }],
    [`POST /me/identities/${id}`, {}],
  ] as const)
    assert.equal((await admin.call(route, { body })).json.error.code, 'sign-in-again', route);
  server.clock.advanceSeconds(-11 * 60);
});

/** Begins at an address that the app got, with the cookie of its answer. */
async function goAndReturn(admin: WebSession, route: string, subject: string) {
  const begun = await admin.call(route, { body: {} });
  assert.equal(begun.status, 200, begun.text);
  const cookies = cookiesOf(admin);
  const [name = '', value = ''] = begun.headers['set-cookie']?.split(';')[0]?.split('=') ?? [];
  const browser = signOnBrowser(server, cookies.set(name, value));
  return browser.visit(await idp.signIn(begun.json.url, subject));
}

test('a test sign-in shows the claims and what they would give, and signs nobody in', async () => {
  const admin = await newAdmin();
  const { id } = await addProvider(admin, { enabled: false });
  const tryAs = async (subject: string) => {
    const { headers } = await goAndReturn(admin, `POST /identity-providers/${id}/test`, subject);
    assert.equal(String(headers['set-cookie']).includes('ng='), false);
    const [, token = ''] = /^\/ui\/account\/sign-in\?tested=(.+)$/.exec(headers['location'] ?? '') ?? [];
    return token;
  };
  const token = await tryAs('eve');
  const good = await admin.call(`GET /identity-providers/tests/${token}`);
  assert.deepEqual(good.json.would, { does: 'create', name: 'eve', permissions: ['read'] });
  assert.deepEqual(
    good.json.claims.find(({ name }: { name: string }) => name === 'groups'),
    { name: 'groups', values: ['staff'] },
  );
  assert.equal(await server.people.findPerson('eve'), undefined);
  const other = await webSession(server, { account: admin.account, permissions: ['admin'] });
  assert.equal((await other.call(`GET /identity-providers/tests/${token}`)).status, 404);
  const refused = await admin.call(`GET /identity-providers/tests/${await tryAs('finn')}`);
  assert.deepEqual([refused.json.would, refused.json.fault.code], [null, 'not-permitted']);
  assert.equal(refused.json.subject, 'finn');
});

test('where single sign-on is required, a right password is refused with the reason, a wrong one as ever, and a link enters', async () => {
  const admin = await newAdmin();
  const password = 'correct horse battery';
  assert.equal((await admin.call('PUT /me/password', { body: { password } })).status, 204);
  const none = await admin.call('PUT /sign-on', { body: { required: true } });
  assert.deepEqual([none.status, none.json.error.code], [409, 'conflict']);
  const { id } = await addProvider(admin);
  assert.equal((await admin.call('PUT /sign-on', { body: { required: true } })).status, 204);
  assert.equal((await admin.call('GET /identity-providers')).json.required, true);
  const enter = (given: string) =>
    webCall(server, 'POST /session', { body: { username: admin.person.name, password: given } });
  const right = await enter(password);
  assert.deepEqual([right.status, right.json.error.code], [403, 'permission-denied']);
  assert.match(right.json.error.message, /requires single sign-on/);
  assert.equal((await enter('wrong password here')).json.error.code, 'credentials-invalid');
  const author = { actor: 'operator', atMs: server.clock.now() };
  const request = { personId: admin.person.id, lifetimeMs: 10 * minuteMs, loopbackOnly: false };
  const { path } = await createSignInLink(request, author, server);
  const linked = await webCall(server, 'POST /session/link', { body: { token: path.split('t=')[1] } });
  assert.deepEqual([linked.status, linked.json.me.setup_needed], [200, false]);
  for (const [route, body] of [
    [`PATCH /identity-providers/${id}`, { enabled: false }],
    [`DELETE /identity-providers/${id}`, undefined],
  ] as const)
    assert.equal((await admin.call(route, body ? { body } : {})).status, 409, route);
  assert.equal((await admin.call('PUT /sign-on', { body: { required: false } })).status, 204);
  assert.equal((await enter(password)).status, 200);
});

test('a code that was begun before single sign-on was required is refused too', async () => {
  const admin = await newAdmin();
  const password = 'correct horse battery';
  await admin.call('PUT /me/password', { body: { password } });
  const { secret } = (await admin.call('POST /me/totp')).json;
  const code = () => totpCode(fromBase32(secret), totpStep(server.clock.now()));
  await admin.call('PUT /me/totp', { body: { code: code() } });
  server.clock.advanceSeconds(60);
  const begun = await webCall(server, 'POST /session', { body: { username: admin.person.name, password } });
  await addProvider(admin);
  assert.equal((await admin.call('PUT /sign-on', { body: { required: true } })).status, 204);
  const body = { step: begun.json.step, code: code() };
  const refused = await webCall(server, 'POST /session/totp', { body });
  assert.deepEqual([refused.status, refused.json.error.code], [403, 'permission-denied']);
});

test('somebody who has no other way in cannot end the link to the provider', async () => {
  const admin = await newAdmin();
  const { id } = await addProvider(admin);
  const author = { actor: 'test', atMs: server.clock.now() };
  const only = await webSession(server, { account: admin.account, hasPassword: false });
  await server.signOn.linkIdentity({ providerId: id, subject: 'only', personId: only.person.id }, author);
  assert.equal((await only.call(`DELETE /me/identities/${id}`)).status, 409);
  await only.call('PUT /me/password', { body: { password: 'correct horse battery' } });
  assert.equal((await only.call('DELETE /me/password')).status, 204);
  await only.call('PUT /me/password', { body: { password: 'correct horse battery' } });
  assert.equal((await only.call(`DELETE /me/identities/${id}`)).status, 204);
});

test('a person links an identity to themselves, signs in by it, and ends the link', async () => {
  const admin = await newAdmin();
  const { id } = await addProvider(admin, { mapping: { ...mapping, creates_people: false } });
  const owner = await webSession(server, { account: admin.account, name: 'linking' });
  assert.deepEqual((await owner.call('GET /me/identities')).json.available, [{ id, provider: 'Corp' }]);
  const back = await goAndReturn(owner, `POST /me/identities/${id}`, 'gus');
  assert.equal(back.headers['location'], '/ui/me');
  const { identities, available } = (await owner.call('GET /me/identities')).json;
  assert.deepEqual(
    [identities.map(({ provider }: { provider: string }) => provider), available],
    [['Corp'], []],
  );
  const browser = signOnBrowser(server);
  await browser.visit(await idp.signIn(await browser.start(`/ui/auth/oidc/${id}/start`), 'gus'));
  const me = await webCall(server, 'GET /me', { cookie: `ng=${browser.cookies().get('ng')}` });
  assert.equal(me.json.person.name, 'linking');
  const thief = await webSession(server, { account: admin.account, name: 'thief' });
  const stolen = await goAndReturn(thief, `POST /me/identities/${id}`, 'gus');
  assert.equal(stolen.headers['location'], '/ui/sign-in?fault=name-taken');
  assert.equal((await owner.call(`DELETE /me/identities/${id}`)).status, 204);
  assert.deepEqual((await owner.call('GET /me/identities')).json.identities, []);
});
