import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newToken } from '../../../src/product/people/session-token.ts';
import { testServer } from '../../harness/server/test-server.ts';
import { webCall, webSession } from '../../harness/server/web-session.ts';

const server = await testServer({ after });

/** One more session of the same person. */
async function another(personId: string) {
  const { token, tokenDigest } = newToken();
  const given = { personId, tokenDigest, address: '192.0.2.7', agent: 'Phone', method: 'test' };
  const { id } = await server.sessions.createSession(given, { actor: 'test', atMs: server.clock.now() });
  return { id, cookie: `ng=${token}` };
}

const statusOf = async (cookie: string) => (await webCall(server, 'GET /me', { cookie })).status;

test('sessions are listed with device, address and times, and the current one is marked', async () => {
  const me = await webSession(server);
  server.clock.advanceSeconds(1);
  const phone = await another(me.person.id);
  const { sessions } = (await me.call('GET /sessions')).json;
  assert.deepEqual(
    sessions.map(({ id, current, address, agent }: Record<string, unknown>) => [id, current, address, agent]),
    [
      [phone.id, false, '192.0.2.7', 'Phone'],
      [me.sessionId, true, '127.0.0.1', 'test'],
    ],
  );
});

test('signing out ends the session on the server and removes the cookie', async () => {
  const me = await webSession(server);
  const answer = await me.call('DELETE /session');
  assert.equal(answer.status, 204);
  assert.match(String(answer.headers['set-cookie']), /^ng=; .*Max-Age=0$/);
  assert.equal(await statusOf(me.cookie), 401);
});

test('one session is ended from another, or all others at once', async () => {
  const me = await webSession(server);
  const [one, two, three] = [
    await another(me.person.id),
    await another(me.person.id),
    await another(me.person.id),
  ];
  assert.equal((await me.call(`DELETE /sessions/${one.id}`)).status, 204);
  assert.deepEqual([await statusOf(one.cookie), await statusOf(two.cookie)], [401, 200]);
  assert.deepEqual((await me.call('DELETE /sessions')).json, { ended: 2 });
  assert.deepEqual(
    [await statusOf(two.cookie), await statusOf(three.cookie), await statusOf(me.cookie)],
    [401, 401, 200],
  );
});

test('a session of somebody else can be neither seen nor ended', async () => {
  const [me, other] = [await webSession(server), await webSession(server)];
  assert.equal((await me.call(`DELETE /sessions/${other.sessionId}`)).status, 404);
  assert.equal(await statusOf(other.cookie), 200);
});

test('a session ends after 12 idle hours, and after 7 days in any case', async () => {
  const me = await webSession(server);
  server.clock.advanceSeconds(12 * 3600 - 1);
  assert.equal(await statusOf(me.cookie), 200);
  server.clock.advanceSeconds(12 * 3600);
  assert.equal(await statusOf(me.cookie), 401);
  const busy = await webSession(server);
  for (let hours = 0; hours < 7 * 24; hours += 8) {
    assert.equal(await statusOf(busy.cookie), 200);
    server.clock.advanceSeconds(8 * 3600);
  }
  assert.equal(await statusOf(busy.cookie), 401);
});

test('a sign-in in the same browser replaces the session: a token that somebody planted stays worthless', async () => {
  const me = await webSession(server);
  const planted = `ng=${'A'.repeat(43)}`;
  const body = { password: 'seven unrelated otters' };
  await me.call('PUT /me/password', { body });
  const signIn = await webCall(server, 'POST /session', {
    cookie: planted,
    body: { username: me.person.name, ...body },
  });
  const cookie = String(signIn.headers['set-cookie']).split(';')[0] as string;
  assert.notEqual(cookie, planted);
  assert.deepEqual([await statusOf(planted), await statusOf(cookie)], [401, 200]);
  await webCall(server, 'POST /session', { cookie, body: { username: me.person.name, ...body } });
  assert.equal(await statusOf(cookie), 401);
});

test('a sign-in of somebody else in the same browser ends the session before', async () => {
  const [me, other] = [await webSession(server), await webSession(server)];
  const body = { password: 'seven unrelated otters' };
  await other.call('PUT /me/password', { body });
  await webCall(server, 'POST /session', {
    cookie: me.cookie,
    body: { username: other.person.name, ...body },
    from: '198.51.100.200',
  });
  assert.equal(await statusOf(me.cookie), 401);
});

test('two cookies of the name, one of them planted, are none', async () => {
  const me = await webSession(server);
  assert.equal(await statusOf(`ng=${'A'.repeat(43)}; ${me.cookie}`), 401);
  assert.equal(await statusOf(`other=1; ${me.cookie}; theme=x`), 200);
});

test('a change of permissions counts at once and gives the session a new token', async () => {
  const me = await webSession(server, { permissions: ['read'] });
  assert.equal((await me.call('GET /people')).status, 403);
  const author = { actor: 'operator', atMs: server.clock.now() };
  await server.people.updatePerson(me.person.id, { permissions: ['admin'] }, author);
  const answer = await me.call('GET /people');
  assert.equal(answer.status, 200);
  const cookie = String(answer.headers['set-cookie']).split(';')[0] as string;
  assert.equal((await me.call('GET /people')).headers['set-cookie'], undefined);
  server.clock.advanceSeconds(61);
  assert.deepEqual([await statusOf(me.cookie), await statusOf(cookie)], [401, 200]);
});

test('of requests at the same time after a change of permissions one gets the new token, and all are answered', async () => {
  const me = await webSession(server, { permissions: ['read'] });
  await server.people.updatePerson(
    me.person.id,
    { permissions: ['triage'] },
    { actor: 'operator', atMs: server.clock.now() },
  );
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => webCall(server, 'GET /me', { cookie: me.cookie })),
  );
  assert.ok(answers.every(({ status }) => status === 200));
  assert.equal(answers.filter(({ headers }) => headers['set-cookie'] !== undefined).length, 1);
});

test('the use of a session is written down at most once a minute', async () => {
  const me = await webSession(server);
  const seen = async () => (await me.call('GET /sessions')).json.sessions[0].seen;
  const first = await seen();
  server.clock.advanceSeconds(59);
  assert.equal(await seen(), first);
  server.clock.advanceSeconds(1);
  await seen();
  assert.notEqual(await seen(), first);
});
