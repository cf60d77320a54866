import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testServer } from '../../../harness/server/test-server.ts';
import { type PersonOptions, type WebSession, webSession } from '../../../harness/server/web-session.ts';

const server = await testServer({ after });
const names = ['a.example', 'b.example', 'c.example'] as const;
await server.domains.upsert(
  names.map((domain, index) => ({
    record: { domain, registrar: 'same', domain_risk: { risk_score: index * 10 + 50, components: [] } },
    source: 'test',
    seenMs: server.clock.now(),
  })),
);

let teams = 0;

/** An API user with a key, and a person of the same account. */
async function team(options: PersonOptions = {}) {
  teams += 1;
  const api = await server.user({
    account: `team${teams}`,
    username: `api${teams}`,
    permissions: ['triage'],
  });
  const me = await webSession(server, { account: `team${teams}`, permissions: ['triage'], ...options });
  return { api, me };
}

const give = (me: WebSession, domains: readonly string[], label: string, scope: 'own' | 'team' = 'team') =>
  me.call('POST /domain-tags', { body: { domains, add: [{ label, scope }] } });

const listOf = async (me: WebSession) => (await me.call('GET /tags')).json.tags;
const idOf = async (me: WebSession, label: string): Promise<string> =>
  (await listOf(me)).find((tag: { label: string }) => tag.label === label)?.id ?? 'none';

test('a person tags domains, and the list has label, scope, counts, risk, who and when', async () => {
  const { me } = await team();
  const body = {
    domains: ['A.example', 'b.example', 'unknown.example'],
    add: [
      { label: 'Kit 7', scope: 'team' },
      { label: 'mine', scope: 'own' },
    ],
  };
  const { json } = await me.call('POST /domain-tags', { body });
  assert.deepEqual(json.missing, ['unknown.example']);
  assert.deepEqual(
    json.domains.map(({ domain, tags }: { domain: string; tags: { label: string; scope: string }[] }) => [
      domain,
      tags.map(({ label, scope }) => `${label} ${scope}`),
    ]),
    [
      ['a.example', ['Kit 7 team', 'mine own']],
      ['b.example', ['Kit 7 team', 'mine own']],
    ],
  );
  const at = new Date(server.clock.now()).toISOString();
  const [kit, ...others] = await listOf(me);
  assert.deepEqual(kit, {
    id: kit.id,
    label: 'Kit 7',
    scope: 'team',
    colour: 'grey',
    domains: 2,
    average_risk: 55,
    expires_at: null,
    by: me.person.name,
    created_at: at,
    used_at: at,
  });
  assert.equal(others.length, 1);
  const read = await me.call('POST /domain-tags/read', { body: { domains: ['a.example'] } });
  assert.deepEqual(
    read.json.domains[0].tags.map(({ label }: { label: string }) => label),
    ['Kit 7', 'mine'],
  );
  const removed = await me.call('POST /domain-tags', {
    body: { domains: ['a.example'], remove: [{ label: 'KIT 7', scope: 'team' }] },
  });
  assert.deepEqual(removed.json.domains[0].tags.length, 1);
});

test('a tag is renamed, coloured and given an expiry, and the platform API shows it so', async () => {
  const { api, me } = await team();
  await give(me, ['a.example'], 'before');
  const expires = new Date(server.clock.now() + 60_000).toISOString();
  const body = { label: ' After ', colour: 'red', expires_at: expires };
  const { status, json } = await me.call(`PATCH /tags/${await idOf(me, 'before')}`, { body });
  assert.equal(status, 200, JSON.stringify(json));
  assert.deepEqual(
    [json.tag.label, json.tag.colour, json.tag.expires_at, json.merged],
    ['After', 'red', expires, null],
  );
  const labels = async () => {
    const answer = await server.call('GET /v1/domain-tags/?domain=a.example', { key: api.key });
    return answer.json.response.domains[0].tags.map(({ label }: { label: string }) => label);
  };
  const found = async () => {
    const answer = await server.call('GET /v1/intel-investigate/?tagged_with_any=after', { key: api.key });
    return answer.json.response.results_count;
  };
  assert.deepEqual([await labels(), await found()], [['After'], 1]);
  server.clock.advanceSeconds(60);
  assert.deepEqual([await labels(), await found(), await listOf(me)], [[], 0, []]);
});

test('a label that is in use answers 409 until a merge is allowed, and the answer says how many', async () => {
  const { me } = await team();
  await give(me, ['a.example', 'b.example'], 'from');
  await give(me, ['b.example', 'c.example'], 'into');
  const id = await idOf(me, 'from');
  const refused = await me.call(`PATCH /tags/${id}`, { body: { label: 'INTO' } });
  assert.equal(refused.status, 409);
  assert.match(refused.json.error.fields.label[0], /into already, on 2 domains/);
  const { json } = await me.call(`PATCH /tags/${id}`, { body: { label: 'INTO', merge: true } });
  assert.deepEqual([json.tag.label, json.merged], ['into', { moved: 2, domains: 3 }]);
  assert.equal((await me.call(`PATCH /tags/${id}`, { body: { label: 'x' } })).status, 404);
});

test('a deleted tag is on no domain any more', async () => {
  const { me } = await team();
  await give(me, ['a.example', 'b.example'], 'gone');
  const id = await idOf(me, 'gone');
  assert.deepEqual((await me.call(`DELETE /tags/${id}`)).json, { domains: 2 });
  assert.deepEqual(await listOf(me), []);
  assert.equal((await me.call(`DELETE /tags/${id}`)).status, 404);
});

test('the overlap of a tag counts the other tags of its domains', async () => {
  const { me } = await team();
  await give(me, ['a.example', 'b.example'], 'kit');
  await give(me, ['b.example', 'c.example'], 'other');
  const { json } = await me.call('GET /tags/overlap?label=KIT');
  assert.deepEqual(json, {
    label: 'KIT',
    domains: 2,
    complete: true,
    others: [{ label: 'other', scope: 'team', colour: 'grey', domains: 1 }],
  });
});

test('nothing that a colleague reads depends on a private tag', async () => {
  const { api, me } = await team();
  const colleague = await webSession(server, { account: me.account, permissions: ['triage'] });
  const search = (query: string) => `GET /v1/intel-investigate/${query}`;
  const hash = await server.call(search('search-hash/?tagged_with_any=privatex'), { key: api.key });
  const searchHash = encodeURIComponent(hash.json.response.search_hash);
  const traces = async () => [
    await listOf(colleague),
    (await colleague.call('GET /tags/overlap?label=privatex')).json,
    (await colleague.call('GET /tags/overlap?label=shared')).json,
    (await colleague.call('POST /domain-tags/read', { body: { domains: names } })).json,
    (await colleague.call('GET /domains/a.example')).json.tags,
    ...(await Promise.all(
      [
        '?tagged_with_any=privatex',
        '?tagged_with_any=privatex&format=csv',
        '?registrar=same&not_tagged_with_any=privatex',
        'facets/?attribute=registrar&tagged_with_any=privatex',
        `?search_hash=${searchHash}`,
      ].map(async (query) => (await server.call(search(query), { key: api.key })).text),
    )),
  ];
  await give(me, ['a.example'], 'shared');
  const before = await traces();
  await give(me, ['a.example', 'b.example'], 'privatex', 'own');
  await me.call(`PATCH /tags/${await idOf(me, 'privatex')}`, { body: { colour: 'red' } });
  assert.deepEqual(await traces(), before);
  const id = await idOf(me, 'privatex');
  for (const route of [`PATCH /tags/${id}`, `DELETE /tags/${id}`])
    assert.equal((await colleague.call(route, route.startsWith('PATCH') ? { body: {} } : {})).status, 404);
});

test('an API user and the person of the same name have the same private tags', async () => {
  const first = await server.user({ account: 'same1', username: 'ada', permissions: ['triage'] });
  const person = await webSession(server, { account: 'same1', name: 'ada', permissions: ['triage'] });
  await give(person, ['a.example'], 'ours', 'own');
  const found = async (key: string) =>
    (await server.call('GET /v1/intel-investigate/?tagged_with_any=ours', { key })).json.response
      .results_count;
  assert.equal(await found(first.key), 1);
  // The other way round: the person is there first.
  const earlier = await webSession(server, { account: 'same1', name: 'bea', permissions: ['triage'] });
  await give(earlier, ['b.example'], 'ours', 'own');
  const second = await server.user({ account: 'same1', username: 'bea', permissions: ['triage'] });
  assert.equal(await found(second.key), 1);
  await give(earlier, ['c.example'], 'ours', 'own');
  assert.equal(await found(second.key), 2);
  const other = await server.user({ account: 'same1', username: 'cyd', permissions: ['triage'] });
  assert.equal(await found(other.key), 0);
});

test('a team tag becomes private and an own one is shared', async () => {
  const { me } = await team();
  const colleague = await webSession(server, { account: me.account });
  await give(me, ['a.example'], 'case');
  const id = await idOf(me, 'case');
  await me.call(`PATCH /tags/${id}`, { body: { scope: 'own' } });
  assert.deepEqual(await listOf(colleague), []);
  await me.call(`PATCH /tags/${id}`, { body: { scope: 'team' } });
  assert.equal((await listOf(colleague)).length, 1);
});

test('a change that cannot be is refused with 422, and the field is named', async () => {
  const { me } = await team();
  await give(me, ['a.example'], 'case');
  const id = await idOf(me, 'case');
  const past = new Date(server.clock.now()).toISOString();
  for (const [field, body] of [
    ['label', { label: '' }],
    ['label', { label: 'a,b' }],
    ['label', { label: '..' }],
    ['label', { label: 'gro\u202eknab' }],
    ['label', { label: 'x'.repeat(65) }],
    ['colour', { colour: 'mauve' }],
    ['scope', { scope: 'all' }],
    ['expires_at', { expires_at: past }],
    ['expires_at', { expires_at: '2099-01-01' }],
    ['expires_at', { expires_at: '2099-01-01T00:00:00' }],
  ] as const) {
    const { status, json } = await me.call(`PATCH /tags/${id}`, { body });
    assert.equal(status, 422, JSON.stringify(body));
    assert.ok(json.error.fields[field], JSON.stringify(json));
  }
  for (const body of [
    { domains: ['a.example'] },
    { domains: [], add: [{ label: 'x', scope: 'own' }] },
    { domains: ['a b'], add: [{ label: 'x', scope: 'own' }] },
    { domains: ['a.example'], add: [{ label: 'x', scope: 'all' }] },
    { domains: Array.from({ length: 501 }, (_, n) => `n${n}.example`), add: [{ label: 'x', scope: 'own' }] },
  ])
    assert.equal(
      (await me.call('POST /domain-tags', { body })).status,
      422,
      JSON.stringify(body).slice(0, 80),
    );
  assert.equal((await listOf(me)).length, 1);
});

test('a viewer reads tags and changes none', async () => {
  const { me } = await team();
  const viewer = await webSession(server, { account: me.account, permissions: ['read'] });
  await give(me, ['a.example'], 'case');
  const id = await idOf(viewer, 'case');
  assert.equal((await give(viewer, ['a.example'], 'x')).status, 403);
  assert.equal((await viewer.call(`PATCH /tags/${id}`, { body: { label: 'x' } })).status, 403);
  assert.equal((await viewer.call(`DELETE /tags/${id}`)).status, 403);
});
