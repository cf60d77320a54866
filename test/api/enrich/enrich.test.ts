import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testServer } from '../../harness/server/test-server.ts';
import type { TestScope } from '../../harness/test-scope.ts';
import { fullRecord, shownBy, storeRecords } from './stored-records.ts';

const path = '/v1/intel-enrich/';
const form = { 'content-type': 'application/x-www-form-urlencoded' };

async function started(scope: TestScope, settings: Readonly<Record<string, string>> = {}) {
  const server = await testServer(scope, { settings });
  await storeRecords(server, [fullRecord, { domain: 'a.example', registrar: 'R' }, { domain: 'b.example' }]);
  const { key } = await server.user();
  const get = (query: string) => server.call(`GET ${path}${query}`, { key });
  return { server, key, get };
}

/** One server for tests that change nothing. */
const world = started({ after });

test('ENR-01 GET returns 200 with the record of the domain', async () => {
  const { get } = await world;
  const answer = await get('?domain=a.example');
  assert.deepEqual([answer.status, answer.headers['content-type']], [200, 'application/json;charset=utf-8']);
  const [record, ...others] = answer.json.response.results;
  assert.deepEqual([record.domain, record.registrar, others], ['a.example', { value: 'R' }, []]);
});

test('ENR-02 POST with a form body gives the same answer as GET, and so does JSON', async () => {
  const { server, key, get } = await world;
  const { text } = await get('?domain=a.example,none.example&parsed_whois=true');
  const body = 'domain=a.example%2Cnone.example&parsed_whois=true';
  const posted = await server.call(`POST ${path}`, { key, headers: form, body });
  assert.deepEqual([posted.status, posted.text], [200, text]);
  const json = { domain: 'a.example,none.example', parsed_whois: true };
  assert.equal((await server.call(`POST ${path}`, { key, body: json })).text, text);
});

test('ENR-03 a request without a domain returns 400 and names the parameter', async () => {
  const { get } = await world;
  for (const query of ['', '?domain=', '?domain=,%20,', '?parsed_whois=true']) {
    const answer = await get(query);
    assert.equal(answer.status, 400, query);
    assert.match(answer.json.error.message, /domain/, query);
  }
});

test('ENR-04 a list of 100 names is accepted, and one of 101 returns 400', async () => {
  const { get } = await world;
  const names = Array.from({ length: 101 }, (_, index) => `n${index}.example`);
  const hundred = await get(`?domain=${['a.example', ...names.slice(0, 99)].join(',')}`);
  assert.equal(hundred.status, 200);
  assert.deepEqual(hundred.json.response.missing_domains, names.slice(0, 99));
  assert.equal((await get(`?domain=${names.join(',')}`)).status, 400);
});

test('ENR-04 the maximum number of names is a setting', async (t) => {
  const { get } = await started(t, { 'limits.investigate.domainsMax': '2' });
  assert.equal((await get('?domain=a.example,b.example')).status, 200);
  const answer = await get('?domain=a.example,b.example,c.example');
  assert.deepEqual([answer.status, /more than 2/.test(answer.json.error.message)], [400, true]);
});

test('ENR-04 results are in the requested order, and a name given in several forms appears once', async () => {
  const { get } = await world;
  const { response } = (await get('?domain=b.example,%20A.EXAMPLE.%20,,a.example,b.example.')).json;
  const found = response.results.map(({ domain }: { domain: string }) => domain);
  assert.deepEqual(
    [found, response.results_count, response.missing_domains],
    [['b.example', 'a.example'], 2, []],
  );
});

test('ENR-05 the envelope has limit_exceeded, message, results_count, results and missing_domains, in this order', async () => {
  const { get } = await world;
  const { response, ...others } = (await get('?domain=a.example')).json;
  assert.deepEqual(others, {});
  const members = ['limit_exceeded', 'message', 'results_count', 'results', 'missing_domains'];
  assert.deepEqual(Object.keys(response), members);
  assert.deepEqual([response.limit_exceeded, response.results_count], [false, 1]);
});

test('ENR-06 a domain without a record is in missing_domains as it was requested, and the status stays 200', async () => {
  const { get } = await world;
  const names = ['None.Example', 'bücher.test', 'not a name', '192.0.2.1'];
  const answer = await get(`?domain=${encodeURIComponent(['a.example', ...names].join(','))}`);
  const { results_count, missing_domains } = answer.json.response;
  assert.deepEqual([answer.status, results_count, missing_domains], [200, 1, names]);
  const none = await get('?domain=none.example');
  assert.deepEqual([none.status, none.json.response.results], [200, []]);
});

test('ENR-07 a record has the members of the Investigate record, and its values have no count', async () => {
  const { server, key } = await world;
  const more = '&parsed_whois=1&parsed_domain_rdap=1';
  const enriched = await shownBy(server, { product: 'intel-enrich', key, domain: 'bücher.example', more });
  const investigated = await shownBy(server, {
    product: 'intel-investigate',
    key,
    domain: 'bücher.example',
    more,
  });
  assert.deepEqual(withoutCounts(investigated), enriched);
  assert.deepEqual(Object.keys(enriched), Object.keys(investigated));
  assert.doesNotMatch(JSON.stringify(enriched), /"count":/);
});

function withoutCounts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutCounts);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([name]) => name !== 'count');
  return Object.fromEntries(members.map(([name, member]) => [name, withoutCounts(member)]));
}

test('ENR-08 parsed_whois and parsed_domain_rdap add the parsed records, each only when requested', async () => {
  const { server, key } = await world;
  const shown = (more: string) =>
    shownBy(server, { product: 'intel-enrich', key, domain: 'bücher.example', more });
  const parsed = async (more: string) =>
    Object.keys(await shown(more)).filter((name) => name.startsWith('parsed'));
  assert.deepEqual(await parsed(''), []);
  assert.deepEqual(await parsed('&parsed_whois=false&parsed_domain_rdap=0'), []);
  assert.deepEqual(await parsed('&parsed_whois=true'), ['parsed_whois']);
  assert.deepEqual(await parsed('&parsed_domain_rdap=1'), ['parsed_domain_rdap']);
  const both = await shown('&parsed_whois=true&parsed_domain_rdap=true');
  assert.deepEqual(both.parsed_whois.registrar, { value: 'Example Registrar' });
  assert.deepEqual(both.parsed_domain_rdap.registrar_iana_id, { value: '9999' });
});

test('ENR-09 search and filter parameters of Investigate, and screenshots, change nothing', async () => {
  const { get } = await world;
  const { text } = await get('?domain=a.example');
  const others =
    'registrar=Other&risk_score=99&create_date=nonsense&page_size=0&position=x&sort_by=none&search_hash=y';
  assert.equal((await get(`?domain=a.example&${others}&screenshots=1&app_name=soar`)).text, text);
});

test('ENR-10 an internationalized name is found by its Unicode and by its punycode form', async () => {
  const { server, key } = await world;
  for (const product of ['intel-enrich', 'intel-investigate'] as const) {
    for (const name of [
      'bücher.example',
      'BÜCHER.example',
      'xn--bcher-kva.example',
      'XN--BCHER-KVA.EXAMPLE',
    ]) {
      assert.equal(
        (await shownBy(server, { product, key, domain: name })).domain,
        'bücher.example',
        `${product} ${name}`,
      );
    }
  }
});

test('an invalid list is refused and does not count', async (t) => {
  const { get, server, key } = await started(t, { 'limits.investigate.domainsMax': '2' });
  for (const query of ['', '?domain=,', '?domain=a.example,b.example,c.example']) await get(query);
  await get('?domain=a.example');
  const { products } = (await server.call('GET /v1/account/', { key })).json.response;
  const { usage } = products.find(({ id }: { id: string }) => id === 'intel-enrich');
  assert.deepEqual(usage, { today: '1', month: '1' });
});

test('the compatibility profile shows a record with its clients’ member names', async (t) => {
  const { server, key } = await started(t, { 'compat.profile': 'vendor' });
  const answer = await server.call('GET /v1/iris-enrich/?domain=xn--bcher-kva.example', { key });
  const [record] = answer.json.response.results;
  assert.deepEqual(Object.keys(record).slice(0, 16), [
    'domain',
    'whois_url',
    'adsense',
    'alexa',
    'popularity_rank',
    'active',
    'google_analytics',
    'ga4',
    'gtm_codes',
    'fb_codes',
    'hotjar_codes',
    'baidu_codes',
    'yandex_codes',
    'matomo_codes',
    'statcounter_project_codes',
    'statcounter_security_codes',
  ]);
  assert.deepEqual([record.adsense, record.ga4], [{ value: 'pub-1' }, [{ value: 'g-1' }, { value: 'g-2' }]]);
});

test('the caller’s tags are shown, and those of another user are not', async () => {
  const { server, key } = await world;
  const other = await server.user();
  const { id: userId, username } = other.caller.user;
  const by = { accountId: other.caller.account.id, userId, username, atMs: server.clock.now() };
  const change = { add: ['Phishing'], remove: [] };
  await server.domains.changeTags(['a.example'], change, { ...by, scope: 'own' });
  const seen = async (who: string) =>
    (await shownBy(server, { product: 'intel-enrich', key: who, domain: 'a.example' })).tags;
  assert.deepEqual(await seen(other.key), [
    { label: 'Phishing', scope: 'own', tagged_at: new Date(by.atMs).toISOString() },
  ]);
  assert.deepEqual(await seen(key), []);
});
