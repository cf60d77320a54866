/** Campaigns over the platform API. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sharedInFile } from '../../harness/test-scope.ts';
import { analyst, detectFixture, type Json } from './detect-fixture.ts';

const shared = sharedInFile((scope) => detectFixture(scope));
const root = '/v1/intel-detect/campaigns/';

/** A new user whose monitor found three domains. */
async function withDomains() {
  const fixture = await shared([]);
  const by = await fixture.server.user({ permissions: analyst });
  const monitor = await fixture.monitor('acmebank', {}, by);
  const names = ['a', 'b', 'c'].map((label) => `acmebank-${label}-${by.username}.example`);
  for (const name of names) await fixture.discover(name, { by });
  const send = (route: string, body?: object) => fixture.call(route, { by, ...(body ? { body } : {}) });
  const call = async (route: string, body?: object): Promise<Json> => {
    const answer = await send(route, body);
    assert.equal(answer.status, 200, answer.text);
    return answer.json;
  };
  const make = (domains: readonly string[] = names): Promise<Json> =>
    call(`POST ${root}`, { name: 'Mine', domains });
  return { ...fixture, by, monitor, names, send, call, make };
}

test('a campaign that a person made has its name, its members and the monitors that report them', async () => {
  const { make, call, names, monitor, by } = await withDomains();
  const made = await make();
  assert.deepEqual(made, await call(`GET ${root}details/?id=${made.id}`));
  const { created_date, first_seen_date, last_joined_date, id, ...rest } = made;
  assert.match(created_date, /^2026-03-04T10:11:12/);
  assert.equal(last_joined_date, created_date);
  assert.equal(typeof first_seen_date, 'string');
  assert.deepEqual(rest, {
    name: 'Mine',
    note: '',
    state: 'active',
    followed: false,
    origin: 'made',
    created_by: by.username,
    member_count: 3,
    past_member_count: 0,
    monitors: [{ id: monitor.id, term: 'acmebank' }],
    links: [],
    max_risk_score: null,
  });
  const { members, total_count, count } = await call(`GET ${root}members/?id=${id}&limit=2`);
  assert.deepEqual([total_count, count, members.length], [3, 2, 2]);
  assert.deepEqual(
    members.map(({ domain, state, origin }: Json) => [domain, state, origin]),
    names.slice(0, 2).map((name) => [name, 'new', 'added']),
  );
});

test('lists are filtered by a member in Unicode or punycode, by text, state and whether they are followed', async () => {
  const { make, call, names } = await withDomains();
  const made = await make(names.slice(0, 2));
  const other = await make(names.slice(2));
  await call(`PATCH ${root}`, { id: other.id, name: 'Other', followed: true, state: 'closed' });
  const ids = async (query: string) =>
    (await call(`GET ${root}?${query}`)).campaigns.map(({ id }: Json) => id);
  assert.deepEqual(await ids(''), [other.id, made.id]);
  assert.deepEqual(await ids(`domain=${names[0]?.toUpperCase()}`), [made.id]);
  assert.deepEqual(await ids('search=OTHER'), [other.id]);
  assert.deepEqual(await ids('followed=true'), [other.id]);
  assert.deepEqual(await ids('followed=false'), [made.id]);
  assert.deepEqual(await ids('state=active'), [made.id]);
  assert.deepEqual(await ids('limit=1&offset=1'), [made.id]);
});

test('a campaign is renamed, annotated, followed and closed, and the rest stays as it was', async () => {
  const { make, call } = await withDomains();
  const { id, ...made } = await make();
  const change = { name: 'Theirs', note: 'reported', followed: true, state: 'closed' };
  assert.deepEqual(await call(`PATCH ${root}`, { id, ...change }), { ...made, id, ...change });
  const reopened = await call(`PATCH ${root}`, { id, state: 'active' });
  assert.deepEqual([reopened.name, reopened.state], ['Theirs', 'active']);
});

test('members are added and removed', async () => {
  const { make, call, names } = await withDomains();
  const { id } = await make(names.slice(0, 2));
  const changed = await call(`POST ${root}members/`, { id, add: [names[2]], remove: [names[0]] });
  assert.equal(changed.member_count, 2);
  const { members } = await call(`GET ${root}members/?id=${id}`);
  assert.deepEqual(members.map(({ domain }: Json) => domain).sort(), names.slice(1));
});

test('the timeline has what happened to each member, the oldest first', async () => {
  const { make, call, names, escalate, by, list } = await withDomains();
  const { watchlist_domains: listed } = await list('new', '', by);
  const { id: domainId } = listed.find(({ domain }: Json) => domain === names[0]);
  assert.equal((await escalate([domainId], 'blocked', by)).status, 200);
  const { id } = await make(names.slice(0, 1));
  const { events, truncated } = await call(`GET ${root}timeline/?id=${id}`);
  assert.equal(truncated, false);
  assert.deepEqual(
    new Set(events.map(({ kind }: Json) => kind)),
    new Set(['discovered', 'joined', 'watched', 'escalated']),
  );
  const dates = events.map(({ date }: Json) => date);
  assert.deepEqual(dates, dates.toSorted());
});

test('a forgotten campaign is gone', async () => {
  const { make, call, send } = await withDomains();
  const { id } = await make();
  assert.deepEqual(await call(`DELETE ${root}?id=${id}`), { id });
  for (const route of [
    `GET ${root}details/?id=${id}`,
    `GET ${root}members/?id=${id}`,
    `DELETE ${root}?id=${id}`,
  ])
    assert.equal((await send(route)).status, 404, route);
  assert.equal((await call(`GET ${root}`)).total_count, 0);
});

test('a campaign of another account is unknown', async () => {
  const [one, other] = [await withDomains(), await withDomains()];
  const { id } = await one.make();
  assert.equal((await other.send(`GET ${root}timeline/?id=${id}`)).status, 404);
  assert.equal((await other.send(`PATCH ${root}`, { id, name: 'x' })).status, 404);
  assert.equal((await other.send(`POST ${root}members/`, { id, add: other.names })).status, 404);
});

for (const [what, body, field] of [
  ['a name on no list', { name: 'x', domains: ['elsewhere.example'] }, 'domains'],
  ['what is no name', { name: 'x', domains: ['not a name'] }, 'domains'],
  ['no domains', { name: 'x', domains: [] }, 'domains'],
  ['an empty name', { name: ' ', domains: ['a.example'] }, 'name'],
  ['a name of 201 characters', { name: 'x'.repeat(201), domains: ['a.example'] }, 'name'],
] as const)
  test(`a campaign with ${what} is refused, and the answer names the field`, async () => {
    const { send } = await withDomains();
    const answer = await send(`POST ${root}`, body);
    assert.equal(answer.status, 400, answer.text);
    assert.match(answer.json.error.message, new RegExp(`^${field}\\b`));
  });

test('a person who may only read cannot change a campaign', async () => {
  const { server, make, call } = await withDomains();
  const { id } = await make();
  const reader = await server.user({ permissions: ['read'] });
  const answer = await server.call(`PATCH ${root}`, { key: reader.key, body: { id, name: 'x' } });
  assert.equal(answer.status, 403);
  assert.equal((await call(`GET ${root}details/?id=${id}`)).name, 'Mine');
});
