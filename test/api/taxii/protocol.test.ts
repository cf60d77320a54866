/** TAXII 2.1: credentials, media types, parameters, errors and limits. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { feedStream } from '../../../src/model/stream-names.ts';
import { sharedServers } from '../../harness/server/shared-servers.ts';
import type { Answer } from '../../harness/server/test-server.ts';
import { objectListFaults } from '../../product/export/stix-rules.ts';
import { mediaType } from './taxii-client.ts';
import { taxiiFixture } from './taxii-fixture.ts';

const sharedServer = sharedServers();

const accept = { accept: mediaType };

function assertError(answer: Answer, status: number): void {
  assert.equal(answer.status, status, answer.text);
  assert.equal(answer.headers['content-type'], mediaType);
  assert.equal(typeof answer.json.title, 'string');
  assert.equal(answer.json.http_status, String(status));
  for (const name of Object.keys(answer.json))
    assert.match(name, /^(title|description|error_id|error_code|http_status|external_details|details)$/);
}

test('a key is accepted by Basic with its user and in X-Api-Key, and nothing else is', async () => {
  const { server, user, client } = await taxiiFixture(await sharedServer());
  assert.equal((await client.get('/taxii2/')).status, 200);
  assert.equal((await server.call('GET /taxii2/', { key: user.key, headers: accept })).status, 200);
  const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });
  const refused = [
    {},
    basic(`someone:${user.key}`),
    basic(`${user.username}:wrong`),
    { 'x-api-key': 'wrong' },
  ];
  for (const headers of refused) {
    const answer = await server.call('GET /taxii2/api/collections/', { headers: { ...accept, ...headers } });
    assertError(answer, 401);
    assert.equal(answer.headers['www-authenticate'], 'Basic realm="TAXII"');
  }
  const inUrl = `GET /taxii2/?api_username=${user.username}&api_key=${user.key}`;
  assertError(await server.call(inUrl, { headers: accept }), 401);
});

test('an Accept that does not name TAXII 2.1 is answered with 406', async () => {
  const { server, user } = await taxiiFixture(await sharedServer());
  const get = (text: string) =>
    server.call('GET /taxii2/api/', { key: user.key, headers: text === '' ? {} : { accept: text } });
  for (const text of [
    mediaType,
    'application/taxii+json',
    'application/taxii+json; version=2.1',
    'APPLICATION/TAXII+JSON;version="2.1"',
    'text/html, application/taxii+json;version=2.1;q=0.5',
  ]) {
    const answer = await get(text);
    assert.equal(answer.status, 200, text);
    assert.equal(answer.headers['content-type'], mediaType);
  }
  for (const text of [
    '',
    '*/*',
    'application/json',
    'application/taxii+json;version=2.0',
    'application/vnd.oasis.taxii+json; version=2.0',
    'application/stix+json;version=2.1',
    'application/taxii+json;version=2.1;q=0',
  ])
    assertError(await get(text), 406);
});

test('writing is refused with 403, and with 415 where the body is something else', async () => {
  const { server, user, client } = await taxiiFixture(await sharedServer());
  const objects = '/taxii2/api/collections/blocked/objects/';
  const post = (contentType: string, path = objects) =>
    server.call(`POST ${path}`, {
      key: user.key,
      headers: { ...accept, 'content-type': contentType },
      body: '{"objects":[]}',
    });
  assertError(await post(mediaType), 403);
  assertError(await post('application/json'), 415);
  assertError(await post(mediaType, '/taxii2/api/collections/none/objects/'), 404);
  const removed = `DELETE ${objects}indicator--00000000-0000-4000-8000-000000000000/`;
  assertError(await server.call(removed, { key: user.key, headers: accept }), 403);
  assertError(await client.get('/taxii2/api/status/00000000-0000-4000-8000-000000000000/'), 404);
});

test('what is not there is answered with 404, and a parameter that is wrong with 400 and its name', async () => {
  const { client } = await taxiiFixture(await sharedServer());
  for (const path of [
    '/taxii2/other/',
    '/taxii2/api/collections/none/',
    '/taxii2/api/collections/none/objects/',
    '/taxii2/api/collections/00000000-0000-4000-8000-000000000000/manifest/',
    '/taxii2/api/collections/blocked/objects/indicator--00000000-0000-4000-8000-000000000000/',
    '/taxii2/api/collections/blocked/objects/indicator--00000000-0000-4000-8000-000000000000/versions/',
  ])
    assertError(await client.get(path), 404);
  for (const [name, value] of [
    ['limit', '0'],
    ['limit', '-1'],
    ['limit', 'ten'],
    ['next', 'x'],
    ['added_after', 'yesterday'],
    ['added_after', '2026-13-01T00:00:00Z'],
    ['added_after', '2026-01-01T00:00:00+01:00'],
    ['match[version]', 'newest'],
    ['match[name]', 'x'],
  ] as const) {
    const query = new URLSearchParams({ [name]: value });
    const answer = await client.get(`/taxii2/api/collections/blocked/objects/?${query.toString()}`);
    assertError(answer, 400);
    assert.ok(answer.json.title.includes(name), answer.text);
  }
});

test('a collection whose product the account lacks is shown as not readable and answered with 403', async () => {
  const products = ['intel-detect-watched-domains', 'intel-detect-monitors'] as const;
  const { client } = await taxiiFixture(await sharedServer(), { products });
  const readable = (await client.collections()).filter(({ can_read }) => can_read);
  assert.deepEqual(
    readable.map(({ alias }) => alias),
    ['watched'],
  );
  assertError(await client.get('/taxii2/api/collections/blocked/objects/'), 403);
  assert.equal((await client.get('/taxii2/api/collections/watched/objects/')).status, 200);
});

test('a collection has its own limit per minute, and not the limit per hour of its list', async () => {
  const server = await sharedServer({ settings: { 'limits.taxii.requestsPerMinute': '3' } });
  const { client, user } = await taxiiFixture(server);
  for (const _ of [1, 2, 3]) await client.page('lookalikes-new');
  const answer = await client.get('/taxii2/api/collections/lookalikes-new/objects/');
  assertError(answer, 429);
  assert.ok(Number(answer.headers['retry-after']) > 0);
  await client.page('blocked');
  const list = await server.call('GET /v1/intel-detect/domains/new/', { key: user.key });
  assert.equal(list.status, 200, list.text);
});

test('TAXII can be switched off', async () => {
  const server = await sharedServer({ settings: { 'sharing.taxii': 'false' } });
  const { key } = await server.user();
  assert.equal((await server.call('GET /taxii2/', { key, headers: accept })).status, 404);
});

test('objects are filtered by id, type, version and version of STIX', async () => {
  const { client, find, decide, undo } = await taxiiFixture(await sharedServer());
  await find(['acme-login.example', 'acme.top']);
  const decision = await decide('blocked', ['acme-login.example']);
  await decide('blocked', ['acme.top']);
  const { objects: before } = await client.readAll('blocked');
  await undo(decision);
  const types = async (parameters: Record<string, string>) =>
    (await client.readAll('blocked', parameters)).objects.map(({ type, revoked }) =>
      revoked ? `${type} revoked` : type,
    );
  assert.deepEqual(await types({ 'match[type]': 'domain-name,identity' }), [
    'identity',
    'domain-name',
    'domain-name',
  ]);
  assert.deepEqual(await types({ 'match[type]': 'indicator' }), ['indicator', 'indicator revoked']);
  const version = { 'match[type]': 'indicator' };
  assert.deepEqual(await types({ ...version, 'match[version]': 'first' }), ['indicator', 'indicator']);
  assert.equal((await types({ ...version, 'match[version]': 'all' })).length, 3);
  assert.equal((await types({ ...version, 'match[version]': 'first,last' })).length, 3);
  const indicator = before.find(({ type }) => type === 'indicator');
  const { id = '', modified = '' } = indicator ?? {};
  const one = { 'match[id]': `${id},identity--00000000-0000-4000-8000-000000000000` };
  assert.deepEqual(await types(one), ['indicator revoked']);
  assert.deepEqual(await types({ ...one, 'match[version]': modified }), ['indicator']);
  assert.deepEqual(await types({ ...version, 'match[version]': modified, limit: '1' }), [
    'indicator',
    'indicator',
  ]);
  assert.deepEqual(await types({ 'match[version]': '2017-01-20T00:00:00.000Z' }), ['marking-definition']);
  assert.deepEqual(await types({ 'match[spec_version]': '2.0' }), []);
  assert.equal((await types({ 'match[spec_version]': '2.0,2.1' })).length, before.length);
});

test('manifest and versions say of each version what the objects are', async () => {
  const { client, find, decide, undo } = await taxiiFixture(await sharedServer());
  await find(['acme-login.example']);
  const decision = await decide('blocked', ['acme-login.example']);
  await client.readAll('blocked');
  await undo(decision);
  const all = { 'match[version]': 'all' };
  const { objects } = await client.readAll('blocked', all);
  const manifest = await client.manifestPage('blocked', all);
  assert.deepEqual(
    manifest.items.map(({ id, version }) => [id, version]),
    objects.map(({ id, modified, created }, index) => [
      id,
      modified ?? created ?? manifest.items[index]?.version,
    ]),
  );
  const times = manifest.items.map(({ date_added }) => date_added);
  assert.deepEqual(times, [...new Set(times)].sort());
  assert.deepEqual([manifest.first, manifest.last], [times[0], times.at(-1)]);
  const indicator = objects.find(({ type }) => type === 'indicator');
  const versions = await client.versionPage('blocked', indicator?.id ?? '');
  assert.equal(versions.items.length, 2);
  const one = await client.page('blocked', { 'match[id]': indicator?.id ?? '' });
  const path = `/taxii2/api/collections/blocked/objects/${indicator?.id}/`;
  assert.deepEqual((await client.get(path)).json.objects, one.items);
  assert.deepEqual((await client.get(`${path}?match[version]=first`)).json.objects, [indicator]);
});

test('the hotlist has an indicator for each domain, which expires, and is extended when the domain is listed again', async () => {
  const { client, server } = await taxiiFixture(await sharedServer());
  const scores = { phishing_risk: 90, malware_risk: 5, spam_risk: 5, proximity_risk: 0, overall_risk: 90 };
  const line = (domain: string, timestamp: string, expires: string) =>
    JSON.stringify({ timestamp, domain, ...scores, expires });
  const append = (lines: readonly string[]) => {
    const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(''));
    return server.streams.append([{ stream: feedStream('domainhotlist'), bytes }], server.clock.now());
  };
  await append([
    line('hot.example', '2026-03-04T10:00:00Z', '2026-03-05T10:00:00Z'),
    line('warm.example', '2026-03-04T11:00:00Z', '2026-03-05T11:00:00Z'),
  ]);
  const first = await client.readAll('hotlist');
  await append([line('hot.example', '2026-03-05T12:00:00Z', '2026-03-06T12:00:00Z')]);
  const second = await client.readAll('hotlist', { added_after: first.last ?? '' });
  assert.deepEqual(objectListFaults([...first.objects, ...second.objects]), []);
  assert.deepEqual(
    [...first.objects, ...second.objects]
      .filter(({ type }) => type === 'indicator')
      .map(({ name, valid_from, valid_until }) => [name, valid_from, valid_until]),
    [
      ['hot.example', '2026-03-04T10:00:00.000Z', '2026-03-05T10:00:00.000Z'],
      ['warm.example', '2026-03-04T11:00:00.000Z', '2026-03-05T11:00:00.000Z'],
      ['hot.example', '2026-03-04T10:00:00.000Z', '2026-03-06T12:00:00.000Z'],
    ],
  );
  assert.deepEqual(
    second.objects.map(({ type }) => type),
    ['indicator', 'sighting'],
  );
  const other = await taxiiFixture(server);
  assert.deepEqual((await other.client.readAll('hotlist', { 'match[version]': 'all' })).objects, [
    ...first.objects,
    ...second.objects,
  ]);
});
