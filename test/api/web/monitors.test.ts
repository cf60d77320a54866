/** Monitors in the web UI. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { discoveryFixture } from '../../harness/fixtures/discovery-fixture.ts';
import { testServer } from '../../harness/server/test-server.ts';
import { webSession } from '../../harness/server/web-session.ts';

const server = await testServer({ after }, { settings: { 'web.pagesPerMinute': '10000' } });
const pipeline = discoveryFixture(server);
const manager = ['manage', 'escalate', 'triage'] as const;

async function newAccount() {
  const user = await server.user({ permissions: ['admin'] });
  const account = user.caller.account;
  return {
    user,
    accountId: account.id,
    me: await webSession(server, { account: account.name, permissions: manager }),
  };
}

/** Triages what the account has found so far. */
async function decide(
  accountId: string,
  decisions: Readonly<Record<string, 'watched' | 'ignored' | 'blocked'>>,
) {
  const by = { username: 'ann', atMs: server.clock.now() };
  for (const [name, to] of Object.entries(decisions)) {
    const { id } = (await server.watchlist.findDomainNamed(accountId, name)) ?? assert.fail(name);
    if (to === 'blocked') await server.escalations.escalateDomains(accountId, [id], 'blocked', by);
    else await server.watchlist.triageDomains(accountId, [id], to, by);
  }
}

const blockedIn = async (accountId: string) =>
  (await server.escalations.listBlockedDomains(accountId, '', 10)).map(({ domain }) => domain);

test('a monitor is created, listed, changed, paused and resumed', async () => {
  const { me } = await newAccount();
  const created = await me.call('POST /monitors', {
    body: { term: '  cloudpantry ', text_exclusions: ['shop'] },
  });
  assert.equal(created.status, 201, created.text);
  const { id } = created.json;
  assert.deepEqual(
    [created.json.term, created.json.state, created.json.status, created.json.created_by],
    ['cloudpantry', 'active', 'pending', me.person.name],
  );
  const { json: list } = await me.call('GET /monitors');
  assert.deepEqual([list.total, list.monitors], [1, [created.json]]);
  const change = (body: object) => me.call(`PATCH /monitors/${id}`, { body });
  const changed = await change({ text_exclusions: [], match_substring_variations: true });
  assert.deepEqual(
    [changed.json.text_exclusions, changed.json.match_substring_variations, changed.json.term],
    [[], true, 'cloudpantry'],
  );
  assert.equal((await change({ state: 'inactive' })).json.state, 'inactive');
  const resumed = await change({ state: 'active' });
  assert.deepEqual([resumed.json.state, resumed.json.status], ['active', 'pending']);
});

test('what is wrong with a monitor is said at its field, in the words of the platform API', async () => {
  const { me, user } = await newAccount();
  const short = await me.call('POST /monitors', { body: { term: 'ab' } });
  const api = await server.call('POST /v1/intel-detect/monitors/', { key: user.key, body: { term: 'ab' } });
  assert.equal(short.status, 422);
  assert.ok(api.text.includes(short.json.error.fields.term[0]), api.text);
  const { json } = await me.call('POST /monitors', { body: { term: 'acme' } });
  const other = await me.call(`PATCH /monitors/${json.id}`, { body: { term: 'other' } });
  assert.deepEqual([other.status, Object.keys(other.json.error.fields)], [422, ['term']]);
  assert.equal((await me.call('PATCH /monitors/unknown', { body: { state: 'inactive' } })).status, 404);
});

test('a monitor of another account is not found', async () => {
  const [one, other] = [await newAccount(), await newAccount()];
  const { json } = await one.me.call('POST /monitors', { body: { term: 'acme' } });
  for (const route of [`GET /monitors/${json.id}`, `DELETE /monitors/${json.id}`])
    assert.equal((await other.me.call(route)).status, 404);
  assert.equal((await one.me.call(`GET /monitors/${json.id}`)).status, 200);
});

test('a paused monitor finds nothing, over PUT as well, and catches up when it is resumed', async () => {
  const { me, user, accountId } = await newAccount();
  const { json } = await me.call('POST /monitors', { body: { term: 'brandfox' } });
  await pipeline.searchKnown();
  const put = (state: string) =>
    server.call(`PUT /v1/intel-detect/monitors/?monitor_id=${json.id}`, { key: user.key, body: { state } });
  assert.equal((await put('inactive')).json.monitor.state, 'inactive');
  await pipeline.append(['brandfox-login.com']);
  await pipeline.discover();
  assert.equal(await server.watchlist.findDomainNamed(accountId, 'brandfox-login.com'), undefined);
  assert.equal((await me.call(`PATCH /monitors/${json.id}`, { body: { state: 'active' } })).status, 200);
  await pipeline.searchKnown();
  assert.equal((await server.watchlist.findDomainNamed(accountId, 'brandfox-login.com'))?.state, 'new');
});

test('a monitor says what hangs on it, deleting it keeps blocks and decisions, and the term brings them back', async () => {
  const { me, accountId } = await newAccount();
  const { json: monitor } = await me.call('POST /monitors', { body: { term: 'pinewood' } });
  await pipeline.append(['pinewood-a.com', 'pinewood-b.com', 'pinewood-c.com', 'pinewood-d.com']);
  await pipeline.discover();
  await decide(accountId, {
    'pinewood-a.com': 'watched',
    'pinewood-b.com': 'ignored',
    'pinewood-c.com': 'blocked',
  });
  const { json: details } = await me.call(`GET /monitors/${monitor.id}`);
  assert.deepEqual(
    [details.monitor.id, details.domains, details.alone],
    [monitor.id, 4, { domains: 4, decided: 3, blocked: 1 }],
  );
  const deleted = await me.call(`DELETE /monitors/${monitor.id}`);
  assert.deepEqual(deleted.json, { id: monitor.id, removed: 4, remembered: 3, blocked: 1 });
  assert.deepEqual(await blockedIn(accountId), ['pinewood-c.com']);
  await me.call('POST /monitors', { body: { term: 'pinewood' } });
  await pipeline.searchKnown();
  const stateOf = async (name: string) => (await server.watchlist.findDomainNamed(accountId, name))?.state;
  assert.deepEqual(
    [await stateOf('pinewood-a.com'), await stateOf('pinewood-b.com'), await stateOf('pinewood-c.com')],
    ['watched', 'ignored', 'watched'],
  );
});

test('with keep_blocks=false the blocked domains of a deleted monitor leave the blocklist', async () => {
  const { me, accountId } = await newAccount();
  const { json: monitor } = await me.call('POST /monitors', { body: { term: 'oakfield' } });
  await pipeline.append(['oakfield-a.com']);
  await pipeline.discover();
  await decide(accountId, { 'oakfield-a.com': 'blocked' });
  const { json } = await me.call(`DELETE /monitors/${monitor.id}?keep_blocks=false`);
  assert.deepEqual([json.removed, json.remembered, json.blocked], [1, 1, 0]);
  assert.deepEqual(await blockedIn(accountId), []);
  const page = { afterId: 0, limit: 10, kinds: ['escalated', 'withdrawn'] } as const;
  const events = await server.events.listEvents(accountId, page);
  assert.deepEqual(
    events.map(({ kind, domain, detail, isWithdrawn }) => [
      kind,
      domain,
      detail['type'],
      isWithdrawn ?? false,
    ]),
    [
      ['escalated', 'oakfield-a.com', 'blocked', true],
      ['withdrawn', 'oakfield-a.com', 'blocked', false],
    ],
  );
});

test('a preview marks the lines that exclusions strike, counts by class, and says what was decided since', async () => {
  const { me, accountId } = await newAccount();
  await pipeline.write({ domain: 'mapleton-parked.com', name_server: [{ host: 'ns1.parking.example' }] });
  await pipeline.append([
    'mapleton-login.com',
    'mapleton-parked.com',
    'mapl3ton.com',
    'www.mapleton-blog.com',
  ]);
  await pipeline.discover();
  const preview = (body: object) =>
    me.call('POST /monitors/preview', { body: { term: 'mapleton', ...body } });
  const { status, json } = await preview({});
  assert.equal(status, 200, JSON.stringify(json));
  assert.deepEqual([json.total, json.excluded, json.days, json.complete], [4, 0, 90, true]);
  const sum = Object.values<number>(json.class_counts).reduce((one, other) => one + other, 0);
  assert.equal(sum, 4);
  const { json: narrowed } = await preview({
    text_exclusions: ['blog'],
    nameserver_exclusions: ['*.parking.example'],
  });
  assert.deepEqual([narrowed.total, narrowed.excluded], [2, 2]);
  const struck = new Map(
    narrowed.domains.map(({ domain, excluded_by }: { domain: string; excluded_by: unknown }) => [
      domain,
      excluded_by,
    ]),
  );
  assert.deepEqual(struck.get('mapleton-blog.com'), { by: 'text', exclusion: 'blog' });
  assert.deepEqual(struck.get('mapleton-parked.com'), { by: 'name_server', exclusion: '*.parking.example' });
  assert.deepEqual([struck.size, struck.get('mapleton-login.com')], [4, null]);
  const parked = json.domains.find(({ domain }: { domain: string }) => domain === 'mapleton-parked.com');
  assert.deepEqual(parked.name_server, ['ns1.parking.example']);
  await me.call('POST /monitors', { body: { term: 'mapleton' } });
  await pipeline.searchKnown();
  await decide(accountId, { 'mapleton-login.com': 'blocked', 'mapl3ton.com': 'ignored' });
  const { json: tested } = await preview({});
  assert.deepEqual([tested.total, tested.escalated, tested.watched], [4, 1, 1]);
});

test('a change of a monitor is tested on the names of 90 days and on what was decided, before it is saved', async () => {
  const { me, accountId } = await newAccount();
  await pipeline.append(['orchardine-login.com', 'orchardine-blog.com', 'orchardine-jobs.com']);
  await pipeline.discover();
  const body = { term: 'orchardine', text_exclusions: ['jobs'] };
  const { json: monitor } = await me.call('POST /monitors', { body });
  await pipeline.searchKnown();
  await decide(accountId, { 'orchardine-blog.com': 'ignored' });
  const { status, json } = await me.call(`POST /monitors/${monitor.id}/back-test`, {
    body: { text_exclusions: ['blog'] },
  });
  assert.equal(status, 200, JSON.stringify(json));
  assert.deepEqual(json, {
    days: 90,
    complete: true,
    appearing: {
      total: 1,
      watched: 0,
      ignored: 0,
      escalated: 0,
      domains: [{ domain: 'orchardine-jobs.com', punycode: 'orchardine-jobs.com' }],
    },
    disappearing: {
      total: 1,
      watched: 0,
      ignored: 1,
      escalated: 0,
      domains: [{ domain: 'orchardine-blog.com', punycode: 'orchardine-blog.com' }],
    },
  });
});

test('own domains are added in any spelling, removed, and a suffix is refused', async () => {
  const { me } = await newAccount();
  const added = await me.call('POST /own-domains', { body: { add: ['Bücher.Example', 'acme.example'] } });
  assert.deepEqual(added.json.own_domains, [
    { domain: 'acme.example', punycode: 'acme.example' },
    { domain: 'bücher.example', punycode: 'xn--bcher-kva.example' },
  ]);
  const removed = await me.call('POST /own-domains', { body: { remove: ['acme.example'] } });
  assert.equal(removed.json.own_domains.length, 1);
  assert.deepEqual((await me.call('GET /own-domains')).json, removed.json);
  const suffix = await me.call('POST /own-domains', { body: { add: ['com'] } });
  assert.deepEqual([suffix.status, Object.keys(suffix.json.error.fields)], [422, ['add']]);
});
