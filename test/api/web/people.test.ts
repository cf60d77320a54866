import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { PasswordHasher } from '../../../src/product/people/password-hasher.ts';
import { openSmtpReceiver, partsOf } from '../../harness/network/smtp-receiver.ts';
import { testServer } from '../../harness/server/test-server.ts';
import { webCall, webSession } from '../../harness/server/web-session.ts';

const server = await testServer({ after }, { settings: { 'limits.usersPerAccountMax': '5' } });
const admin = () => webSession(server, { permissions: ['admin'] });
/** As cheap as those of the test server. */
const passwords = new PasswordHasher({ memoryKib: 8, passes: 1 });
let names = 0;
const aName = () => `colleague${(names += 1)}`;

async function invited() {
  const boss = await admin();
  const name = aName();
  const body = { name, email: 'c@acme.example', permissions: ['triage', 'escalate'] };
  const { json } = await boss.call('POST /people', { body });
  return { boss, name, ...json };
}

test('an invited person enters by the link and is of the same account, with the given permissions', async () => {
  const { boss, name, link, person } = await invited();
  assert.match(link, /^http:\/\/127\.0\.0\.1:8080\/ui\/enter\?t=[\w-]{43}$/);
  assert.deepEqual(
    [person.name, person.email, person.permissions],
    [name, 'c@acme.example', ['triage', 'escalate']],
  );
  const answer = await webCall(server, 'POST /session/link', {
    body: { token: link.split('t=')[1] },
    from: '203.0.113.5',
  });
  assert.deepEqual([answer.json.me.account.name, answer.json.me.setup_needed], [boss.account, true]);
});

test('people are listed with how they sign in, and those of other accounts are not', async () => {
  const { boss, name } = await invited();
  await invited();
  const { people } = (await boss.call('GET /people')).json;
  assert.deepEqual(
    (people as { name: string }[]).map((person) => person.name).toSorted(),
    [String(boss.person.name), String(name)].toSorted(),
  );
});

test('a second invitation replaces the first', async () => {
  const { boss, person, link } = await invited();
  const again = (await boss.call(`POST /people/${person.id}/invite`)).json;
  const enter = async (url: string) =>
    (await webCall(server, 'POST /session/link', { body: { token: url.split('t=')[1] } })).status;
  assert.deepEqual([await enter(link), await enter(again.link)], [401, 200]);
});

test('permissions and address change, and a removed person is signed out at once', async () => {
  const boss = await admin();
  const colleague = await webSession(server, { account: boss.account, permissions: ['read'] });
  const change = { permissions: ['manage'], email: 'new@acme.example' };
  const { json } = await boss.call(`PATCH /people/${colleague.person.id}`, { body: change });
  assert.deepEqual([json.person.permissions, json.person.email], [['manage'], 'new@acme.example']);
  assert.equal(
    (await boss.call(`PATCH /people/${colleague.person.id}`, { body: { email: null } })).json.person.email,
    null,
  );
  assert.deepEqual((await colleague.call('GET /me')).json.permissions, ['read', 'manage']);
  assert.equal((await boss.call(`DELETE /people/${colleague.person.id}`)).status, 204);
  assert.equal((await colleague.call('GET /me')).status, 401);
});

test('people of another account cannot be seen, changed, removed or invited', async () => {
  const [boss, stranger] = [await admin(), await webSession(server)];
  const path = `/people/${stranger.person.id}`;
  for (const [route, body] of [
    [`PATCH ${path}`, { permissions: ['read'] }],
    [`DELETE ${path}`],
    [`POST ${path}/invite`],
  ] as const)
    assert.equal((await boss.call(route, body ? { body } : {})).status, 404, route);
  assert.equal((await stranger.call('GET /me')).status, 200);
});

test('a name that is taken anywhere, or cannot be one, is refused with 422 and does not say why', async () => {
  const [boss, stranger] = [await admin(), await webSession(server)];
  const { username } = await server.user();
  const answers = [];
  for (const name of [stranger.person.name, stranger.person.name.toUpperCase(), username])
    answers.push((await boss.call('POST /people', { body: { name } })).json.error);
  assert.equal(new Set(answers.map(({ message }) => message)).size, 1);
  const invalid = await boss.call('POST /people', {
    body: { name: 'two words', permissions: ['fly'], email: 'x' },
  });
  assert.deepEqual([invalid.status, Object.keys(invalid.json.error.fields)], [422, ['permissions']]);
  const noMail = await boss.call('POST /people', { body: { name: aName(), email: 'x' } });
  assert.deepEqual(Object.keys(noMail.json.error.fields), ['email']);
});

test('an account has no more people than the setting allows', async () => {
  const boss = await admin();
  const statuses: number[] = [];
  for (let count = 0; count < 5; count += 1)
    statuses.push((await boss.call('POST /people', { body: { name: aName() } })).status);
  assert.deepEqual(statuses, [200, 200, 200, 200, 403]);
});

test('nobody but the API owner invites, changes or removes the API owner', async () => {
  const { username, caller } = await server.user({ permissions: ['admin'] });
  const { name: account } = caller.account;
  const boss = await webSession(server, { account, permissions: ['admin'] });
  assert.equal((await boss.call('POST /people', { body: { name: username } })).status, 403);
  const owner = await webSession(server, { account, name: username, permissions: ['admin'] });
  assert.equal((await owner.call('GET /me')).json.api_owner, true);
  const path = `/people/${owner.person.id}`;
  for (const [route, body] of [
    [`PATCH ${path}`, { permissions: ['read'] }],
    [`DELETE ${path}`],
    [`POST ${path}/invite`],
  ] as const)
    assert.equal((await boss.call(route, body ? { body } : {})).status, 403, route);
  assert.equal((await owner.call(`DELETE /people/${boss.person.id}`)).status, 204);
});

test('administrators neither remove themselves nor their own permission', async () => {
  const boss = await admin();
  const path = `/people/${boss.person.id}`;
  assert.equal((await boss.call(`DELETE ${path}`)).status, 409);
  assert.equal((await boss.call(`PATCH ${path}`, { body: { permissions: ['read'] } })).status, 409);
});

test('what administrators do is in the audit log under their name', async () => {
  const { boss, name } = await invited();
  const entries = await server.accounts.listAudit({ account: boss.account, limit: 2 });
  assert.deepEqual(
    entries.map(({ actor, action, username }) => [actor, action, username]),
    [
      [boss.person.name, 'sign-in-link.create', name],
      [boss.person.name, 'person.create', name],
    ],
  );
  assert.doesNotMatch(JSON.stringify(entries), /t=|token/);
});

test('a disabled person is signed out at once and cannot sign in by link or password, until enabled', async () => {
  const boss = await admin();
  const colleague = await webSession(server, { account: boss.account });
  const author = { actor: 'operator', atMs: server.clock.now() };
  await server.people.setPasswordHash(
    colleague.person.id,
    await passwords.hash('open the door please'),
    author,
  );
  const path = `/people/${colleague.person.id}`;
  const { link } = (await boss.call(`POST ${path}/invite`)).json;
  const signIn = async () =>
    (
      await webCall(server, 'POST /session', {
        body: { username: colleague.person.name, password: 'open the door please' },
      })
    ).status;
  const { json } = await boss.call(`PATCH ${path}`, { body: { disabled: true } });
  assert.equal(json.person.disabled, new Date(server.clock.now()).toISOString());
  assert.equal((await colleague.call('GET /me')).status, 401);
  const token = link.split('t=')[1];
  assert.equal((await webCall(server, 'POST /session/link', { body: { token } })).status, 401);
  assert.equal(await signIn(), 401);
  assert.equal((await boss.call(`POST ${path}/invite`)).status, 409);
  await boss.call(`PATCH ${path}`, { body: { disabled: false } });
  assert.equal(await signIn(), 200);
});

test('sessions of a colleague end, and second factors are reset; oneself keeps the session one is in', async () => {
  const boss = await admin();
  const colleague = await webSession(server, { account: boss.account });
  const author = { actor: 'operator', atMs: server.clock.now() };
  await server.people.beginTotp(colleague.person.id, 'JBSWY3DPEHPK3PXP');
  await server.people.confirmTotp(colleague.person.id, { step: 1, recoveryDigests: [] }, author);
  const path = `/people/${colleague.person.id}`;
  const { people } = (await boss.call('GET /people')).json;
  const listed = people.find(({ id }: { id: string }) => id === colleague.person.id);
  assert.deepEqual([listed.sessions, listed.credentials.totp], [1, true]);
  assert.deepEqual((await boss.call(`DELETE ${path}/sessions`)).json, { ended: 1 });
  assert.equal((await colleague.call('GET /me')).status, 401);
  const { person } = (await boss.call(`DELETE ${path}/second-factors`)).json;
  assert.deepEqual([person.credentials.totp, person.credentials.password, person.sessions], [false, true, 0]);
  assert.deepEqual((await boss.call(`DELETE /people/${boss.person.id}/sessions`)).json, { ended: 0 });
  assert.equal((await boss.call(`DELETE /people/${boss.person.id}/second-factors`)).status, 409);
  assert.equal(
    (await boss.call(`PATCH /people/${boss.person.id}`, { body: { disabled: true } })).status,
    409,
  );
});

test('an operator of the server is managed by operators alone, and says so to the app', async () => {
  const boss = await admin();
  const operator = await webSession(server, { account: boss.account, permissions: ['admin'] });
  const author = { actor: 'operator', atMs: server.clock.now() };
  await server.people.updatePerson(operator.person.id, { operator: true }, author);
  assert.deepEqual(
    [(await operator.call('GET /me')).json.operator, (await boss.call('GET /me')).json.operator],
    [true, false],
  );
  const path = `/people/${operator.person.id}`;
  for (const [route, body] of [
    [`PATCH ${path}`, { disabled: true }],
    [`DELETE ${path}`],
    [`POST ${path}/invite`],
    [`DELETE ${path}/sessions`],
    [`DELETE ${path}/second-factors`],
  ] as const)
    assert.equal((await boss.call(route, body ? { body } : {})).status, 403, route);
  assert.equal((await operator.call(`DELETE /people/${boss.person.id}`)).status, 204);
});

test('an invitation is mailed where mail is configured, and the link is shown also when the mail fails', async (t) => {
  let verdict = '250 accepted';
  const receiver = await openSmtpReceiver(t, { verdict: () => verdict });
  const mailing = await testServer(t, {
    settings: {
      'mail.host': '127.0.0.1',
      'mail.port': String(receiver.port),
      'mail.security': 'none',
      'mail.from': 'nameglass@acme.example',
    },
  });
  const boss = await webSession(mailing, { permissions: ['admin'] });
  const invite = async (body: object) => (await boss.call('POST /people', { body })).json;
  const sent = await invite({ name: 'mailed', email: 'mailed@acme.example' });
  assert.deepEqual([sent.mailed, sent.mail_error], [true, null]);
  const [letter] = receiver.letters;
  assert.deepEqual([receiver.letters.length, letter?.to], [1, ['TO:<mailed@acme.example>']]);
  const text = letter && partsOf(letter).get('text/plain');
  assert.ok(text?.includes(sent.link) && text.includes(boss.person.name), text);
  const silent = await invite({ name: 'unmailed' });
  assert.deepEqual([silent.mailed, silent.mail_error], [false, null]);
  verdict = '554 refused';
  const failed = await invite({ name: 'failed', email: 'failed@acme.example' });
  assert.deepEqual([failed.mailed, typeof failed.mail_error], [false, 'string']);
  assert.match(failed.link, /\/ui\/enter\?t=/);
});
