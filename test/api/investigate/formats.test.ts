import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { investigateFixture } from './investigate-fixture.ts';

const world = await investigateFixture({ after });
await world.store({
  'a.example': {
    active: true,
    first_seen: '2026-03-01T00:00:00.000Z',
    domain_risk: { risk_score: 70, components: [] },
    ip: [
      { address: '192.0.2.1', asn: [64_500], country_code: 'de', isp: 'A, "B"' },
      { address: '192.0.2.2', asn: [64_501] },
    ],
    website_title: '=HYPERLINK("http://x","y")',
    server_type: '<b>&',
    parsed_whois: { registrar: 'Base', registrant_name: '@SUM(A1)', create_date: '2026-01-02' },
  },
  'xn--bcher-kva.example': { first_seen: '2026-02-01T00:00:00.000Z', parsed_whois: { registrar: 'Base' } },
});
const get = (query: string) => world.search(`registrar=base&${query}`);

test('CSV has one row per domain, and no cell is a formula', async () => {
  const { headers, text } = await get('format=csv');
  assert.equal(headers['content-type'], 'text/csv; charset=utf-8');
  const [titles = '', first = '', second = '', end] = text.split('\r\n');
  assert.equal(end, '');
  assert.ok(titles.startsWith('domain,active,first_seen,create_date,expiration_date,risk_score,'));
  assert.ok(first.startsWith('a.example,true,2026-03-01T00:00:00Z,2026-01-02,,70,,Base,'), first);
  assert.ok(first.includes(`"'=HYPERLINK(""http://x"",""y"")"`), first);
  assert.ok(first.includes(",'@SUM(A1),"), first);
  assert.ok(first.includes(',192.0.2.1 192.0.2.2,64500 64501,de,"A, ""B""",'), first);
  assert.ok(second.startsWith('bücher.example,false,2026-02-01T00:00:00Z,,,,,Base,'), second);
});

test('NDJSON has the same records as JSON, one per line', async () => {
  const { headers, text } = await get('format=ndjson');
  assert.equal(headers['content-type'], 'application/x-ndjson');
  const records = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(records, (await get('')).json.response.results);
});

test('CSV and NDJSON have the next page in a header', async () => {
  for (const format of ['csv', 'ndjson']) {
    const first = await get(`format=${format}&page_size=1`);
    const url = /^<http:\/\/127\.0\.0\.1:8080(.*)>; rel="next"$/.exec(first.headers['link'] ?? '')?.[1];
    assert.ok(url, first.headers['link']);
    const second = await world.server.call(`GET ${url}`, { key: world.user.key });
    assert.match(second.text, /bücher/);
    assert.equal(second.headers['link'], undefined);
  }
});

test('XML and HTML hold the same data, fully escaped', async () => {
  const xml = (await get('format=xml&domain=nothing.example,a.example')).text;
  assert.match(
    xml,
    /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<response><limit_exceeded>false<\/limit_exceeded>/,
  );
  assert.match(
    xml,
    /<results><item><domain>a\.example<\/domain>.*<\/item><\/results><missing_domains><item>nothing/,
  );
  assert.ok(xml.includes('&#60;b&#62;&#38;'));
  const html = (await get('format=html')).text;
  assert.match(html, /<dt>results<\/dt><dd><ol><li><dl><dt>domain<\/dt><dd>a\.example<\/dd>/);
  assert.ok(!html.includes('<b>&'));
  const none = (await world.search('registrar=nobody&format=xml')).text;
  assert.match(none, /<results><\/results><missing_domains><\/missing_domains><\/response>\n$/);
});

test('an unknown format returns 400, and gzip is supported', async () => {
  assert.match(
    await world.errorMessage('registrar=base&format=pdf'),
    /format: must be one of json, xml, html, csv, ndjson/,
  );
  const answer = await world.server.call('GET /v1/intel-investigate/?registrar=base', {
    key: world.user.key,
    headers: { 'accept-encoding': 'gzip' },
  });
  assert.equal(answer.headers['content-encoding'], 'gzip');
  assert.equal(JSON.parse(gunzipSync(answer.bytes).toString()).response.total_count, 2);
  assert.equal((await get('')).headers['content-type'], 'application/json;charset=utf-8');
});
