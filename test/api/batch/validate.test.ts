import assert from 'node:assert/strict';
import { METHODS } from 'node:http';
import { test } from 'node:test';
import { behindProxy, refusedByProxies } from '../../harness/server/client-address.ts';
import { sharedServers } from '../../harness/server/shared-servers.ts';
import type { Answer, TestServer } from '../../harness/server/test-server.ts';
import { testServer } from '../../harness/server/test-server.ts';

const sharedServer = sharedServers();

const validate = 'POST /batchd/v1/validate';
const nobodysKey = '00000000-0000-4000-8000-000000000001';
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const tryKey = (server: TestServer, apikey: unknown) => server.call(validate, { body: { apikey } });

function assertNok(answer: Answer, status: number, type: string): void {
  assert.equal(answer.status, status);
  assert.equal(answer.json['_status'], 'NOK');
  assert.equal(answer.json.status, status);
  assert.equal(answer.json.type, type);
}

/** Every NOK body that the API can return. */
async function everyNok(server: TestServer): Promise<readonly Answer[]> {
  const answers = [
    await server.call(validate, { body: {} }),
    await server.call(validate, { body: '{' }),
    await tryKey(server, 5),
    await tryKey(server, nobodysKey),
    await server.call('GET /batchd/v1/validate'),
    await server.call('POST /batchd/v1/nothing', { body: {} }),
    await server.call('POST /batchd/v2/validate', { body: {} }),
  ];
  await server.closeStores();
  return [...answers, await tryKey(server, nobodysKey)];
}
const everyStatus = [403, 403, 403, 403, 405, 404, 404, 500];

test('BAT-01 operations are under /batchd/v1/; another version, or none, returns 404', async () => {
  const server = await sharedServer();
  const body = { apikey: (await server.user()).batchKey };
  assert.equal((await server.call(validate, { body })).status, 200);
  for (const path of [
    '/batchd/v2/validate',
    '/batchd/v0/validate',
    '/batchd/validate',
    '/batchd',
    '/v1/validate',
    '/validate',
  ]) {
    assert.deepEqual([path, (await server.call(`POST ${path}`, { body })).status], [path, 404]);
  }
});

test('BAT-02 every other method returns 405', async () => {
  const server = await sharedServer();
  const others = METHODS.filter((method) => !['POST', 'CONNECT'].includes(method));
  const statuses: [string, number][] = [];
  for (const method of others)
    statuses.push([method, (await server.call(`${method} /batchd/v1/validate`)).status]);
  assert.deepEqual(
    statuses.filter(([, status]) => status !== 405),
    [],
  );
});

test('BAT-02 GET, HEAD, PUT, PATCH, DELETE and OPTIONS return 405, with or without a body, and Allow names POST', async () => {
  const server = await sharedServer();
  const { batchKey } = await server.user();
  for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    for (const options of [
      {},
      { body: { apikey: batchKey } },
      { body: '{', headers: { 'content-type': 'application/json' } },
    ]) {
      const answer = await server.call(`${method} /batchd/v1/validate`, options);
      assert.deepEqual([method, answer.status, answer.headers['allow']], [method, 405, 'POST']);
    }
  }
});

for (const contentType of [
  'application/json',
  'application/json; charset=utf-8',
  'application/x-www-form-urlencoded',
  'text/plain;charset=UTF-8',
  'application/octet-stream',
  'nonsense',
  undefined,
]) {
  test(`BAT-03 the JSON body is parsed with content type ${contentType ?? 'absent'}`, async () => {
    const server = await sharedServer();
    const { batchKey, username } = await server.user();
    const answer = await server.call(validate, {
      headers: contentType === undefined ? {} : { 'content-type': contentType },
      body: JSON.stringify({ apikey: batchKey }),
    });
    assert.equal(answer.status, 200);
    assert.equal(answer.json.profile.username, username);
  });
}

for (const body of [' ', '[]', '"text"', '12', 'null', 'true', '{', 'apikey=x', '{"apikey":"x"}}']) {
  test(`BAT-04 the body ${JSON.stringify(body)} is not a JSON object: 403 invalid-parameters`, async () => {
    const server = await sharedServer();
    assertNok(await server.call(validate, { body }), 403, 'invalid-parameters');
  });
}

test('BAT-05 BAT-06 BAT-07 BAT-08 validate returns the key’s profile, OK and an empty message', async () => {
  const server = await sharedServer();
  const { batchKey } = await server.user({ username: 'acme-1', channels: [204, 212] });
  const answer = await tryKey(server, batchKey);
  assert.equal(answer.status, 200);
  assert.match(String(answer.headers['content-type']), /^application\/json\b/);
  assert.deepEqual(answer.json, {
    profile: {
      username: 'acme-1',
      batch: {
        ch204: { description: 'Processed DNS Data' },
        ch212: { description: 'Newly Observed Domains' },
      },
    },
    _status: 'OK',
    _message: '',
  });
});

test('BAT-06 the username is that of the key, not of the account', async () => {
  const server = await sharedServer();
  const first = await server.user({ username: 'first', account: 'acme' });
  const second = await server.user({ username: 'second', account: 'acme' });
  assert.equal((await tryKey(server, first.batchKey)).json.profile.username, 'first');
  assert.equal((await tryKey(server, second.batchKey)).json.profile.username, 'second');
});

test('BAT-07 the profile lists exactly the channels that each key may access', async () => {
  const channels =
    '{"7": {description: Lucky, mimetype: application/x-ndjson}, "212": {description: Names, mimetype: application/x-ndjson}}';
  const server = await sharedServer({ settings: { 'batch.channels': channels } });
  const of = async (granted: readonly number[]) =>
    (await tryKey(server, (await server.user({ channels: granted })).batchKey)).json.profile.batch;
  assert.deepEqual(await of([]), {});
  assert.deepEqual(await of([7]), { ch7: { description: 'Lucky' } });
  assert.deepEqual(await of([212, 7]), { ch7: { description: 'Lucky' }, ch212: { description: 'Names' } });
});

test('BAT-07 a key for all channels has those of its own account and none of another, unless the operator lists it', async () => {
  const lines = '{description: Lines, mimetype: application/x-ndjson}';
  const channels = `{"42": ${lines}, "43": ${lines}, "44": ${lines}, "212": ${lines}}`;
  const server = await sharedServer({ settings: { 'batch.channels': channels } });
  const owner = await server.user({ ownChannels: [42, 212] });
  const other = await server.user({ ownChannels: [43] });
  const subscriber = await server.user({ channels: [42, 212] });
  const of = async ({ batchKey }: { batchKey: string }) =>
    Object.keys((await tryKey(server, batchKey)).json.profile.batch);
  assert.deepEqual(await of(owner), ['ch42', 'ch44', 'ch212']);
  assert.deepEqual(await of(other), ['ch43', 'ch44', 'ch212']);
  assert.deepEqual(await of(subscriber), ['ch42', 'ch212']);
  for (const [user, channel, status] of [
    [owner, 43, 403],
    [other, 42, 403],
    [subscriber, 42, 200],
  ] as const) {
    const body = { apikey: user.batchKey, channels: [channel] };
    assert.equal((await server.call('POST /batchd/v1/batch/chdetails', { body })).status, status);
  }
});

test('BAT-40 a key in a header or in the query string is not read: 403 missing-api-key', async () => {
  const server = await sharedServer();
  const { batchKey, username, key } = await server.user();
  const basic = (secret: string) => `Basic ${Buffer.from(`${username}:${secret}`).toString('base64')}`;
  for (const headers of [
    { 'x-api-key': batchKey },
    { 'x-api-key': key },
    { apikey: batchKey },
    { authorization: `Bearer ${batchKey}` },
    { authorization: basic(batchKey) },
  ]) {
    assertNok(await server.call(validate, { headers, body: {} }), 403, 'missing-api-key');
  }
  for (const query of [
    `apikey=${batchKey}`,
    `api_key=${batchKey}`,
    `api_username=${username}&api_key=${key}`,
  ]) {
    assertNok(await server.call(`${validate}?${query}`, { body: {} }), 403, 'missing-api-key');
  }
});

test('BAT-41 a request without apikey returns 403 missing-api-key', async () => {
  const server = await sharedServer();
  const { batchKey } = await server.user();
  for (const body of [
    '',
    {},
    { APIKEY: batchKey },
    { api_key: batchKey },
    { nested: { apikey: batchKey } },
  ]) {
    assertNok(await server.call(validate, { body }), 403, 'missing-api-key');
  }
});

for (const apikey of [
  5,
  true,
  [],
  {},
  '',
  'nobody',
  '00000000-0000-4000-8000-00000000000',
  ` ${nobodysKey}`,
  null,
]) {
  test(`BAT-42 BAT-45 the apikey ${JSON.stringify(apikey)} is not a string in UUID format: 403 invalid-parameters`, async () => {
    const server = await sharedServer();
    const answer = await tryKey(server, apikey);
    assertNok(answer, 403, 'invalid-parameters');
    assert.equal(answer.json.invalid_parameters.name, 'apikey');
  });
}

test('BAT-42 a valid platform key is not a batch key', async () => {
  const server = await sharedServer();
  assertNok(await tryKey(server, (await server.user()).key), 403, 'invalid-parameters');
});

test('BAT-43 an unknown apikey returns 403 session-failure with a message', async () => {
  const server = await sharedServer();
  await server.user();
  const answer = await tryKey(server, nobodysKey);
  assertNok(answer, 403, 'session-failure');
  assert.match(answer.json['_message'], /key/i);
});

test('BAT-43 a revoked apikey returns 403 session-failure; before that it is valid, and other keys stay valid', async () => {
  const server = await sharedServer();
  const [user, other] = [await server.user(), await server.user()];
  assert.equal((await tryKey(server, user.batchKey)).status, 200);
  await server.accounts.updateUser(user.username, { batchKey: null }, { actor: 'operator', atMs: 0 });
  const answer = await tryKey(server, user.batchKey);
  assertNok(answer, 403, 'session-failure');
  assert.notEqual(answer.json['_message'], '');
  assert.equal((await tryKey(server, other.batchKey)).status, 200);
});

test('BAT-43 a key of an inactive account returns 403 session-failure with its own message', async () => {
  const server = await sharedServer();
  const { batchKey, username } = await server.user();
  await server.accounts.setAccountActive(username, false, { actor: 'operator', atMs: 0 });
  const answer = await tryKey(server, batchKey);
  assertNok(answer, 403, 'session-failure');
  assert.notEqual(answer.json['_message'], (await tryKey(server, nobodysKey)).json['_message']);
});

test('BAT-47 a NOK body has _status, _message, status, type and optionally detail', async (t) => {
  const answers = await everyNok(await testServer(t));
  assert.deepEqual(
    answers.map(({ status }) => status),
    everyStatus,
  );
  for (const { status, json } of answers) {
    assert.equal(json['_status'], 'NOK');
    assert.equal(json.status, status);
    assert.match(json['_message'], /^[^\n]{1,80}$/);
    assert.match(json.type, /^[a-z]+(-[a-z]+)+$/);
    if ('detail' in json) assert.match(json.detail, /\S/);
    const known = ['_status', '_message', 'status', 'type', 'detail', 'logid', 'invalid_parameters'];
    assert.deepEqual(
      Object.keys(json).filter((name) => !known.includes(name)),
      [],
    );
  }
});

test('BAT-48 a NOK body has a unique logid, a UUID that is also in the log', async (t) => {
  const server = await testServer(t);
  const answers = await everyNok(server);
  const ids = answers.map(({ json }) => json.logid);
  assert.equal(new Set(ids).size, everyStatus.length);
  const logged = server
    .log()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  for (const [index, id] of ids.entries()) {
    assert.match(id, uuid);
    const entry = logged.find((line) => line.reqId === id && line.msg === 'request');
    assert.equal(entry?.status, everyStatus[index]);
  }
});

const undecodable = { skip: behindProxy(refusedByProxies) };

test(
  'BAT-48 the logid of a request whose path cannot be decoded is logged as well',
  undecodable,
  async (t) => {
    const server = await testServer(t);
    const { json } = await server.call('POST /batchd/v1/%zz', { body: {} });
    assert.equal(json['_status'], 'NOK');
    assert.ok(server.log().includes(json.logid));
  },
);

test('BAT-49 invalid_parameters, with name and reason, is present only for invalid-parameters', async (t) => {
  const answers = await everyNok(await testServer(t));
  for (const { json } of answers.filter(({ json: body }) => body.type !== 'invalid-parameters')) {
    assert.ok(!('invalid_parameters' in json), json.type);
  }
  const invalid = answers.filter(({ json }) => json.type === 'invalid-parameters');
  assert.equal(invalid.length, 2);
  for (const { json } of invalid) {
    assert.deepEqual(Object.keys(json.invalid_parameters).sort(), ['name', 'reason']);
    assert.match(json.invalid_parameters.name, /\S/);
    assert.match(json.invalid_parameters.reason, /\S/);
  }
});

test('BAT-50 an unexpected failure returns 500 with the NOK body and reveals nothing about its cause', async (t) => {
  const server = await testServer(t);
  await server.closeStores();
  const answer = await tryKey(server, nobodysKey);
  assert.equal(answer.status, 500);
  assert.equal(answer.json['_status'], 'NOK');
  assert.equal(answer.json.status, 500);
  assert.doesNotMatch(answer.text, /database|sqlite|\.ts|connection/i);
  assert.match(server.log(), /database connection is not open|pool after calling end/);
});

test('BAT-51 the batch API has no request limit with default settings', async () => {
  const server = await sharedServer();
  const { batchKey } = await server.user();
  for (let number = 1; number <= 700; number += 1) assert.equal((await tryKey(server, batchKey)).status, 200);
});

test('BAT-52 a user created over HTTP has no batch key, and a reset over HTTP does not change the batch key', async (t) => {
  const server = await testServer(t);
  const owner = await server.user({ permissions: ['admin'] });
  const post = (path: string, username: string) =>
    server.call(`POST ${path}`, { key: owner.key, body: { username } });
  const made = (await post('/v1/account/keys/', 'made')).json.response;
  assert.deepEqual(Object.keys(made), ['user', 'api_key']);
  assert.equal((await server.accounts.findByUsername('made'))?.user.hasBatchKey, false);
  assert.equal((await tryKey(server, made.api_key)).status, 403);
  const reset = (await post('/v1/account/keys/reset/', owner.username)).json.response;
  assert.deepEqual(Object.keys(reset), ['user', 'api_key']);
  assert.equal((await tryKey(server, reset.api_key)).status, 403);
  assert.equal((await tryKey(server, owner.batchKey)).status, 200);
});
