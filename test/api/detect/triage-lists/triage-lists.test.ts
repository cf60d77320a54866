/** The lists of Triage for the command line: pages with the filters of the web UI, facets, and clusters. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { testServer } from '../../../harness/server/test-server.ts';
import { type DetectFixture, type Json, roomy, worldOf } from '../detect-fixture.ts';

const server = await testServer({ after }, { settings: roomy });
let world: DetectFixture;
let monitorId = '';
const base = 'GET /v1/intel-detect';

const found = {
  'acme-a.example': { host: 'ns1.crew.example', registrar: 'Example, Inc.', score: 90 },
  'acme-b.test': { host: 'ns1.other.example', registrar: 'Registrar Two', score: 80 },
  'acme-c.example': { host: 'ns1.crew.example', registrar: 'Example, Inc.', score: 20 },
};

before(async () => {
  world = await worldOf(server);
  monitorId = (await world.monitor('acme')).id;
  for (const [domain, { host, registrar, score }] of Object.entries(found))
    await world.discover(domain, {
      record: {
        name_server: [{ host }],
        parsed_whois: { registrar },
        domain_risk: { risk_score: score, components: [] },
      },
    });
});

async function ask(path: string, query: Readonly<Record<string, string>> = {}): Promise<Json> {
  const { status, json, text } = await world.call(`${base}/${path}?${new URLSearchParams(query).toString()}`);
  assert.equal(status, 200, text);
  return json;
}

const namesOf = ({ watchlist_domains: domains }: Json) => domains.map(({ domain }: Json) => domain);

test('a list of Triage is in order of risk, page by page', async () => {
  const first = await ask('triage/new/', { limit: '2' });
  assert.deepEqual([namesOf(first), first.total_count], [['acme-a.example', 'acme-b.test'], 3]);
  const second = await ask('triage/new/', { limit: '2', cursor: first.next_cursor });
  assert.deepEqual([namesOf(second), second.next_cursor], [['acme-c.example'], null]);
});

const filters: readonly (readonly [name: string, value: string, names: readonly string[]])[] = [
  ['registrars[]', 'Example, Inc.', ['acme-a.example', 'acme-c.example']],
  ['name_servers[]', 'NS1.other.example.', ['acme-b.test']],
  ['tlds[]', 'test', ['acme-b.test']],
  ['risk_score_ranges[]', '70-99', ['acme-a.example', 'acme-b.test']],
  ['risk_score_ranges[]', 'none', []],
  ['search', 'ACME-C', ['acme-c.example']],
  ['countries[]', 'de', []],
  ['ips[]', 'no address', []],
  ['mx_exists', 'true', []],
];

for (const [name, value, names] of filters)
  test(`${name}=${value} narrows a list`, async () => {
    assert.deepEqual(namesOf(await ask('triage/new/', { [name]: value })), names);
  });

test('domains of a list are read by their ids', async () => {
  const { watchlist_domains: all } = await ask('triage/new/');
  const some = await ask('triage/new/', { watchlist_domain_ids: `${all[2].id},${all[1].id},elsewhere` });
  assert.deepEqual(namesOf(some), ['acme-b.test', 'acme-c.example']);
});

test('facets count the values of an attribute, and a monitor has its term', async () => {
  const { values, more } = await ask('triage/new/facets/', { attribute: 'name_server' });
  assert.deepEqual(values, [
    { value: 'ns1.crew.example', domains: 2, average_risk: 55 },
    { value: 'ns1.other.example', domains: 1, average_risk: 80 },
  ]);
  assert.equal(more, false);
  const monitors = await ask('triage/new/facets/', { attribute: 'monitor' });
  assert.deepEqual(
    monitors.values.map(({ value, label, domains }: Json) => [value, label, domains]),
    [[monitorId, 'acme', 3]],
  );
});

test('facets are those of the filtered list', async () => {
  const query = { attribute: 'registrar', 'tlds[]': 'test' };
  assert.deepEqual(
    (await ask('triage/new/facets/', query)).values.map(({ value }: Json) => value),
    ['Registrar Two'],
  );
});

test('a list is grouped by what its domains share, as it is filtered', async () => {
  const { clusters } = await ask('triage/new/clusters/');
  assert.deepEqual(clusters[0].shared, { attribute: 'name_server', value: 'ns1.crew.example' });
  assert.equal(clusters[0].watchlist_domain_ids.length, 2);
  assert.equal(clusters.length, 1);
  assert.deepEqual(await ask('triage/new/clusters/', { 'tlds[]': 'test' }), { clusters: [] });
});

test('the cluster of a domain is searched in the filtered list', async () => {
  const [{ id }] = (await ask('triage/new/')).watchlist_domains;
  assert.equal((await ask('cluster/', { id, list: 'new' })).watchlist_domain_ids.length, 2);
  const narrowed = await ask('cluster/', { id, list: 'new', 'risk_score_ranges[]': '70-99' });
  assert.deepEqual(narrowed, { shared: null, watchlist_domain_ids: [id] });
});

const refused: readonly (readonly [path: string, query: string, status: number, named: string])[] = [
  ['triage/everything/', '', 404, ''],
  ['triage/__proto__/facets/', 'attribute=tld', 404, ''],
  ['triage/new/', 'monitor_id=nosuch', 404, ''],
  ['triage/new/clusters/', 'monitor_id=nosuch', 404, ''],
  ['triage/new/facets/', '', 400, 'attribute'],
  ['triage/new/facets/', 'attribute=constructor', 400, 'attribute'],
  ['triage/new/', 'classes[]=%27%3B--', 400, 'classes'],
  ['triage/new/', 'risk_score_ranges[]=0-100', 400, 'risk_score_ranges'],
  ['triage/new/', `search=${'a'.repeat(256)}`, 400, 'search'],
  ['triage/new/', 'pictures[]=nothex', 400, 'pictures'],
  ['triage/new/', `pictures[]=${Array(21).fill('0011223344556677').join('&pictures[]=')}`, 400, 'pictures'],
  ['triage/new/', `ips[]=${Array(101).fill('192.0.2.1').join('&ips[]=')}`, 400, 'ips'],
  ['triage/new/', 'cursor=1.2.3', 400, 'cursor'],
  ['triage/new/', 'limit=0', 400, 'limit'],
  ['triage/new/', 'limit=1001', 400, 'limit'],
];

for (const [path, query, status, named] of refused)
  test(`${path}?${query.slice(0, 40)} is ${status}${named && ` and names ${named}`}`, async () => {
    const answer = await world.call(`${base}/${path}?${query}`);
    assert.equal(answer.status, status, answer.text);
    assert.ok(answer.text.includes(named), answer.text);
  });

test('text that looks like SQL or markup is a value that matches nothing', async () => {
  for (const name of ['registrars[]', 'name_servers[]', 'tlds[]', 'ips[]', 'countries[]', 'search'])
    for (const value of [`'; DROP TABLE x; --`, '<script>\u0000\u202e', '%', '_'])
      assert.deepEqual(namesOf(await ask('triage/new/', { [name]: value })), [], `${name} ${value}`);
});

test('another account sees none of it', async () => {
  const by = await server.user({ permissions: ['read'] });
  for (const path of ['triage/new/', 'triage/new/facets/?attribute=tld', 'triage/new/clusters/']) {
    const { status, json } = await world.call(`${base}/${path}`, { by });
    assert.equal(status, 200);
    assert.deepEqual(json.watchlist_domains ?? json.values ?? json.clusters, []);
  }
  assert.equal((await world.call(`${base}/triage/new/?monitor_id=${monitorId}`, { by })).status, 404);
});

test('a list of a product that the account lacks is 403, its facets and clusters too', async () => {
  const { user, call } = await worldOf(server);
  const author = { actor: 'operator', atMs: 0 };
  await server.accounts.withdraw(user.caller.account.name, ['intel-detect-ignored-domains'], author);
  for (const path of ['', 'facets/?attribute=tld', 'clusters/']) {
    assert.equal((await call(`${base}/triage/ignored/${path}`)).status, 403);
    assert.equal((await call(`${base}/triage/blocked/${path}`)).status, 200);
  }
});
