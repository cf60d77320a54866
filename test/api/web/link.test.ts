import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createSignInLink } from '../../../src/product/people/sign-in-links.ts';
import { behindProxy } from '../../harness/server/client-address.ts';
import { testServer } from '../../harness/server/test-server.ts';
import { webCall, webSession } from '../../harness/server/web-session.ts';

const server = await testServer({ after });
const local = '127.0.0.1';
const elsewhere = '203.0.113.9';

async function aLink({ loopbackOnly = false, seconds = 600 } = {}) {
  const { person, account } = await webSession(server, { hasPassword: false });
  const author = { actor: 'operator', atMs: server.clock.now() };
  const request = { personId: person.id, lifetimeMs: seconds * 1000, loopbackOnly };
  const { path } = await createSignInLink(request, author, server);
  const token = path.split('t=')[1] as string;
  const post = (below = '', from = local) =>
    webCall(server, `POST /session/link${below}`, { body: { token }, from });
  return {
    person,
    account,
    path,
    token,
    enter: (from?: string) => post('', from),
    show: () => post('/person'),
  };
}

test('a link signs in its person, once', async () => {
  const { person, enter } = await aLink();
  const first = await enter();
  assert.equal(first.json.me.person.name, person.name);
  const second = await enter();
  assert.deepEqual([second.status, second.json.error.code], [401, 'credentials-invalid']);
  assert.match(second.json.error.message, /nameglass signin/);
});

test('of many uses of a link at the same time one signs in', async () => {
  const { enter } = await aLink();
  const answers = await Promise.all(Array.from({ length: 10 }, () => enter()));
  assert.deepEqual(answers.filter(({ status }) => status === 200).length, 1);
});

test('opening the address of a link, or prefetching it, neither signs in nor uses it up', async () => {
  const { path, enter } = await aLink();
  for (const method of ['GET', 'HEAD', 'GET']) {
    const answer = await server.call(`${method} ${path}`, {
      headers: { host: 'localhost', 'sec-purpose': 'prefetch' },
    });
    assert.equal(answer.headers['set-cookie'], undefined);
  }
  assert.equal((await enter()).status, 200);
});

test('whom a link is for can be read any number of times before it is used', async () => {
  const { person, account, show, enter } = await aLink();
  await show();
  assert.deepEqual((await show()).json, {
    person: { name: person.name },
    account: { name: account },
    demo: false,
  });
  await enter();
  assert.equal((await show()).status, 401);
});

test('a link ends after its time, and with the next one', async () => {
  const { enter } = await aLink({ seconds: 600 });
  server.clock.advanceSeconds(600);
  assert.equal((await enter()).status, 401);
});

const unknownProxy = { skip: behindProxy('it is about a proxy that the settings do not name') };

test(
  'a link that is bound to this machine works from a loopback address alone, without a proxy',
  unknownProxy,
  async () => {
    const { token, enter } = await aLink({ loopbackOnly: true });
    assert.equal((await enter(elsewhere)).status, 403);
    const forwarded = await webCall(server, 'POST /session/link', {
      body: { token },
      from: local,
      headers: { 'x-forwarded-for': elsewhere },
    });
    assert.equal(forwarded.status, 403);
    assert.equal((await enter('::1')).status, 200);
  },
);

test('a link that is not bound works from everywhere', async () => {
  const { enter } = await aLink();
  assert.equal((await enter(elsewhere)).status, 200);
});

test('texts that are no token are refused like one that is unknown', async () => {
  for (const token of ['x', 'A'.repeat(43), "' or 1=1 --", '../../../etc/passwd'])
    assert.equal((await webCall(server, 'POST /session/link', { body: { token } })).status, 401);
});

test('no token of a link is in the log or in the database', async () => {
  const { path, token, enter } = await aLink();
  await server.call(`GET ${path}`, { headers: { host: 'localhost' } });
  await enter();
  assert.equal(server.log().includes(token), false);
  assert.match(server.log(), /ui\/enter\?t=redacted/);
});
