import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testServer } from '../../harness/server/test-server.ts';
import { webCall, webSession } from '../../harness/server/web-session.ts';

const server = await testServer({ after });

test('the signed-in person is answered with account, permissions, preferences and the server', async () => {
  const me = await webSession(server, { permissions: ['triage'] });
  const { json } = await me.call('GET /me');
  assert.deepEqual(json.person, { name: me.person.name });
  assert.deepEqual(json.account, { name: me.account });
  assert.deepEqual(json.permissions, ['read', 'triage']);
  assert.equal(json.api_owner, false);
  assert.deepEqual(json.preferences, {
    theme: 'system',
    density: 'comfortable',
    zone: 'local',
    single_keys: true,
    guided_pivot_threshold: 500,
  });
  assert.deepEqual([json.server.version, json.server.demo], ['test', false]);
});

test('an administrator is answered with every permission, because admin includes all', async () => {
  const { json } = await (await webSession(server, { permissions: ['admin'] })).call('GET /me');
  assert.deepEqual(json.permissions, ['read', 'triage', 'escalate', 'manage', 'ingest', 'admin']);
});

test('without a session the answer is 401 signed-out', async () => {
  const answer = await webCall(server, 'GET /me');
  assert.equal(answer.status, 401);
  assert.equal(answer.json.error.code, 'signed-out');
  assert.equal(answer.json.request_id, answer.headers['x-request-id']);
});

test('preferences change one by one and stay', async () => {
  const me = await webSession(server);
  await me.call('PATCH /me', { body: { preferences: { theme: 'dark' } } });
  await me.call('PATCH /me', { body: { preferences: { guided_pivot_threshold: 20 } } });
  const { preferences } = (await me.call('GET /me')).json;
  assert.deepEqual(
    [preferences.theme, preferences.guided_pivot_threshold, preferences.zone],
    ['dark', 20, 'local'],
  );
});

test('an invalid preference is answered with 422 and names the field', async () => {
  const me = await webSession(server);
  const answer = await me.call('PATCH /me', { body: { preferences: { theme: 'pink' } } });
  assert.equal(answer.status, 422);
  assert.deepEqual(Object.keys(answer.json.error.fields), ['preferences']);
});

test('a body that is not JSON, or not declared as JSON, is answered with 400', async () => {
  const me = await webSession(server);
  const broken = await me.call('PATCH /me', { body: '{' });
  const form = await me.call('PATCH /me', {
    body: 'preferences[theme]=dark',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  assert.deepEqual([broken.status, form.status], [400, 400]);
  assert.match(form.json.error.message, /application\/json/);
});

test('a person without password and passkey can set one up and do nothing else', async () => {
  const me = await webSession(server, { permissions: ['admin'], hasPassword: false });
  assert.equal((await me.call('GET /me')).json.setup_needed, true);
  const answer = await me.call('GET /people');
  assert.deepEqual([answer.status, answer.json.error.code], [403, 'setup-needed']);
  const password = { password: 'seven unrelated otters' };
  assert.equal((await me.call('PUT /me/password', { body: password })).status, 204);
  assert.equal((await me.call('GET /people')).status, 200);
});

test('in the demonstration nobody needs a password', async (t) => {
  const demo = await testServer(t, { settings: { demo: 'true' } });
  const me = await webSession(demo, { permissions: ['admin'], hasPassword: false });
  assert.equal((await me.call('GET /me')).json.setup_needed, false);
  assert.equal((await me.call('GET /people')).status, 200);
});

test('a person of an account that is switched off is signed out, and back when it is on again', async () => {
  const me = await webSession(server);
  const author = { actor: 'operator', atMs: server.clock.now() };
  await server.accounts.setAccountActive(me.account, false, author);
  assert.equal((await me.call('GET /me')).status, 401);
  await server.accounts.setAccountActive(me.account, true, author);
  assert.equal((await me.call('GET /me')).status, 200);
});

test('an unknown path below the API is answered in JSON, whatever the method', async () => {
  for (const route of ['GET /nothing', 'POST /nothing/else', 'GET /', 'DELETE /me']) {
    const answer = await webCall(server, route);
    assert.deepEqual([answer.status, answer.json.error.code], [404, 'no-such-path'], route);
  }
});
