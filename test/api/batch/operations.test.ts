/** Rules that apply to every operation of the batch API. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sharedServers } from '../../harness/server/shared-servers.ts';
import { testServer } from '../../harness/server/test-server.ts';
import { append, assertNok, callBatch, day, spanOf } from './batch-fixture.ts';

const sharedServer = sharedServers();

const operations = ['/v1/validate', '/v1/batch/chdetails', '/v1/batch/chfetch', '/v1/batch/makeurl'];

/** Members that are valid for every operation. */
const members = { ...spanOf('12:00', '12:05'), channels: [212] };

test('BAT-01 BAT-02 every operation is POST under /batchd/v1/; another method is 405, another version 404', async (t) => {
  const server = await testServer(t);
  const { batchKey } = await server.user();
  await append(server, 212, `${day}T12:00:00Z`, ['a.example']);
  const body = { apikey: batchKey, ...members };
  for (const path of operations) {
    assert.equal((await server.call(`POST /batchd${path}`, { body })).status, 200, path);
    assert.equal((await server.call(`POST /batchd${path}/`, { body })).status, 200, path);
    assertNok(await server.call(`GET /batchd${path}`), 405, 'method-not-allowed');
    assertNok(await server.call(`PUT /batchd${path}`, { body }), 405, 'method-not-allowed');
    assertNok(await server.call(`POST /batchd${path.replace('v1', 'v2')}`, { body }), 404, 'not-found');
  }
});

test('BAT-03 the body of every operation is JSON whatever the content type says', async (t) => {
  const server = await testServer(t);
  const { batchKey } = await server.user();
  await append(server, 212, `${day}T12:00:00Z`, ['a.example']);
  const body = JSON.stringify({ apikey: batchKey, ...members });
  for (const path of operations) {
    for (const type of [
      'application/json',
      'application/x-www-form-urlencoded',
      'text/plain;charset=UTF-8',
    ]) {
      const answer = await server.call(`POST /batchd${path}`, { headers: { 'content-type': type }, body });
      assert.equal(answer.status, 200, `${path} ${type}`);
    }
  }
});

test('BAT-04 BAT-40 BAT-41 BAT-42 BAT-43 every operation validates the key before anything else', async () => {
  const server = await sharedServer();
  const { key, batchKey } = await server.user();
  const headers = { 'x-api-key': batchKey, authorization: `Bearer ${batchKey}` };
  for (const path of operations) {
    const at = `POST /batchd${path}`;
    assertNok(await server.call(at, { body: '[]' }), 403, 'invalid-parameters', 'body');
    assertNok(await server.call(at, { body: { channel: 'x' } }), 403, 'missing-api-key');
    assertNok(
      await server.call(`${at}?apikey=${batchKey}`, { body: members, headers }),
      403,
      'missing-api-key',
    );
    assertNok(await server.call(at, { body: { apikey: key } }), 403, 'invalid-parameters', 'apikey');
    const apikey = '00000000-0000-4000-8000-000000000001';
    assertNok(await server.call(at, { body: { apikey, channel: 'x', channels: 0 } }), 403, 'session-failure');
  }
});

test('BAT-44 each missing member is named', async () => {
  const server = await sharedServer();
  const { batchKey } = await server.user();
  for (const operation of ['chfetch', 'makeurl'] as const) {
    for (const name of ['channel', 'start_time', 'end_time']) {
      const answer = await callBatch(server, operation, batchKey, { ...members, [name]: undefined });
      assertNok(answer, 403, 'invalid-parameters', name);
      assert.match(answer.json.invalid_parameters.reason, /but received nothing$/);
    }
  }
});

test('BAT-47 BAT-48 BAT-50 a store failure is a 500 with the NOK body, and its cause is only in the log', async (t) => {
  const server = await testServer(t);
  const { batchKey } = await server.user();
  await server.closeStores();
  for (const operation of ['chdetails', 'chfetch'] as const) {
    const answer = await callBatch(server, operation, batchKey, members);
    assertNok(answer, 500, 'internal-error');
    assert.doesNotMatch(answer.text, /database|sqlite|\.ts|connection/i);
    assert.ok(server.log().includes(answer.json.logid));
  }
});

test('BAT-51 the number of downloads is not limited', async (t) => {
  const server = await testServer(t);
  const { batchKey } = await server.user();
  const text = await append(server, 212, `${day}T12:00:00Z`, ['a.example']);
  for (let round = 0; round < 10; round += 1) {
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => callBatch(server, 'chfetch', batchKey, members)),
    );
    assert.deepEqual([...new Set(answers.map((answer) => answer.text))], [text]);
  }
});

test('the log has user and operation of each request, and no key', async (t) => {
  const server = await testServer(t);
  const { batchKey, username } = await server.user();
  await append(server, 212, `${day}T12:00:00Z`, ['a.example']);
  for (const operation of ['chdetails', 'chfetch', 'makeurl'] as const) {
    await callBatch(server, operation, batchKey, members);
    assert.ok(server.log().includes(`"operation":"${operation}","status":200,"user":"${username}"`));
  }
  assert.ok(!server.log().includes(batchKey));
});

for (const prefix of ['/siebatchd/v1/siebatch', '/vendor/batchd/v1/batch']) {
  test(`the compatibility profile serves every operation under ${prefix}`, async (t) => {
    const server = await testServer(t, { settings: { 'compat.profile': 'vendor' } });
    const { batchKey } = await server.user();
    const text = await append(server, 212, `${day}T12:00:00Z`, ['a.example']);
    const call = (operation: string) =>
      server.call(`POST ${prefix}/${operation}`, { body: { apikey: batchKey, ...members } });
    const details = (await call('chdetails')).json;
    assert.deepEqual([details.channels.ch212.size, details['_status']], [text.length, 'OK']);
    assert.equal((await call('chfetch')).text, text);
    const { pathname, search } = new URL((await call('makeurl')).json.url);
    assert.ok(pathname.startsWith('/range/ch212/'));
    assert.equal((await server.call(`GET ${pathname}${search}`)).text, text);
    const nok = await server.call(`POST ${prefix}/chfetch`, {
      body: { ...members, apikey: batchKey, channel: '1' },
    });
    assertNok(nok, 403, 'invalid-parameters', 'channel');
    const profile = await server.call(`POST ${prefix.replace(/\/\w+$/, '')}/validate`, {
      body: { apikey: batchKey },
    });
    assert.deepEqual(Object.keys(profile.json.profile), ['username', 'siebatch']);
  });
}

test('without the profile its paths return 404', async () => {
  const server = await sharedServer();
  const { batchKey } = await server.user();
  const answer = await server.call('POST /siebatchd/v1/siebatch/chdetails', {
    body: { apikey: batchKey, channels: [212] },
  });
  assert.equal(answer.status, 404);
});

test('the OpenAPI description lists every operation and the downloads', async () => {
  const server = await sharedServer();
  const { paths } = (await server.call('GET /openapi.json')).json;
  for (const path of operations) assert.deepEqual(Object.keys(paths[`/batchd${path}`]), ['post']);
  assert.deepEqual(Object.keys(paths['/range/{channel}/{range}']), ['get']);
});
