/** Search hashes: a search stored as one string. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Fields, investigateFixture } from './investigate-fixture.ts';

const of = (registrar: string, risk_score: number, first_seen: string): Fields => ({
  first_seen,
  domain_risk: { risk_score, components: [] },
  parsed_whois: { registrar },
});

async function hashServer(t: TestContext) {
  const world = await investigateFixture(t);
  const { server, user } = world;
  await world.store({ 'a.example': of('One', 1, '2026-01-01T00:00:00.000Z') });
  const hashOf = async (query: string) => {
    const answer = await server.call(`GET /v1/intel-investigate/search-hash/?${query}`, { key: user.key });
    assert.equal(answer.status, 200, answer.text);
    return answer.json.response.search_hash as string;
  };
  return { world, server, user, hashOf };
}

test('INV-P34 a search hash repeats the search on current data', async (t) => {
  const { world, server, hashOf } = await hashServer(t);
  const hash = await hashOf('registrar=one&risk_score=0');
  assert.match(hash, /^[\w-]+$/);
  assert.deepEqual(await world.names(`search_hash=${hash}`), ['a.example']);
  await world.store({ 'b.example': of('One', 2, '2026-02-01T00:00:00.000Z') });
  assert.deepEqual(await world.names(`search_hash=${hash}`), ['b.example', 'a.example']);
  const otherUser = await server.user();
  assert.equal((await world.names(`search_hash=${hash}`, otherUser)).length, 2);
});

test('INV-P35 no search or filter parameter is allowed with a search hash, but paging and output are', async (t) => {
  const { world, server, user, hashOf } = await hashServer(t);
  await world.store({ 'b.example': of('One', 2, '2026-02-01T00:00:00.000Z') });
  const hash = await hashOf('registrar=one');
  for (const other of [
    'ip=192.0.2.1',
    'rank=5',
    'active=true',
    'registrar=one',
    'parsed_whois:registrar=x',
    'tld=com',
  ])
    assert.match(
      await world.errorMessage(`search_hash=${hash}&${other}`),
      /search_hash: no other search or filter/,
      other,
    );
  const options = 'page_size=1&sort_by=domain&sort_direction=dsc&parsed_whois=true&next=true&format=json';
  const first = await world.response(`search_hash=${hash}&${options}`);
  assert.equal(first.results[0].domain, 'b.example');
  assert.deepEqual(await world.names(`search_hash=${hash}&${options}&position=${first.position}`), [
    'a.example',
  ]);
  const { json } = await server.call('POST /v1/intel-investigate/', {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      api_username: user.username,
      api_key: user.key,
      search_hash: hash,
    }).toString(),
  });
  assert.equal(json.response.total_count, 2);
});

test('a hash that this server did not create returns 400', async (t) => {
  const { world, hashOf } = await hashServer(t);
  const hash = await hashOf('registrar=one');
  for (const other of ['', 'x', hash.slice(1), `${hash}A`, hash.replace(/^./, 'B'), '!', 'A'.repeat(10_000)])
    assert.match(await world.errorMessage({ search_hash: other }), /search_hash: /, other.slice(0, 50));
});

test('tags in a search hash are those of the account that uses it', async (t) => {
  const { world, server, user, hashOf } = await hashServer(t);
  await world.store({ 'b.example': of('One', 2, '2026-02-01T00:00:00.000Z') });
  const otherUser = await server.user();
  await world.tag(user, 'a.example', ['x']);
  await world.tag(otherUser, 'b.example', ['x']);
  const hash = await hashOf('tagged_with_any=x');
  assert.deepEqual(await world.names(`search_hash=${hash}`), ['a.example']);
  assert.deepEqual(await world.names(`search_hash=${hash}`, otherUser), ['b.example']);
});

test('an invalid search has no hash, and creating one does not count', async (t) => {
  const { server, user, hashOf } = await hashServer(t);
  for (const query of ['', 'rank=5', 'ip=1'])
    assert.equal(
      (await server.call(`GET /v1/intel-investigate/search-hash/?${query}`, { key: user.key })).status,
      400,
    );
  assert.equal(await hashOf(`search_hash=${await hashOf('registrar=one')}`), await hashOf('registrar=one'));
});
