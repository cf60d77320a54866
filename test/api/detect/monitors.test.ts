import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { TestUser } from '../../harness/server/test-server.ts';
import { analyst, type DetectFixture, freshAccounts, type Json } from './detect-fixture.ts';

const route = '/v1/intel-detect/monitors/';

async function monitors(world: DetectFixture, query = '', by: TestUser = world.user): Promise<Json> {
  const answer = await world.call(`GET ${route}?${query}`, { by });
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

async function terms(world: DetectFixture, query = ''): Promise<string[]> {
  return (await monitors(world, query)).monitors.map(({ term }: Json) => term);
}

/** Three monitors, created a minute apart, not in order of their terms. */
async function threeMonitors(fresh: () => Promise<DetectFixture>) {
  const world = await fresh();
  const ids: Record<string, string> = {};
  for (const term of ['mercury', 'acme', 'zenith']) {
    ids[term] = (await world.monitor(term)).id;
    world.server.clock.advanceSeconds(60);
  }
  return { ...world, ids };
}

const unfitTerms = ['', 'ab', '  ab  ', '\t\n', '---', 'a'.repeat(129), 'ac\u0000me', 'ac\ud800me', '💚💚'];

const wrongMembers: readonly (readonly [name: string, values: readonly unknown[]])[] = [
  ['term', [5, null, true, [], {}, ['acme']]],
  ['match_substring_variations', ['true', 1, null, [], {}]],
  ['nameserver_exclusions', ['*.example', null, 7, {}, [7], [null], [''], [' '], ['a'.repeat(254)]]],
  [
    'text_exclusions',
    ['text', null, 7, {}, [7], [['text']], ['\u0007'], Array.from({ length: 501 }, () => 'x')],
  ],
];

const fresh = await freshAccounts({ after });

test('MON-01 the list has all monitors of the account, whichever user created them, and none of another account', async () => {
  const world = await fresh();
  const colleague = await world.server.user({
    account: world.user.caller.account.name,
    permissions: analyst,
  });
  const otherUser = await world.server.user({ permissions: analyst });
  await world.monitor('acme');
  await world.monitor('bolt', {}, colleague);
  await world.monitor('other', {}, otherUser);
  assert.deepEqual(await terms(world), ['bolt', 'acme']);
  assert.equal((await monitors(world, '', colleague)).total_count, 2);
  assert.deepEqual(
    (await monitors(world, '', otherUser)).monitors.map(({ term }: Json) => term),
    ['other'],
  );
});

test('MON-02 the envelope has total_count, offset, limit and monitors, in this order', async () => {
  const world = await threeMonitors(fresh);
  const json = await monitors(world, 'offset=1&limit=1');
  assert.deepEqual(Object.keys(json), ['total_count', 'offset', 'limit', 'monitors']);
  assert.deepEqual([json.total_count, json.offset, json.limit, json.monitors.length], [3, 1, 1, 1]);
});

test('MON-03 MON-04 MON-06 MON-07 MON-08 a monitor has its members, an id of ten characters, and starts active and pending', async () => {
  const world = await fresh();
  const made = await world.monitor('acme', {
    match_substring_variations: true,
    nameserver_exclusions: ['*.acme-dns.example'],
    text_exclusions: ['acme-school'],
  });
  assert.match(made.id, /^[A-Za-z0-9]{10}$/);
  const { id, ...others } = made;
  assert.deepEqual(others, {
    term: 'acme',
    match_substring_variations: true,
    nameserver_exclusions: ['*.acme-dns.example'],
    text_exclusions: ['acme-school'],
    created_date: '2026-03-04T10:11:12.000000+00:00',
    updated_date: '2026-03-04T10:11:12.000000+00:00',
    state: 'active',
    status: 'pending',
    created_by: world.user.username,
    searched: { names: 0, of_names: 0 },
  });
  assert.deepEqual(Object.keys(made).slice(0, 5), [
    'term',
    'match_substring_variations',
    'nameserver_exclusions',
    'text_exclusions',
    'id',
  ]);
  assert.deepEqual((await monitors(world)).monitors, [{ ...others, id }]);
});

test('MON-07 a monitor shows the progress of its search, and is completed when that is done', async () => {
  const world = await fresh();
  const { id } = await world.monitor('acme');
  const note = (names: number, done: boolean) =>
    world.server.monitors.recordSearchProgress(world.user.caller.account.id, id, {
      names,
      ofNames: 400,
      done,
      updatedMs: world.server.clock.now(),
    });
  await note(100, false);
  const [pending] = (await monitors(world)).monitors;
  assert.deepEqual([pending.status, pending.searched], ['pending', { names: 100, of_names: 400 }]);
  await note(400, true);
  assert.equal((await monitors(world)).monitors[0].status, 'completed');
});

test('MON-06 PUT with state inactive pauses a monitor: it is searched for no longer, and its domains leave new and ignored', async () => {
  const world = await fresh();
  const { id } = await world.monitor('acme');
  await world.discover('acme-new.example');
  await world.patch([await world.discover('acme-ignored.example')], 'ignored');
  await world.patch([await world.discover('acme-watched.example')], 'watched');
  const put = async (state: string) => {
    const { status, json } = await world.call(`PUT ${route}?monitor_id=${id}`, { body: { state } });
    const { monitors: active } = await world.server.monitors.listActiveMonitors();
    const isSearched = active.some(({ monitor }) => monitor.id === id);
    return [status, json.monitor.state, isSearched, await world.names('new'), await world.names('ignored')];
  };
  assert.deepEqual(await put('inactive'), [200, 'inactive', false, [], []]);
  assert.equal((await monitors(world)).monitors[0].state, 'inactive');
  assert.deepEqual(await world.names('watched'), ['acme-watched.example']);
  const resumed = [200, 'active', true, ['acme-new.example'], ['acme-ignored.example']];
  assert.deepEqual(await put('active'), resumed);
});

test('MON-06 MON-07 a monitor that is resumed searches all known names again, and finds what it missed', async () => {
  const world = await fresh();
  const { id, updated_date } = await world.monitor('acme');
  await world.server.monitors.recordSearchProgress(world.user.caller.account.id, id, {
    names: 9,
    ofNames: 9,
    done: true,
    updatedMs: Date.parse(updated_date),
  });
  const statuses: string[] = [];
  for (const state of ['inactive', 'inactive', 'active', 'active']) {
    const { json } = await world.call(`PUT ${route}?monitor_id=${id}`, { body: { state } });
    statuses.push(json.monitor.status);
  }
  assert.deepEqual(statuses, ['completed', 'completed', 'pending', 'pending']);
});

test('MON-06 MON-26 any other state is refused with 422, and so is a new monitor that is inactive', async () => {
  const world = await fresh();
  const { id } = await world.monitor('acme', { state: 'active' });
  for (const state of ['paused', 'Inactive', '', 0, null, ['inactive']]) {
    const { status, json } = await world.call(`PUT ${route}?monitor_id=${id}`, { body: { state } });
    assert.deepEqual([status, Object.keys(json.error.messages)], [422, ['state']], JSON.stringify(state));
  }
  const { status, json } = await world.call(`POST ${route}`, { body: { term: 'bolt', state: 'inactive' } });
  assert.deepEqual([status, Object.keys(json.error.messages)], [422, ['state']]);
  assert.deepEqual(
    (await monitors(world)).monitors.map(({ term, state }: Json) => [term, state]),
    [['acme', 'active']],
  );
});

test('MON-05 created_date never changes, updated_date moves with each PUT', async () => {
  const world = await fresh();
  const { id, created_date } = await world.monitor('acme');
  for (const minute of ['12', '13']) {
    world.server.clock.set(`2026-03-04T10:${minute}:00.5Z`);
    const answer = await world.call(`PUT ${route}?monitor_id=${id}`, { body: {} });
    assert.equal(answer.json.monitor.created_date, created_date);
    assert.equal(answer.json.monitor.updated_date, `2026-03-04T10:${minute}:00.500000+00:00`);
  }
});

test('MON-09 MON-10 MON-12 counts are present when requested, and start at datetime_counts_since', async () => {
  const world = await fresh();
  const { id } = await world.monitor('acme');
  await world.monitor('bolt');
  const found = (domain: string, at: string) => world.discover(domain, { monitors: [id], at });
  const early = await found('acme-early.example', '2026-03-01T00:00:00Z');
  const since = await found('acme-since.example', '2026-03-02T00:00:00Z');
  await found('acme-late.example', '2026-03-03T00:00:00Z');
  await world.patch([early], 'watched');
  world.server.clock.advanceSeconds(60);
  await world.patch([since], 'ignored');
  await world.escalate([early], 'blocked');
  await world.applyChange('acme-early.example', {}, '2026-03-02T12:00:00Z');
  const counts = async (query: string) =>
    (await monitors(world, query)).monitors.find(({ term }: Json) => term === 'acme').domain_counts;

  assert.equal(await counts(''), undefined);
  assert.equal(await counts('datetime_counts_since=2026-03-01'), undefined);
  assert.equal(await counts('include_counts=false&datetime_counts_since=2026-03-01'), undefined);
  const since2 = 'include_counts=true&datetime_counts_since=2026-03-02T00:00:00Z';
  assert.deepEqual(await counts(since2), { new: 1, watched: 1, changed: 1, escalated: 1 });
  const newSince = await world.list('new', `monitor_id=${id}&discovered_since=2026-03-02T00:00:00Z`);
  assert.equal(newSince.total_count, 1, 'what is counted as new is what the list of new domains has');
  const since3 = 'include_counts=1&datetime_counts_since=2026-03-02T12:00:00.001Z';
  assert.deepEqual(await counts(since3), { new: 1, watched: 1, changed: 0, escalated: 1 });
  world.server.clock.advanceSeconds(3600);
  const sinceNow = 'include_counts=1&datetime_counts_since=-60';
  assert.deepEqual(await counts(sinceNow), { new: 0, watched: 0, changed: 0, escalated: 0 });
});

test('MON-11 include_counts without datetime_counts_since returns 400 and names it', async () => {
  const world = await fresh();
  const answer = await world.call(`GET ${route}?include_counts=true`);
  assert.equal(answer.status, 400);
  assert.match(answer.json.error.message, /datetime_counts_since/);
});

test('MON-13 MON-17 the list is sorted by term descending, or by creation date, and asc reverses it', async () => {
  const world = await threeMonitors(fresh);
  assert.deepEqual(await terms(world), ['zenith', 'mercury', 'acme']);
  assert.deepEqual(await terms(world, 'sort=term'), ['zenith', 'mercury', 'acme']);
  assert.deepEqual(await terms(world, 'order=asc'), ['acme', 'mercury', 'zenith']);
  assert.deepEqual(await terms(world, 'sort[]=created_date'), ['zenith', 'acme', 'mercury']);
  assert.deepEqual(await terms(world, 'sort[]=created_date&order=asc'), ['mercury', 'acme', 'zenith']);
});

test('MON-14 MON-15 MON-16 a sort by counts includes them, and the next sort key breaks ties', async () => {
  const world = await threeMonitors(fresh);
  const found = async (term: string, domain: string) =>
    world.discover(domain, { monitors: [world.ids[term] as string] });
  await found('acme', 'acme-one.example');
  const watched = await found('mercury', 'mercury-one.example');
  await world.patch([watched], 'watched');
  for (const name of ['mercury-two.example', 'mercury-three.example']) await found('mercury', name);
  await world.applyChange('mercury-one.example', {}, '2026-03-04T10:12:00Z');

  const byDiscovered = 'sort[]=domain_counts_discovered&sort[]=term';
  assert.deepEqual(await terms(world, byDiscovered), ['mercury', 'acme', 'zenith']);
  const byChanged = 'sort[]=domain_counts_changed&sort[]=term';
  assert.deepEqual(await terms(world, byChanged), ['mercury', 'zenith', 'acme']);
  assert.deepEqual(await terms(world, `${byChanged}&order=asc`), ['acme', 'zenith', 'mercury']);
  const [first] = (await monitors(world, 'sort[]=domain_counts_discovered')).monitors;
  assert.deepEqual(first.domain_counts, { new: 2, watched: 1, changed: 1, escalated: 0 });
});

test('MON-18 offset skips that many, is echoed, and accepts 0 to 100000', async () => {
  const world = await threeMonitors(fresh);
  assert.equal((await monitors(world)).offset, 0);
  assert.deepEqual(await terms(world, 'offset=2'), ['acme']);
  const beyond = await monitors(world, 'offset=100000');
  assert.deepEqual([beyond.offset, beyond.total_count, beyond.monitors], [100_000, 3, []]);
  for (const wrong of ['-1', '100001']) {
    const answer = await world.call(`GET ${route}?offset=${wrong}`);
    assert.equal(answer.status, 400);
    assert.match(answer.json.error.message, /offset/);
  }
});

test('MON-19 MON-20 limit absent or 0 is the maximum of 500, with include_counts 100, and is echoed', async () => {
  const world = await threeMonitors(fresh);
  for (const [more, most] of [
    ['', 500],
    ['&include_counts=true&datetime_counts_since=-60', 100],
  ] as const) {
    assert.equal((await monitors(world, more)).limit, most);
    assert.equal((await monitors(world, `limit=0${more}`)).limit, most);
    assert.equal((await monitors(world, `limit=${most}${more}`)).limit, most);
    const two = await monitors(world, `limit=2${more}`);
    assert.deepEqual([two.limit, two.monitors.length, two.total_count], [2, 2, 3]);
    for (const wrong of [most + 1, -1]) {
      const answer = await world.call(`GET ${route}?limit=${wrong}${more}`);
      assert.equal(answer.status, 400);
      assert.match(answer.json.error.message, /limit/);
    }
  }
});

test('MON-21 MON-22 a monitor is created through the API and returned in full', async () => {
  const world = await fresh();
  const { status, json } = await world.call(`POST ${route}`, { body: { term: 'acmebank' } });
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(json), ['status', 'monitor']);
  assert.equal(json.status, 'created');
  assert.deepEqual([json.monitor], (await monitors(world)).monitors);
  await world.discover('acmebank-login.example');
  assert.deepEqual((await world.item('new', 'acmebank-login.example')).monitor_ids, [json.monitor.id]);
});

test('MON-23 a missing term is refused with 422 and named', async () => {
  const world = await fresh();
  for (const body of [{}, { match_substring_variations: true }, '[]', '5', '"acme"']) {
    const headers = { 'content-type': 'application/json' };
    const { status, json } = await world.call(`POST ${route}`, { headers, body });
    assert.equal(status, 422);
    assert.deepEqual(json, {
      error: {
        code: 422,
        summary: 'The given data was invalid.',
        messages: {
          ...(typeof body === 'string' && { body: ['must be a JSON object'] }),
          term: ['The term field is required.'],
        },
      },
      resources: json.resources,
    });
    assert.match(json.resources.support, /^https?:/);
  }
  assert.equal((await monitors(world)).total_count, 0);
});

test('MON-24 a term of fewer than three characters, or an invalid one, is refused with 422 and named', async () => {
  const world = await fresh();
  for (const term of unfitTerms) {
    const { status, json } = await world.call(`POST ${route}`, { body: { term } });
    assert.deepEqual([status, Object.keys(json.error.messages)], [422, ['term']], JSON.stringify(term));
  }
  assert.equal((await monitors(world)).total_count, 0);
});

test('MON-24 a term of three characters or more is accepted and shown as given', async () => {
  const world = await fresh();
  for (const term of ['abc', 'Acme', 'acme bank', 'паро', 'a💚b', 'a'.repeat(128)]) {
    assert.equal((await world.monitor(` ${term} `)).term, term);
  }
});

test('MON-25 omitted members default to false and empty', async () => {
  const world = await fresh();
  const made = await world.monitor('acme');
  assert.equal(made.match_substring_variations, false);
  assert.deepEqual([made.nameserver_exclusions, made.text_exclusions], [[], []]);
});

test('MON-26 a member of the wrong type is refused with 422 on create and update, and only it is named', async () => {
  const world = await fresh();
  const { id, ...before } = await world.monitor('acme');
  for (const [name, values] of wrongMembers) {
    for (const value of values) {
      const created = await world.call(`POST ${route}`, { body: { term: 'bolt', [name]: value } });
      const updated = await world.call(`PUT ${route}?monitor_id=${id}`, { body: { [name]: value } });
      for (const { status, json } of [created, updated]) {
        assert.deepEqual([status, Object.keys(json.error.messages)], [422, [name]], JSON.stringify(value));
      }
    }
  }
  assert.deepEqual((await monitors(world)).monitors, [{ ...before, id }]);
});

test('MON-26 several wrong members are all named, and valid ones are not', async () => {
  const world = await fresh();
  const body = {
    term: 'ab',
    match_substring_variations: 'yes',
    nameserver_exclusions: [''],
    text_exclusions: ['x'],
  };
  const { json } = await world.call(`POST ${route}`, { body });
  assert.deepEqual(Object.keys(json.error.messages).sort(), [
    'match_substring_variations',
    'nameserver_exclusions',
    'term',
  ]);
});

test('MON-30 PUT reads the id from the query; without it the response is 400 and names it', async () => {
  const world = await fresh();
  const { id } = await world.monitor('acme');
  const answer = await world.call(`PUT ${route}?monitor_id=${id}`, { body: { text_exclusions: ['x'] } });
  assert.equal(answer.json.monitor.id, id);
  const refused = await world.call(`PUT ${route}`, { body: { text_exclusions: ['y'] } });
  assert.equal(refused.status, 400);
  assert.match(refused.json.error.message, /monitor_id/);
  assert.deepEqual((await monitors(world)).monitors[0].text_exclusions, ['x']);
});

test('MON-31 MON-34 PUT replaces arrays, keeps omitted members, and returns the full monitor', async () => {
  const world = await fresh();
  const { id } = await world.monitor('acme', {
    nameserver_exclusions: ['ns.example'],
    text_exclusions: ['a', 'b'],
  });
  const put = async (body: object) => {
    const { status, json } = await world.call(`PUT ${route}?monitor_id=${id}`, { body });
    assert.equal(status, 200);
    assert.equal(json.status, 'updated');
    assert.deepEqual([json.monitor], (await monitors(world)).monitors);
    const { match_substring_variations, nameserver_exclusions, text_exclusions } = json.monitor;
    return [match_substring_variations, nameserver_exclusions, text_exclusions];
  };
  assert.deepEqual(await put({ text_exclusions: ['c'] }), [false, ['ns.example'], ['c']]);
  assert.deepEqual(await put({ match_substring_variations: true }), [true, ['ns.example'], ['c']]);
  assert.deepEqual(await put({ nameserver_exclusions: [] }), [true, [], ['c']]);
  assert.deepEqual(await put({}), [true, [], ['c']]);
  assert.deepEqual(await put({ match_substring_variations: false, text_exclusions: [] }), [false, [], []]);
});

test('MON-32 MON-33 PUT with a short or a different term returns 422 and names it; the same term is accepted', async () => {
  const world = await fresh();
  const { id } = await world.monitor('acme');
  for (const term of ['ab', 'bolt', 'acmee']) {
    const body = { term, text_exclusions: ['x'] };
    const { status, json } = await world.call(`PUT ${route}?monitor_id=${id}`, { body });
    assert.deepEqual([status, Object.keys(json.error.messages)], [422, ['term']]);
  }
  const [monitor] = (await monitors(world)).monitors;
  assert.deepEqual([monitor.term, monitor.text_exclusions], ['acme', []]);
  assert.equal((await world.call(`PUT ${route}?monitor_id=${id}`, { body: { term: 'acme' } })).status, 200);
});

test('MON-35 PUT or DELETE of a monitor of another account is answered like an unknown one, and changes nothing', async () => {
  const world = await fresh();
  const otherUser = await world.server.user({ permissions: analyst });
  const theirs = await world.monitor('other', {}, otherUser);
  const mine = await world.monitor('acme');
  for (const method of ['PUT', 'DELETE']) {
    const of = (id: string) => world.call(`${method} ${route}?monitor_id=${id}`);
    const [foreign, absent, empty] = [await of(theirs.id), await of('AAAAAAAAAA'), await of('')];
    assert.equal(foreign.status, 404);
    assert.deepEqual([absent.status, absent.text], [404, foreign.text]);
    assert.deepEqual([empty.status, empty.text], [404, foreign.text]);
  }
  assert.deepEqual((await monitors(world, '', otherUser)).monitors, [theirs]);
  assert.deepEqual((await monitors(world)).monitors, [mine]);
});

test('MON-36 MON-37 DELETE requires the id, returns it, and is permanent', async () => {
  const world = await fresh();
  const { id } = await world.monitor('acme');
  const without = await world.call(`DELETE ${route}`);
  assert.equal(without.status, 400);
  assert.match(without.json.error.message, /monitor_id/);
  const { status, json } = await world.call(`DELETE ${route}?monitor_id=${id}`);
  assert.equal(status, 200);
  const { domains, ...contract } = json;
  assert.deepEqual(contract, { status: 'deleted', monitor: { id } });
  assert.deepEqual(domains, { removed: 0, remembered: 0, blocked: 0 });
  assert.equal((await monitors(world)).total_count, 0);
  for (const method of ['DELETE', 'PUT']) {
    assert.equal((await world.call(`${method} ${route}?monitor_id=${id}`)).status, 404);
  }
});

test('MON-38 after DELETE domains that no other monitor matched leave all lists, and nothing new is matched for it', async () => {
  const world = await fresh();
  const gone = (await world.monitor('acme')).id;
  const kept = (await world.monitor('bolt')).id;
  const alone = { monitors: [gone] };
  await world.discover('acme-new.example', alone);
  await world.patch([await world.discover('acme-watched.example', alone)], 'watched');
  await world.patch([await world.discover('acme-ignored.example', alone)], 'ignored');
  await world.discover('acme-bolt.example', { monitors: [gone, kept] });
  await world.call(`DELETE ${route}?monitor_id=${gone}`);
  await world.discover('acme-later.example', alone);
  assert.deepEqual(await world.names('new'), ['acme-bolt.example']);
  assert.deepEqual((await world.item('new', 'acme-bolt.example')).monitor_ids, [kept]);
  assert.deepEqual([await world.names('watched'), await world.names('ignored')], [[], []]);
});

test('MON-36 MON-38 domains of a deleted monitor stay blocked, the response counts them, and decisions hold when the term returns', async () => {
  const world = await fresh();
  const { id: gone } = await world.monitor('acme');
  await world.discover('acme-new.example');
  const ids = {
    watched: await world.discover('acme-watched.example'),
    ignored: await world.discover('acme-ignored.example'),
    blocked: await world.discover('acme-blocked.example'),
  };
  await world.patch([ids.watched], 'watched');
  await world.patch([ids.ignored], 'ignored');
  await world.escalate([ids.blocked], 'blocked');
  const links = (await world.call('GET /v1/intel-detect/blocklists/')).json.blocklists;
  const { url } = links.find(({ format }: Json) => format === 'plain');
  const blocked = async () => {
    const { pathname, search } = new URL(url);
    return (await world.server.call(`GET ${pathname}${search}`)).text.includes('acme-blocked.example');
  };
  const before = await world.item('watched', 'acme-blocked.example');
  const { json } = await world.call(`DELETE ${route}?monitor_id=${gone}`);
  assert.deepEqual(json.domains, { removed: 4, remembered: 3, blocked: 1 });
  assert.deepEqual(await world.names('watched'), []);
  assert.equal(await blocked(), true);
  assert.equal((await world.patch([ids.watched], 'ignored')).status, 404);

  world.server.clock.advanceSeconds(3600);
  const { id: again } = await world.monitor('acme');
  for (const state of ['watched', 'ignored', 'blocked']) await world.discover(`acme-${state}.example`);
  const found = async (list: 'new' | 'watched' | 'ignored') =>
    (await world.list(list)).watchlist_domains.map(({ id }: Json) => id).sort();
  assert.deepEqual(await found('new'), []);
  assert.deepEqual(await found('watched'), [ids.watched, ids.blocked].sort());
  assert.deepEqual(await found('ignored'), [ids.ignored]);
  const returned = await world.item('watched', 'acme-blocked.example');
  assert.deepEqual(returned.monitor_ids, [again]);
  assert.deepEqual(returned.escalations, before.escalations);
  assert.equal(returned.discovered_date, before.discovered_date);

  const forgotten = await world.call(`DELETE ${route}?monitor_id=${again}&forget=true`);
  assert.deepEqual(forgotten.json.domains, { removed: 3, remembered: 0, blocked: 0 });
  assert.equal(await blocked(), false);
});

test('a monitor can be created from a form, and unknown members are ignored', async () => {
  const world = await fresh();
  const { json } = await world.call(`POST ${route}`, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'term=acme&match_substring_variations=1&text_exclusions[]=a&text_exclusions[]=b&app_name=x&headers=y',
  });
  assert.equal(json.monitor.match_substring_variations, true);
  assert.deepEqual(json.monitor.text_exclusions, ['a', 'b']);
});

test('a monitor that a file declares says which, and what has changed since', async () => {
  const world = await fresh();
  const { id } = await world.monitor('acme');
  const put = async (body: object) =>
    (await world.call(`PUT /v1/intel-detect/monitors/?monitor_id=${id}`, { body })).json.monitor.declared;
  assert.equal(await put({ text_exclusions: ['fan'] }), undefined);
  assert.deepEqual(await put({ declared_in: 'brand/acme.yaml' }), { file: 'brand/acme.yaml', changed: [] });
  assert.deepEqual(await put({ text_exclusions: [], state: 'inactive' }), {
    file: 'brand/acme.yaml',
    changed: ['state', 'text_exclusions'],
  });
  assert.equal(await put({ declared_in: null }), undefined);
});
