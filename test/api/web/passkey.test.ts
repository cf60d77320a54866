import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { relyingParty } from '../../../src/product/people/passkeys.ts';
import { type Falsified, SoftwareAuthenticator } from '../../harness/fixtures/software-authenticator.ts';
import { testServer } from '../../harness/server/test-server.ts';
import { type WebSession, webCall, webSession } from '../../harness/server/web-session.ts';

const origin = 'http://localhost:8080';
const server = await testServer({ after });

async function register(me: WebSession, device: SoftwareAuthenticator, falsified: Falsified = {}) {
  const { step, options } = (await me.call('POST /me/passkeys/options')).json;
  const response = device.register(options, falsified);
  const answer = await me.call('POST /me/passkeys', { body: { step, name: 'laptop', response } });
  return { answer, step, response };
}

async function signIn(device: SoftwareAuthenticator, falsified: Falsified = {}) {
  const { step, options } = (await webCall(server, 'POST /session/passkey/options')).json;
  const body = { step, response: device.authenticate(options, falsified) };
  return { answer: await webCall(server, 'POST /session/passkey/verify', { body }), body };
}

async function withPasskey() {
  const me = await webSession(server, { hasPassword: false });
  const device = new SoftwareAuthenticator(origin);
  assert.equal((await register(me, device)).answer.status, 204);
  return { me, device };
}

test('a passkey is registered and signs in without a name', async () => {
  const { me, device } = await withPasskey();
  const { answer } = await signIn(device);
  assert.equal(answer.json.me.person.name, me.person.name);
  const { passkeys } = (await me.call('GET /me/passkeys')).json;
  assert.deepEqual([passkeys.length, passkeys[0].name, typeof passkeys[0].used], [1, 'laptop', 'string']);
});

test('a passkey is enough for a person to work with', async () => {
  const { me } = await withPasskey();
  assert.equal((await me.call('GET /me')).json.setup_needed, false);
});

const falsifications: Readonly<Record<string, Falsified>> = {
  'of another site': { origin: 'http://evil.example' },
  'of another host name': { rpId: 'evil.example' },
  'for another challenge': { challenge: Buffer.alloc(32).toString('base64url') },
  'of another kind': { type: 'webauthn.other' },
  'without verification of the person': { userVerified: false },
};

for (const [what, falsified] of Object.entries(falsifications)) {
  test(`a response ${what} neither registers nor signs in`, async () => {
    const me = await webSession(server);
    assert.equal((await register(me, new SoftwareAuthenticator(origin), falsified)).answer.status, 422);
    const { device } = await withPasskey();
    assert.equal((await signIn(device, falsified)).answer.status, 401);
  });
}

test('a counter that went back, as that of a copied authenticator, does not sign in', async () => {
  const { device } = await withPasskey();
  assert.equal((await signIn(device)).answer.status, 200);
  assert.equal((await signIn(device, { counter: 1 })).answer.status, 401);
});

test('a response is accepted once: neither a sign-in nor a registration can be replayed', async () => {
  const { me, device } = await withPasskey();
  const { body } = await signIn(device);
  assert.equal((await webCall(server, 'POST /session/passkey/verify', { body })).status, 401);
  const { step, response } = await register(me, new SoftwareAuthenticator(origin));
  assert.equal((await me.call('POST /me/passkeys', { body: { step, name: 'again', response } })).status, 422);
});

test('a registration that somebody else began is refused', async () => {
  const [me, other] = [await webSession(server), await webSession(server)];
  const { step, options } = (await other.call('POST /me/passkeys/options')).json;
  const response = new SoftwareAuthenticator(origin).register(options);
  assert.equal((await me.call('POST /me/passkeys', { body: { step, name: 'x', response } })).status, 422);
});

test('a challenge that this server has not made, or whose time was changed, is refused', async () => {
  const { device } = await withPasskey();
  const { step, options } = (await webCall(server, 'POST /session/passkey/options')).json;
  const [challenge, expires, signature] = step.split('.');
  for (const forged of [
    `${challenge}.${Number(expires) + 1}.${signature}`,
    `${challenge}.${expires}.`,
    challenge,
    '..',
  ]) {
    const body = { step: forged, response: device.authenticate(options) };
    assert.equal((await webCall(server, 'POST /session/passkey/verify', { body })).status, 401);
  }
});

test('a challenge ends after five minutes', async () => {
  const { device } = await withPasskey();
  const { step, options } = (await webCall(server, 'POST /session/passkey/options')).json;
  server.clock.advanceSeconds(300);
  const body = { step, response: device.authenticate(options) };
  assert.equal((await webCall(server, 'POST /session/passkey/verify', { body })).status, 401);
});

test('responses that are nonsense are refused', async () => {
  for (const response of [
    {},
    { id: 1 },
    { id: {} },
    { id: ['x'] },
    { id: 'x', response: null },
    { id: 'x', response: { clientDataJSON: 7 } },
  ]) {
    const { step } = (await webCall(server, 'POST /session/passkey/options')).json;
    assert.equal(
      (await webCall(server, 'POST /session/passkey/verify', { body: { step, response } })).status,
      401,
    );
  }
});

test('a removed passkey signs nobody in, and the last way to sign in cannot be removed', async () => {
  const { me, device } = await withPasskey();
  const id = device.id.toString('base64url');
  assert.equal((await me.call(`DELETE /me/passkeys/${id}`)).status, 409);
  assert.equal((await register(me, new SoftwareAuthenticator(origin))).answer.status, 204);
  assert.equal((await me.call(`DELETE /me/passkeys/${id}`)).status, 204);
  assert.equal((await signIn(device)).answer.status, 401);
});

test('passkeys belong to the public name of the server, or to localhost', () => {
  assert.deepEqual(relyingParty('https://names.example'), {
    id: 'names.example',
    origin: 'https://names.example',
  });
  for (const url of ['http://127.0.0.1:8080', 'http://[::1]:8080'])
    assert.deepEqual(relyingParty(url), { id: 'localhost', origin: 'http://localhost:8080' });
});

test('where single sign-on is required, a right passkey is refused with the reason', async () => {
  const { me, device } = await withPasskey();
  const account = (await server.people.findPersonById(me.person.id))?.account ?? assert.fail();
  const author = { actor: 'operator', atMs: server.clock.now() };
  const connection = { kind: 'oidc', issuer: 'https://id.example', clientId: 'x', scopes: [] } as const;
  const rules = { permissions: [], createsPeople: false, nameClaim: '', emailDomains: [] };
  const provider = { accountId: account.id, name: 'Corp', connection, rules, enabled: true, listed: false };
  await server.signOn.createProvider(provider, 1, author);
  await server.signOn.setRequired(account, true, author);
  const { answer } = await signIn(device);
  assert.equal(answer.status, 403);
  assert.match(answer.json.error.message, /requires single sign-on/);
});
