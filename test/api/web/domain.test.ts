/** The operations behind the page of one domain. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { DomainRecord } from '../../../src/model/record/domain-record.ts';
import { discover, watchTerm } from '../../harness/fixtures/watch-domains.ts';
import { testServer } from '../../harness/server/test-server.ts';
import { type WebSession, webSession } from '../../harness/server/web-session.ts';

const server = await testServer(
  { after },
  { settings: { 'limits.investigate.guidedPivotDomainsMax': '500' } },
);
const start = '2026-03-04T10:11:12Z';

async function write(record: DomainRecord, members?: readonly (keyof DomainRecord)[], source = 'dns') {
  const seenMs = server.clock.now();
  await server.domains.upsert([{ record, source, seenMs, ...(members ? { members } : {}) }]);
}

async function accountIdOf(session: WebSession): Promise<string> {
  return (await server.accounts.findAccount(session.account))?.id ?? assert.fail();
}

test('an overview has the record, the risk with reasons, the list, tags and the picture of a domain', async () => {
  server.clock.set(start);
  const me = await webSession(server, { permissions: ['read', 'triage'] });
  const accountId = await accountIdOf(me);
  await write({
    domain: 'acme-login.example',
    active: true,
    registrar: 'Ember & Ash',
    create_date: '2026-03-01',
    ip: [{ address: '192.0.2.7', country_code: 'de', isp: 'Velt' }],
    name_server: [{ host: 'ns1.fastpanel.example' }],
  });
  const monitorId = await watchTerm(server.monitors, accountId, server.clock.now());
  await discover(server.watchlist, {
    accountId,
    monitorId,
    domains: ['acme-login.example'],
    atMs: server.clock.now(),
  });
  const { id: userId, name: username } = me.person;
  const by = { accountId, userId, username, scope: 'team', atMs: server.clock.now() } as const;
  await server.domains.changeTags(['acme-login.example'], { add: ['kit 7'], remove: [] }, by);
  const { status, json } = await me.call('GET /domains/ACME-login.example');
  assert.equal(status, 200, JSON.stringify(json));
  assert.deepEqual(
    [json.domain, json.punycode, json.tld, json.own],
    ['acme-login.example', 'acme-login.example', 'example', false],
  );
  assert.deepEqual(
    [json.summary.registrar, json.summary.ip[0].ip, json.summary.name_server, json.summary.create_date],
    ['Ember & Ash', '192.0.2.7', ['ns1.fastpanel.example'], '2026-03-01'],
  );
  assert.ok(json.risk.score >= 0 && json.risk.reasons.length > 0);
  for (const { code, text, points, components } of json.risk.reasons) {
    assert.match(code, /^[a-z0-9-]+$/);
    assert.ok(text.length > 0 && Number.isInteger(points) && components.length > 0);
  }
  assert.deepEqual(
    [json.listed.state, json.listed.monitors, json.listed.match[0].monitor_id, json.listed.decided],
    ['new', [{ id: monitorId, term: 'acme' }], monitorId, null],
  );
  assert.deepEqual(
    json.tags.map(({ label, scope }: { label: string; scope: string }) => [label, scope]),
    [['kit 7', 'team']],
  );
  assert.equal(json.picture.state, 'none');
});

test('a domain without a record has a risk by its name, and is on no list', async () => {
  const me = await webSession(server);
  const { json } = await me.call('GET /domains/xn--80ak6aa92e.example');
  assert.deepEqual(
    [json.domain, json.punycode, json.summary, json.listed, json.tags],
    ['аррӏе.example', 'xn--80ak6aa92e.example', null, null, []],
  );
  assert.equal(typeof json.risk.score, 'number');
});

test('a name that is no domain is refused with its field', async () => {
  const me = await webSession(server);
  for (const name of ['a b', 'http%3A%2F%2Fexample.com', 'a..example', '192.0.2.1']) {
    const { status, json } = await me.call(`GET /domains/${name}`);
    assert.equal(status, 422, name);
    assert.deepEqual(Object.keys(json.error.fields), ['name']);
  }
});

/** How many requests of today the account has made to a product. */
async function counter(product: string) {
  const user = await server.user({ permissions: ['admin'] });
  const me = await webSession(server, { account: user.caller.account.name });
  const used = async (): Promise<number> => {
    const { json } = await server.call('GET /v1/account/', { key: user.key });
    const found = json.response.products.find((one: { id: string }) => one.id === product);
    return Number(found.usage.today);
  };
  return { me, used };
}

test('an overview and a record are charged to Enrich like requests with a key', async () => {
  const { me, used } = await counter('intel-enrich');
  await me.call('GET /domains/charged.example');
  assert.equal(await used(), 1);
  await me.call('GET /domains/charged.example/record');
  assert.equal(await used(), 2);
  await me.call('GET /domains/not..valid');
  assert.equal(await used(), 2);
});

test('the record at a time has the values of then, with source and time of each', async () => {
  server.clock.set(start);
  const me = await webSession(server);
  await write({ domain: 'then.example', registrar: 'First', website_title: 'Hello', sources: {} });
  server.clock.advanceSeconds(3600);
  await write({ domain: 'then.example', registrar: 'Second' }, ['registrar'], 'rdap');
  server.clock.advanceSeconds(3600);
  await write({ domain: 'then.example', registrar: 'Third' }, ['registrar'], 'whois');
  const registrarAt = async (asOf: string) => {
    const { json } = await me.call(`GET /domains/then.example/record?as_of=${asOf}`);
    assert.equal(json.as_of, new Date(asOf).toISOString());
    const field = json.fields.find((one: { field: string }) => one.field === 'registrar');
    return [json.known, field?.value, field?.source, field?.changed_at];
  };
  assert.deepEqual(await registrarAt('2026-03-04T10:30:00Z'), [true, 'First', null, null]);
  assert.deepEqual(await registrarAt('2026-03-04T11:30:00Z'), [
    true,
    'Second',
    'rdap',
    '2026-03-04T11:11:12.000Z',
  ]);
  assert.deepEqual(await registrarAt('2026-03-04T12:30:00Z'), [
    true,
    'Third',
    'whois',
    '2026-03-04T12:11:12.000Z',
  ]);
  const { json: before } = await me.call('GET /domains/then.example/record?as_of=2026-03-04T09:00:00Z');
  assert.deepEqual([before.known, before.fields], [false, []]);
  const { json: now } = await me.call('GET /domains/then.example/record');
  assert.deepEqual([now.as_of, now.complete, now.first_seen], [null, true, '2026-03-04T10:11:12.000Z']);
  const wrong = await me.call('GET /domains/then.example/record?as_of=yesterday');
  assert.deepEqual([wrong.status, Object.keys(wrong.json.error.fields)], [422, ['as_of']]);
});

test('history is leaf by leaf, newest first, page by page, and by field', async () => {
  server.clock.set(start);
  const me = await webSession(server);
  const entry = (address: string, country_code: string) => ({ address, country_code });
  await write({
    domain: 'leaf.example',
    active: true,
    ip: [entry('192.0.2.1', 'de'), entry('192.0.2.2', 'de')],
  });
  server.clock.advanceSeconds(60);
  await write({ domain: 'leaf.example', ip: [entry('192.0.2.1', 'fr'), entry('192.0.2.3', 'de')] }, ['ip']);
  const { json } = await me.call('GET /domains/leaf.example/history');
  assert.deepEqual(json.changes, [
    {
      at: '2026-03-04T10:12:12.000Z',
      source: 'dns',
      field: 'ip',
      leaf: '',
      before: '192.0.2.2',
      after: null,
    },
    {
      at: '2026-03-04T10:12:12.000Z',
      source: 'dns',
      field: 'ip',
      leaf: '192.0.2.1 country_code',
      before: 'de',
      after: 'fr',
    },
    {
      at: '2026-03-04T10:12:12.000Z',
      source: 'dns',
      field: 'ip',
      leaf: '',
      before: null,
      after: '192.0.2.3',
    },
  ]);
  assert.deepEqual([json.fields, json.before], [['ip'], null]);
  for (let at = 0; at < 150; at += 1) {
    server.clock.advanceSeconds(60);
    await write({ domain: 'leaf.example', website_title: `title ${at}` }, ['website_title']);
  }
  const { json: first } = await me.call('GET /domains/leaf.example/history');
  const { json: second } = await me.call(`GET /domains/leaf.example/history?before=${first.before}`);
  assert.deepEqual([first.changes.length, second.before], [100, null]);
  assert.equal(second.changes.length, 53);
  const { json: filtered } = await me.call('GET /domains/leaf.example/history?field=ip');
  assert.deepEqual([filtered.changes.length, filtered.before], [3, null]);
});

test('pivots have counts, average risk, a guided mark and the first names, and a minute later they are charged again', async () => {
  server.clock.set(start);
  const risk = (risk_score: number) => ({ risk_score, components: [] });
  for (const [index, name] of ['one', 'two', 'three', 'four', 'five', 'six', 'seven'].entries())
    await write({
      domain: `${name}.pivot.example`,
      analytics_code: 'UA-77',
      registrar: index < 2 ? 'Few' : 'Many',
      domain_risk: risk(10 * index),
    });
  const me = await webSession(server);
  await me.call('PATCH /me', { body: { preferences: { guided_pivot_threshold: 6 } } });
  const pivots = () => me.call('POST /pivots', { body: { domain: 'one.pivot.example' } });
  const { status, json } = await pivots();
  assert.equal(status, 200, JSON.stringify(json));
  const of = (attribute: string) =>
    json.pivots.find((one: { attribute: string }) => one.attribute === attribute);
  assert.deepEqual(of('registrar'), {
    attribute: 'registrar',
    value: 'Few',
    domains: 2,
    average_risk: 5,
    guided: true,
    first_names: ['two.pivot.example'],
  });
  assert.deepEqual(
    [of('analytics_code').domains, of('analytics_code').guided, of('analytics_code').first_names],
    [7, false, []],
  );
  assert.deepEqual([json.threshold, json.known, json.more], [6, true, false]);
  await write({ domain: 'eight.pivot.example', registrar: 'Few' });
  server.clock.advanceSeconds(59);
  assert.deepEqual((await pivots()).json, json);
  server.clock.advanceSeconds(2);
  const again = (await pivots()).json;
  assert.equal(again.pivots.find((one: { value: string }) => one.value === 'Few').domains, 3);
});

test('the first five other names of a pivot are the riskiest', async () => {
  server.clock.set(start);
  for (let at = 0; at < 9; at += 1)
    await write({
      domain: `n${at}.many.example`,
      registrant_org: 'Kit 12',
      domain_risk: { risk_score: 10 * at, components: [] },
    });
  const me = await webSession(server);
  const { json } = await me.call('POST /pivots', { body: { domain: 'n7.many.example' } });
  const pivot = json.pivots.find((one: { value: string }) => one.value === 'Kit 12');
  assert.deepEqual(
    pivot.first_names,
    [8, 6, 5, 4, 3].map((at) => `n${at}.many.example`),
  );
});

test('pivots draw on the limits of Investigate, and a repeated question does not', async () => {
  server.clock.set('2026-03-05T10:00:00Z');
  const { me, used } = await counter('intel-investigate');
  const ask = () => me.call('POST /pivots', { body: { domain: 'limits.example' } });
  await ask();
  await ask();
  assert.equal(await used(), 1);
  await me.call('GET /domains/limits.example/history');
  assert.equal(await used(), 2);
});

test('passive DNS is shown both ways, newest first, to accounts that have it', async () => {
  server.clock.set(start);
  await server.observe([
    { rrname: 'www.seen.example', rdata: '192.0.2.1', bailiwick: 'seen.example' },
    { rrname: 'other.example', rrtype: 'CNAME', rdata: 'www.seen.example.' },
  ]);
  const me = await webSession(server);
  const { status, json } = await me.call('GET /domains/seen.example/pdns');
  assert.equal(status, 200, JSON.stringify(json));
  assert.deepEqual(
    [json.names.rows.length, json.names.rows[0].rrname, json.names.rows[0].rdata, json.names.more],
    [1, 'www.seen.example.', ['192.0.2.1'], false],
  );
  assert.deepEqual(
    [json.data.rows.map((row: { rrname: string }) => row.rrname), json.data.rows[0].rdata],
    [['other.example.'], ['www.seen.example.']],
  );
  assert.match(json.names.rows[0].last, /^\d{4}-\d\d-\d\dT[\d:]+Z$/);
  const without = await server.user({ pdns: null });
  const other = await webSession(server, { account: without.caller.account.name });
  const refused = await other.call('GET /domains/seen.example/pdns');
  assert.deepEqual([refused.status, refused.json.error.code], [403, 'not-provisioned']);
});

test('a refresh queues the jobs of the registrable domain ahead of others, within its limit', async () => {
  server.clock.set('2026-03-06T10:00:00Z');
  const reader = await webSession(server);
  assert.equal((await reader.call('POST /domains/again.example/refresh')).status, 403);
  const me = await webSession(server, { permissions: ['triage'] });
  const { status, json } = await me.call('POST /domains/www.again.example/refresh');
  assert.deepEqual(
    [status, json],
    [202, { domain: 'again.example', queued: true, jobs: ['collect', 'screenshot'] }],
  );
  const due = await server.jobs.findDueMs('collect', ['again.example', 'www.again.example']);
  assert.ok((due[0] ?? Number.POSITIVE_INFINITY) < server.clock.now());
  assert.equal(due[1], undefined);
  for (let at = 0; at < 29; at += 1) await me.call('POST /domains/again.example/refresh');
  const refused = await me.call('POST /domains/again.example/refresh');
  assert.deepEqual([refused.status, refused.json.error.code], [429, 'limit-exceeded']);
});
