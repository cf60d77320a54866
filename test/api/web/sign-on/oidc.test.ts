/** Single sign-on by OpenID Connect, against a real provider. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { findSignedOnPerson } from '../../../../src/product/people/sign-on/find-signed-on-person.ts';
import { oidcProvider } from '../../../harness/identity/oidc-provider.ts';
import { signOnBrowser } from '../../../harness/identity/sign-on-browser.ts';
import { type TestServer, testServer } from '../../../harness/server/test-server.ts';
import { type WebSession, webCall, webSession } from '../../../harness/server/web-session.ts';
import { TestClock } from '../../../harness/test-clock.ts';

const people = {
  ann: {
    preferred_username: 'ann',
    groups: ['analysts', 'leads'],
    email: 'ann@corp.example',
    email_verified: true,
  },
  bob: { preferred_username: 'bob', groups: ['guests'], email: 'bob@corp.example', email_verified: true },
  cleo: {
    preferred_username: 'cleo',
    groups: ['analysts'],
    email: 'cleo@corp.example',
    email_verified: false,
  },
  dora: {
    preferred_username: 'dora',
    groups: ['analysts'],
    email: 'dora@corp.example',
    email_verified: true,
  },
  hal: { code: 'hal-9', groups: ['analysts'], email: 'hal@corp.example', email_verified: true },
  ida: { code: 'ida-9', groups: ['analysts'], email: 'ida@corp.example' },
  owner: { preferred_username: 'the-owner', groups: ['analysts'] },
  keycloak: { preferred_username: 'kim', realm_access: { roles: ['admin-role'] } },
};

const settings = { 'outgoing.allow': '127.0.0.1' };
const newClock = () => new TestClock(new Date().toISOString());
const server = await testServer({ after }, { settings, clock: newClock() });
const idp = await oidcProvider({ after }, people);

const mapping = {
  rules: [
    { claim: 'groups', value: 'analysts', permissions: ['read', 'triage'] },
    { claim: 'groups', value: 'leads', permissions: ['manage'] },
  ],
  otherwise: null,
  creates_people: true,
  name_claim: '',
  email_domains: [],
};

async function withProvider(
  change: object = {},
  more: Partial<typeof mapping> = {},
  at: TestServer = server,
) {
  const admin = await webSession(at, { permissions: ['admin'] });
  const oidc = { issuer: idp.issuer, client_id: idp.clientId, client_secret: idp.clientSecret };
  const body = { name: 'Corp', oidc, enabled: true, mapping: { ...mapping, ...more }, ...change };
  const made = await admin.call('POST /identity-providers', { body });
  assert.equal(made.status, 201, made.text);
  const { id, urls } = made.json;
  idp.allow(urls.callback);
  return { admin, id, start: `/ui/auth/oidc/${id}/start`, at };
}

/** Where the browser is in the end, and whom the session there belongs to. */
async function signIn(provider: { start: string; at: TestServer }, subject: string, next = '') {
  const browser = signOnBrowser(provider.at);
  const url = await browser.start(provider.start + next);
  const answer = await browser.visit(await idp.signIn(url, subject));
  const me = await webCall(provider.at, 'GET /me', { cookie: cookieText(browser.cookies()) });
  return {
    browser,
    url,
    location: answer.headers['location'],
    me: me.status === 200 ? me.json : undefined,
    answer,
  };
}

const cookieText = (cookies: ReadonlyMap<string, string>) =>
  [...cookies].map((pair) => pair.join('=')).join('; ');

async function refusals({ account }: WebSession) {
  const entries = await server.accounts.listAudit({ account, limit: 20 });
  return entries.filter(({ action }) => action === 'identity-provider.refuse').map(({ detail }) => detail);
}

test('a first sign-in creates the person with the joined permissions of all matching values', async () => {
  const provider = await withProvider();
  const { me, location } = await signIn(provider, 'ann', '?next=%2Fmonitors%3Fa%3Db');
  assert.equal(location, '/ui/monitors?a=b');
  assert.deepEqual([me.person.name, me.account.name], ['ann', provider.admin.account]);
  assert.deepEqual(me.permissions, ['read', 'triage', 'manage']);
  assert.equal(me.setup_needed, false);
  const again = await signIn(provider, 'ann');
  assert.equal(again.me.person.name, 'ann');
});

test('an API key of the account works as before, and a person of single sign-on has none', async () => {
  const { key, caller } = await server.user({ permissions: ['admin'] });
  const admin = await webSession(server, { account: caller.account.name, permissions: ['admin'] });
  const before = await server.call('GET /v1/account/', { key });
  const users = await server.accounts.listUsers({ limit: 1000 });
  const oidc = { issuer: idp.issuer, client_id: idp.clientId, client_secret: idp.clientSecret };
  const made = await admin.call('POST /identity-providers', {
    body: { name: 'Corp', oidc, enabled: true, mapping },
  });
  idp.allow(made.json.urls.callback);
  const { me } = await signIn({ start: `/ui/auth/oidc/${made.json.id}/start`, at: server }, 'dora');
  assert.equal(me.person.name, 'dora');
  assert.equal((await admin.call('PUT /sign-on', { body: { required: true } })).status, 204);
  assert.equal((await server.call('GET /v1/account/', { key })).status, before.status);
  assert.equal((await server.accounts.listUsers({ limit: 1000 })).length, users.length);
});

test('somebody whom no rule matches is refused with a reason for the administrators, and no person is created', async () => {
  const provider = await withProvider();
  const { me, location } = await signIn(provider, 'bob');
  assert.deepEqual([me, location], [undefined, '/ui/sign-in?fault=not-permitted']);
  assert.equal(await server.people.findPerson('bob'), undefined);
  const [refused] = await refusals(provider.admin);
  assert.deepEqual([refused?.['refused'], refused?.['provider']], ['not-permitted', 'Corp']);
});

test('a default gives somebody without a matching value what it says', async () => {
  const provider = await withProvider({}, { otherwise: ['read'] as never });
  assert.deepEqual((await signIn(provider, 'bob')).me.permissions, ['read']);
});

test('a new person has the e-mail address of the provider only if that has verified it', async () => {
  const emailOf = async (subject: string) => {
    const provider = await withProvider({}, { name_claim: 'code' });
    const { me } = await signIn(provider, subject);
    return [me.person.name, me.person.email];
  };
  assert.deepEqual(await emailOf('hal'), ['hal-9', 'hal@corp.example']);
  assert.deepEqual(await emailOf('ida'), ['ida-9', undefined]);
});

test('an account that has as many people as it may gets no further one', async () => {
  const { id } = await withProvider({}, { name_claim: 'code' });
  const provider = (await server.signOn.findProvider(id)) ?? assert.fail();
  const verified = {
    subject: 'new',
    claims: new Map([
      ['groups', ['analysts']],
      ['code', ['one-too-many']],
    ]),
  };
  const limits = { ...server.settings.limits, usersPerAccountMax: 1 };
  const needs = { ...server, settings: { limits } };
  await assert.rejects(findSignedOnPerson(provider, verified, needs), { code: 'not-permitted' });
  assert.equal(await server.people.findPerson('one-too-many'), undefined);
});

test('claims inside of objects are reached by dots', async () => {
  const rule = { claim: 'realm_access.roles', value: 'admin-role', permissions: ['escalate'] };
  const provider = await withProvider({}, { rules: [rule] });
  assert.deepEqual((await signIn(provider, 'keycloak')).me.permissions, ['read', 'escalate']);
});

test('where people are not created, somebody unknown is refused', async () => {
  const provider = await withProvider({}, { creates_people: false });
  assert.equal((await signIn(provider, 'cleo')).location, '/ui/sign-in?fault=unknown-person');
});

test('permissions follow the claims at each sign-in, and earlier sessions get new tokens', async () => {
  const provider = await withProvider({}, { name_claim: 'email' });
  const first = await signIn(provider, 'ann');
  assert.equal(first.me.person.name, 'ann@corp.example');
  const rules = [{ claim: 'groups', value: 'analysts', permissions: ['read'] }];
  await provider.admin.call(`PATCH /identity-providers/${provider.id}`, {
    body: { mapping: { ...mapping, name_claim: 'email', rules } },
  });
  assert.deepEqual((await signIn(provider, 'ann')).me.permissions, ['read']);
  const cookie = cookieText(first.browser.cookies());
  const earlier = await webCall(server, 'GET /me', { cookie });
  assert.deepEqual(earlier.json.permissions, ['read']);
  assert.match(earlier.headers['set-cookie'] ?? '', /^ng=/);
});

test('a person who is disabled stays so', async () => {
  const provider = await withProvider({}, { name_claim: 'email' });
  const { person } = await server.people.createPerson(
    {
      account: provider.admin.account,
      name: 'sleeping',
      permissions: ['read'],
      identity: { providerId: provider.id, subject: 'dora' },
    },
    { actor: 'test', atMs: server.clock.now() },
  );
  await server.people.updatePerson(
    person.id,
    { disabled: true },
    { actor: 'test', atMs: server.clock.now() },
  );
  const { me, location } = await signIn(provider, 'dora');
  assert.deepEqual([me, location], [undefined, '/ui/sign-in?fault=disabled']);
  assert.notEqual((await server.people.findPersonById(person.id))?.person.disabledMs, undefined);
});

test('nobody becomes an API user by the name that a provider says', async () => {
  const provider = await withProvider();
  await server.user({ username: 'the-owner', account: provider.admin.account });
  assert.equal((await signIn(provider, 'owner')).location, '/ui/sign-in?fault=name-taken');
  assert.equal(await server.people.findPerson('the-owner'), undefined);
});

test('an e-mail address links only where the provider is trusted for its domain and has verified it', async () => {
  const existing = async (name: string, email: string, emailDomains: string[]) => {
    const provider = await withProvider({}, { email_domains: emailDomains as never, name_claim: 'nothing' });
    await webSession(server, { account: provider.admin.account, name });
    const found = await server.people.findPerson(name);
    const author = { actor: 'test', atMs: server.clock.now() };
    await server.people.updatePerson(found?.person.id ?? '', { email }, author);
    return provider;
  };
  const trusted = await existing('dora-here', 'Dora@corp.example', ['corp.example']);
  assert.equal((await signIn(trusted, 'dora')).me.person.name, 'dora-here');
  const untrusted = await existing('dora-there', 'dora@corp.example', ['other.example']);
  assert.equal((await signIn(untrusted, 'dora')).location, '/ui/sign-in?fault=unknown-person');
  const unverified = await existing('cleo-here', 'cleo@corp.example', ['corp.example']);
  assert.equal((await signIn(unverified, 'cleo')).location, '/ui/sign-in?fault=unknown-person');
});

test('the API owner is not linked by an e-mail address', async () => {
  const provider = await withProvider(
    {},
    { email_domains: ['corp.example'] as never, name_claim: 'nothing' },
  );
  const author = { actor: 'test', atMs: server.clock.now() };
  const users = await server.accounts.listUsers({ limit: 1000 });
  const owner = users.find(({ account, user }) => account.name === provider.admin.account && user.apiOwner);
  const name = owner?.user.username ?? '';
  const given = {
    account: provider.admin.account,
    name,
    email: 'dora@corp.example',
    permissions: ['admin'] as const,
  };
  assert.equal((await server.people.createPerson(given, author)).apiOwner, true);
  assert.equal((await signIn(provider, 'dora')).location, '/ui/sign-in?fault=unknown-person');
});

test('an answer counts once, and only in the browser that has begun', async () => {
  const provider = await withProvider({}, { name_claim: 'email' });
  const browser = signOnBrowser(server);
  const back = await idp.signIn(await browser.start(provider.start), 'cleo');
  const elsewhere = await signOnBrowser(server).visit(back);
  assert.equal(elsewhere.headers['location'], '/ui/sign-in?fault=expired');
  const first = await browser.visit(back);
  assert.equal(first.headers['location'], '/ui/');
  assert.equal((await browser.visit(back)).headers['location'], '/ui/sign-in?fault=expired');
  const reasons = (await refusals(provider.admin)).map((detail) => detail['why']);
  assert.deepEqual(reasons, [
    'it answers no request, or one that was used or is too old',
    'another browser has begun it',
  ]);
});

test('an unknown state, and one that is too old, is refused', async () => {
  const provider = await withProvider({}, { name_claim: 'email' });
  const browser = signOnBrowser(server);
  const back = new URL(await idp.signIn(await browser.start(provider.start), 'cleo'));
  const forged = new URL(back);
  forged.searchParams.set('state', 'A'.repeat(43));
  assert.equal((await browser.visit(forged.href)).headers['location'], '/ui/sign-in?fault=expired');
  const slow = signOnBrowser(server);
  const late = await idp.signIn(await slow.start(provider.start), 'cleo');
  server.clock.advanceSeconds(16 * 60);
  try {
    assert.equal((await slow.visit(late)).headers['location'], '/ui/sign-in?fault=expired');
  } finally {
    server.clock.advanceSeconds(-16 * 60);
  }
});

test('a nonce, an issuer, a code or a state of another answer is refused, and nobody is signed in', async () => {
  const provider = await withProvider({}, { name_claim: 'email' });
  const refusedWith = async (change: (start: URL, back: (url: URL) => Promise<URL>) => Promise<URL>) => {
    const browser = signOnBrowser(server);
    const start = new URL(await browser.start(provider.start));
    const back = await change(start, async (url) => new URL(await idp.signIn(url.href, 'cleo')));
    const answer = await browser.visit(back.href);
    assert.equal(browser.cookies().has('ng'), false);
    return answer.headers['location'];
  };
  const wrong = '/ui/sign-in?fault=not-verified';
  const withParameter = (name: string, value: string) => (url: URL) => {
    url.searchParams.set(name, value);
    return url;
  };
  assert.equal(await refusedWith((start, back) => back(withParameter('nonce', 'another')(start))), wrong);
  assert.equal(
    await refusedWith(async (start, back) => withParameter('iss', 'https://evil.example')(await back(start))),
    wrong,
  );
  assert.equal(
    await refusedWith((start, back) => back(withParameter('code_challenge', 'B'.repeat(43))(start))),
    wrong,
  );
  const used = new URL(
    await (async () => {
      const browser = signOnBrowser(server);
      const url = await idp.signIn(await browser.start(provider.start), 'cleo');
      await browser.visit(url);
      return url;
    })(),
  );
  const code = used.searchParams.get('code') ?? '';
  assert.equal(
    await refusedWith(async (start, back) => withParameter('code', code)(await back(start))),
    wrong,
  );
  assert.equal(
    await refusedWith(async (start, back) => {
      const url = await back(start);
      url.searchParams.append('state', 'B'.repeat(43));
      return url;
    }),
    wrong,
  );
});

test('a provider cannot answer for another one', async () => {
  const [one, two] = [
    await withProvider({}, { name_claim: 'email' }),
    await withProvider({}, { name_claim: 'email' }),
  ];
  const browser = signOnBrowser(server);
  const back = await idp.signIn(await browser.start(one.start), 'cleo');
  const mixed = await browser.visit(back.replace(one.id, two.id));
  assert.equal(mixed.headers['location'], '/ui/sign-in?fault=expired');
});

test('a refusal of the provider is said so', async () => {
  const provider = await withProvider();
  const browser = signOnBrowser(server);
  const start = new URL(await browser.start(provider.start));
  const state = start.searchParams.get('state') ?? '';
  const iss = encodeURIComponent(idp.issuer);
  const path = provider.start.replace('start', `callback?error=access_denied&state=${state}&iss=${iss}`);
  assert.equal((await browser.visit(path)).headers['location'], '/ui/sign-in?fault=provider-refused');
});

test('after signing in the browser goes to a page of the app and nowhere else', async () => {
  const provider = await withProvider({}, { name_claim: 'email', otherwise: ['read'] as never });
  for (const next of [
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example',
    '/../../evil',
    '/..//evil.example',
    'javascript:alert(1)',
    '/api/me',
    '/%61uth/oidc/x/start',
    '/x\r\nset-cookie: a=b',
    `/${'x'.repeat(3000)}`,
  ]) {
    const { location = '' } = await signIn(provider, 'bob', `?next=${encodeURIComponent(next)}`);
    assert.match(location, /^\/ui\/(?!api|auth|%61uth)[^\r\n]*$/, next);
    assert.equal(new URL(location, 'http://own.example').host, 'own.example', next);
  }
});

test('a provider that is not enabled, or of an unknown id, signs nobody in and has no button', async () => {
  const provider = await withProvider({ name: 'Hidden away', enabled: false });
  assert.equal(await signOnBrowser(server).start(provider.start), '/ui/sign-in?fault=no-such-provider');
  const unknown = await signOnBrowser(server).start('/ui/auth/oidc/nothing/start');
  assert.equal(unknown, '/ui/sign-in?fault=no-such-provider');
  const wrongKind = await signOnBrowser(server).start(provider.start.replace('oidc', 'saml'));
  assert.equal(wrongKind, '/ui/sign-in?fault=no-such-provider');
  const unlisted = await withProvider({ name: 'Not listed', listed: false });
  const names = (await webCall(server, 'GET /session/providers')).json.providers.map(
    ({ name }: { name: string }) => name,
  );
  assert.deepEqual([names.includes('Hidden away'), names.includes('Not listed')], [false, false]);
  assert.match(await signOnBrowser(server).start(unlisted.start), new RegExp(`^${idp.issuer}`));
});

test('sign-ins from one address are limited', async () => {
  const provider = await withProvider();
  const browser = signOnBrowser(server);
  const urls = [];
  for (let index = 0; index < 31; index += 1) urls.push(await browser.start(provider.start));
  assert.equal(urls.filter((url) => url.startsWith(idp.issuer)).length, 30);
  assert.equal(urls.at(-1), '/ui/sign-in?fault=too-many');
});

test('codes of providers and client secrets are not in the log', () => {
  const log = server.log();
  assert.match(log, /callback\?code=redacted/);
  assert.doesNotMatch(log, /code=(?!redacted)[\w-]{20}/);
  assert.equal(log.includes(idp.clientSecret), false);
});
