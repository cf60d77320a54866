import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestUser } from '../../harness/server/test-server.ts';
import { sharedInvestigateFixtures } from './investigate-fixture.ts';

const sharedFixture = sharedInvestigateFixtures();

async function taggedServer() {
  const world = await sharedFixture();
  const { server, user } = world;
  const colleague = await server.user({ account: user.caller.account.name, permissions: ['triage'] });
  const otherUser = await server.user({ permissions: ['triage'] });
  await world.store({ 'a.example': {}, 'b.example': {}, 'xn--bcher-kva.example': {} });
  const change = (body: object, by: TestUser = user) =>
    server.call('POST /v1/domain-tags/', { key: by.key, body });
  const labels = async (domain: string, by: TestUser = user) => {
    const { json } = await server.call(`GET /v1/domain-tags/?domain=${domain}`, { key: by.key });
    return json.response.domains[0].tags.map(({ label }: { label: string }) => label).sort();
  };
  return { world, server, user, colleague, otherUser, change, labels };
}

test('tags are added, shown with scope and time, and removed', async () => {
  const { world, change, labels } = await taggedServer();
  const answer = await change({ domain: 'A.example', add: ['Phishing', ' acme inc '] });
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.json.response.domains[0].domain, 'a.example');
  assert.deepEqual(await labels('a.example'), ['Phishing', 'acme inc']);
  const [record] = (await world.response('domain=a.example')).results;
  assert.deepEqual(record.tags[0].tagged_at, '2026-03-04T10:11:12.000Z');
  await change({ domain: 'a.example', remove: ['PHISHING'] });
  assert.deepEqual(await labels('a.example'), ['acme inc']);
  assert.deepEqual(await world.names('tagged_with_any=ACME+INC'), ['a.example']);
});

test('own tags are visible to their user, team tags to the account', async () => {
  const { colleague, otherUser, change, labels } = await taggedServer();
  await change({ domains: ['b.example'], add: ['mine'] });
  await change({ domains: ['b.example'], add: ['ours'], scope: 'team' });
  assert.deepEqual(await labels('b.example'), ['mine', 'ours']);
  assert.deepEqual(await labels('b.example', colleague), ['ours']);
  assert.deepEqual(await labels('b.example', otherUser), []);
});

test('several domains are tagged in one request, and those without a record are named', async () => {
  const { world, change } = await taggedServer();
  const { json } = await change({
    domains: ['a.example', 'bücher.example', 'unknown.example'],
    add: ['many'],
  });
  assert.deepEqual(json.response.missing_domains, ['unknown.example']);
  assert.deepEqual(await world.names('tagged_with_any=many&sort_by=domain'), ['a.example', 'bücher.example']);
});

test('form bodies are accepted', async () => {
  const { server, user } = await taggedServer();
  const answer = await server.call('POST /v1/domain-tags/', {
    key: user.key,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'domain=a.example,b.example&add[]=f1&add[]=f2',
  });
  assert.equal(answer.json.response.domains.length, 2, answer.text);
});

test('a user without the triage permission can read tags but not change them', async () => {
  const { server, user, change, labels } = await taggedServer();
  const reader = await server.user({ account: user.caller.account.name });
  assert.equal((await change({ domain: 'a.example', add: ['x'] }, reader)).status, 403);
  await change({ domain: 'b.example', add: ['ours'], scope: 'team' });
  assert.deepEqual(await labels('b.example', reader), ['ours']);
});

test('invalid requests return 400 and change nothing', async () => {
  const { change, labels } = await taggedServer();
  const before = await labels('a.example');
  for (const body of [
    {},
    { domain: 'a.example' },
    { add: ['x'] },
    { domain: 'a.example', add: [''] },
    { domain: 'a.example', add: ['a,b'] },
    { domain: 'a.example', add: ['a\nb'] },
    { domain: 'a.example', add: ['x'.repeat(65)] },
    { domain: 'a.example', add: 'x' },
    { domain: 'a.example', add: Array.from({ length: 101 }, (_, n) => `t${n}`) },
    { domain: 'a b', add: ['x'] },
    { domain: 'a.example', add: ['x'], scope: 'all' },
    { domains: Array.from({ length: 101 }, (_, n) => `n${n}.example`), add: ['x'] },
  ])
    assert.equal((await change(body)).status, 400, JSON.stringify(body).slice(0, 80));
  assert.deepEqual(await labels('a.example'), before);
});

/** Every answer in which a tag could show, for a search by it. */
async function traces({ server }: Awaited<ReturnType<typeof taggedServer>>, by: TestUser, label: string) {
  const call = async (query: string) => (await server.call(`GET /v1/${query}`, { key: by.key })).text;
  const search = 'intel-investigate/?registrar=same';
  const hash = JSON.parse(await call(`intel-investigate/search-hash/?tagged_with_any=${label}`));
  return Promise.all(
    [
      `intel-investigate/?tagged_with_any=${label}`,
      `intel-investigate/?tagged_with_all=${label}`,
      `intel-investigate/?tagged_with_any=${label}&count_only=true`,
      `intel-investigate/?tagged_with_any=${label}&format=csv`,
      `intel-investigate/?tagged_with_any=${label}&format=ndjson`,
      `intel-investigate/?search_hash=${encodeURIComponent(hash.response.search_hash)}`,
      `intel-investigate/facets/?attribute=registrar&tagged_with_any=${label}`,
      `${search}&tagged_with_any=${label}`,
      `${search}&not_tagged_with_any=${label}`,
      `${search}&not_tagged_with_all=${label}`,
      search,
      'intel-enrich/?domain=a.example',
      'domain-tags/?domain=a.example',
    ].map(call),
  );
}

test('no answer to another user of the account depends on a private tag', async () => {
  const world = await taggedServer();
  await world.world.store({ 'a.example': { registrar: 'same' }, 'b.example': { registrar: 'same' } });
  const before = await traces(world, world.colleague, 'privatex');
  await world.change({ domain: 'a.example', add: ['privatex'], scope: 'own' });
  assert.deepEqual(await traces(world, world.colleague, 'privatex'), before);
  assert.deepEqual(await world.world.names('tagged_with_any=privatex'), ['a.example']);
  assert.deepEqual(await world.world.names('registrar=same&not_tagged_with_any=privatex'), ['b.example']);
});

test('a position of a search by tags is refused to another user of the account', async () => {
  const { world, colleague, change } = await taggedServer();
  await change({ domains: ['a.example', 'b.example'], add: ['private'] });
  const { position } = await world.response('tagged_with_any=private&page_size=1');
  const next = { tagged_with_any: 'private', page_size: '1', position };
  assert.equal((await world.search(next, colleague)).status, 400);
  assert.equal((await world.search(next)).status, 200);
});

test('a tag with invisible or direction-changing characters is refused with 400, and the field is named', async () => {
  const { change, labels } = await taggedServer();
  for (const character of [
    '\u202e',
    '\u2066',
    '\u200b',
    '\u00ad',
    '\ufeff',
    '\u2028',
    '\u3164',
    '\u{e0041}',
  ]) {
    const answer = await change({ domain: 'a.example', add: [`phi${character}shing`] });
    assert.equal(answer.status, 400, character);
    assert.match(answer.json.error.message, /^add: must not contain control, invisible/);
  }
  const written = ['⚠️ phishing', 'می‌خواهم', '👩‍💻 team', 'naïve', '日本語'];
  assert.equal((await change({ domain: 'a.example', add: written })).status, 200);
  assert.deepEqual(await labels('a.example'), [...written].sort());
});
