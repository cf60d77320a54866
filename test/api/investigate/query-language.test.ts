/** Searches in the query language. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Fields, investigateFixture } from './investigate-fixture.ts';

const of = (registrar: string, risk_score: number, first_seen: string): Fields => ({
  first_seen,
  domain_risk: { risk_score, components: [] },
  parsed_whois: { registrar },
});

const world = await investigateFixture({ after });
const { server, user } = world;
await world.store({
  'login-acme.example': of('One', 90, '2026-03-04T09:00:00.000Z'),
  'acme.example': of('Two', 10, '2026-01-01T00:00:00.000Z'),
  'xn--bcher-kva.example': of('One', 40, '2026-02-20T00:00:00.000Z'),
});
await world.tag(user, 'acme.example', ['Known']);
const post = (body: string, options: { query?: string; type?: string } = {}) =>
  server.call(`POST /v1/intel-investigate/?${options.query ?? ''}`, {
    key: user.key,
    body,
    ...(options.type === undefined ? {} : { headers: { 'content-type': options.type } }),
  });

test('OR, NOT and brackets express what parameters cannot', async () => {
  const names = (text: string) => world.namesOfQuery(text, 'sort_by=domain');
  assert.deepEqual(await names('DOMAIN CONTAINS "acme"\nAND\nRISK_SCORE GREATER_THAN 50'), [
    'login-acme.example',
  ]);
  assert.deepEqual(await names('domain contains "ACME" and not registrar = one'), ['acme.example']);
  assert.deepEqual(await names('risk_score > 80 OR domain = "bücher.example"'), [
    'login-acme.example',
    'bücher.example',
  ]);
  assert.deepEqual(await names('NOT (registrar = one OR registrar = two)'), []);
  assert.deepEqual(await names('first_seen within "The last 30 days" AND RISK_SCORE <= 40'), [
    'bücher.example',
  ]);
  assert.deepEqual(await names('tagged_with_any = "known"'), ['acme.example']);
  assert.deepEqual(await names('registrar = one AND tagged_with_any != known AND tld = example'), [
    'login-acme.example',
    'bücher.example',
  ]);
});

test('a query is recognised by its first line, under any content type', async () => {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json', undefined])
    for (const mark of ['# NameglassQL-1.0', '# IrisQL-1.0', '#nameglassql-1.0 ', '\n# irisql-1.0'])
      for (const end of ['\n', '\r\n']) {
        const answer = await post(`${mark}${end}registrar = two`, type === undefined ? {} : { type });
        assert.equal(answer.json.response?.total_count, 1, `${type} ${mark}: ${answer.text}`);
      }
  assert.equal((await post('# OtherQL-1.0\nregistrar = two')).status, 400);
  assert.equal((await post('registrar = two', { type: 'text/plain' })).status, 400);
});

test('paging, order and output parameters are in the query string', async () => {
  const query = 'page_size=1&sort_by=risk_score&parsed_whois=true&next=true';
  const first = (await post('# NameglassQL-1.0\nrisk_score >= 0', { query })).json.response;
  assert.equal(first.results[0].domain, 'acme.example');
  assert.ok('parsed_whois' in first.results[0]);
  const second = await post('# NameglassQL-1.0\nrisk_score >= 0', {
    query: `${query}&position=${first.position}`,
  });
  assert.equal(second.json.response.results[0].domain, 'bücher.example');
  const other = await post('# NameglassQL-1.0\nrisk_score >= 1', { query: `position=${first.position}` });
  assert.equal(other.status, 400);
});

test('search parameters are not allowed with a query', async () => {
  for (const query of ['registrar=one', 'rank=5', 'search_hash=x']) {
    const answer = await post('# NameglassQL-1.0\nrisk_score > 0', { query });
    assert.equal(answer.status, 400);
    assert.match(answer.json.error.message, /query: no other search or filter parameter/);
  }
});

test('a syntax error returns 400 with line and column', async () => {
  for (const [text, message] of [
    ['', /line 2, column 1/],
    ['registrar = one OR', /line 2, column 19: expected a field/],
    ['registrar = one\nAND ip = 5', /line 3, column 5: must be an IPv4/],
    ['('.repeat(60_000), /at most 50 deep/],
    [`registrar = "${'a'.repeat(70_000)}"`, /65536 bytes/],
  ] as const) {
    const answer = await post(`# NameglassQL-1.0\n${text}`);
    assert.equal(answer.status, 400);
    assert.match(answer.json.error.message, message);
  }
});

test('credentials are checked before the query', async () => {
  const body = '# NameglassQL-1.0\nnonsense';
  assert.equal((await server.call('POST /v1/intel-investigate/', { body })).status, 401);
});
