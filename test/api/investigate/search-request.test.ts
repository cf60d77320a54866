/** How a search is sent: methods, body formats and required parameters. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { namedParameters } from '../../../src/product/investigate/search-parameters.ts';
import { type Fields, investigateFixture } from './investigate-fixture.ts';

const by = (registrar: string, fields: Fields = {}): Fields => ({ ...fields, parsed_whois: { registrar } });
const form = { 'content-type': 'application/x-www-form-urlencoded' };

const world = await investigateFixture({ after });
const { server, user } = world;
await world.store({
  'a.example': by('Reg', { active: true, popularity_rank: 7 }),
  'b.example': by('Reg', { popularity_rank: 8 }),
  'c.example': by('Other'),
});
const post = (body: object | string, headers = {}, query = '') =>
  server.call(`POST /v1/intel-investigate/${query}`, { key: user.key, body, headers });
const searchQuery = 'registrar=reg&rank=7&sort_by=domain&page_size=5&parsed_whois=true';
const expected = (await world.search(searchQuery)).json;

test('INV-01 INV-02 GET, form and JSON give the same answer', async () => {
  assert.deepEqual(
    expected.response.results.map((one: { domain: string }) => one.domain),
    ['a.example'],
  );
  assert.deepEqual((await post(searchQuery, form)).json, expected);
  const body = { registrar: 'reg', rank: 7, sort_by: 'domain', page_size: 5, parsed_whois: true };
  assert.deepEqual((await post(body)).json, expected);
  assert.deepEqual((await post('', {}, `?${searchQuery}`)).json, expected);
  assert.deepEqual(
    (await post('rank=7', form, '?registrar=reg&sort_by=domain&parsed_whois=1')).json,
    expected,
  );
});

test('INV-03 POST accepts every parameter of GET', async () => {
  for (const { name } of namedParameters) {
    const query = new URLSearchParams({ [name]: '!' }).toString();
    const [got, posted] = [await world.search(query), await post(query, form)];
    assert.deepEqual([posted.status, posted.json], [got.status, got.json], name);
  }
});

test('a list in JSON is a list of domains', async () => {
  const answer = await post({ domain: ['a.example', 'c.example'], sort_by: 'domain' });
  assert.equal(answer.json.response.results_count, 2);
});

test('a parameter that is null in JSON is left out', async () => {
  assert.equal((await post({ registrar: 'reg', ip: null })).json.response.total_count, 2);
});

test('the path is answered with and without a trailing slash', async () => {
  const answer = await server.call('GET /v1/intel-investigate?registrar=reg', { key: user.key });
  assert.equal(answer.json.response.total_count, 2);
});

test('INV-06 a request without a base parameter returns 400', async () => {
  assert.match(
    await world.errorMessage(''),
    /^We could not understand your request\. At least one base parameter/,
  );
  assert.equal((await post({})).status, 400);
  assert.equal((await post('')).status, 400);
  await world.errorMessage('unknown=1&sort_by=domain');
});

test('INV-07 filters alone return 400', async () => {
  const values: Record<string, string> = {
    active: 'true',
    create_date: '2026-01-01',
    expiration_date: '2026-01-01',
    first_seen_since: '2026-01-01T00:00:00Z',
    ip_country_code: 'de',
    ssl_not_after: '2026-01-01',
    ssl_not_before: '2026-01-01',
    tld: 'com',
    not_tagged_with_all: 'a',
    not_tagged_with_any: 'a',
    data_updated_after: '2026-01-01',
  };
  for (const { name } of namedParameters.filter(({ role }) => role === 'filter'))
    assert.match(await world.errorMessage({ [name]: values[name] ?? '1' }), /base parameter/, name);
  await world.errorMessage({ active: 'true', rank: '5' });
});

test('INV-08 parameters that are both base and filter may be used alone', async () => {
  for (const name of ['server_type', 'website_title', 'tagged_with_all', 'tagged_with_any'])
    assert.deepEqual(await world.names({ [name]: 'x' }), []);
});

test('unknown parameters are ignored', async () => {
  assert.equal((await world.names('registrar=reg&app_name=x&ignored_since=1&Registrar=y')).length, 2);
});

test('INV-26 INV-27 INV-28 parsed records are added on request', async () => {
  const [plain] = (await world.response('domain=a.example')).results;
  assert.ok(!('parsed_whois' in plain) && !('parsed_domain_rdap' in plain));
  const [whois] = (await world.response('domain=a.example&parsed_whois=true')).results;
  assert.deepEqual(whois.parsed_whois.registrar, { value: 'Reg', count: 1 });
  assert.ok(!('parsed_domain_rdap' in whois));
  const [rdap] = (await world.response('domain=a.example&parsed_domain_rdap=true')).results;
  assert.ok('parsed_domain_rdap' in rdap && !('parsed_whois' in rdap));
});
