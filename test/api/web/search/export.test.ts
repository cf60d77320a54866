/** Exports of a search: what is in the file is what was found. */
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { importRecords } from '../../../../src/collect/import-records.ts';
import type { DomainRecord } from '../../../../src/model/record/domain-record.ts';
import { testServer } from '../../../harness/server/test-server.ts';
import { type WebSession, webCall, webSession } from '../../../harness/server/web-session.ts';
import { parseCsv } from '../../../product/export/parse-csv.ts';
import { stixFaults } from '../../../product/export/stix-rules.ts';
import { matching, sampleRecords, writeRecords } from './search-fixture.ts';

const server = await testServer({ after }, { settings: { 'limits.investigate.matchesMax': '150' } });
const records = sampleRecords(140, 5);
const hostile: DomainRecord = {
  domain: 'xn--80ak6aa92e.example',
  registrar: '=HYPERLINK("http://evil.example";"x")',
  registrant_name: '@SUM(1+1)',
  website_title: '"; DROP\u202E <script>alert(1)</script>',
  server_type: 'export-test',
  ip: [{ address: '192.0.2.66', isp: '+cmd|calc' }],
};
const found = matching(records, [{ name: 'isp_name', value: 'velt' }]).map(({ domain }) => domain);
let me: WebSession;

before(async () => {
  await writeRecords(server, [...records, hostile]);
  me = await webSession(server);
});

const exported = async (query: string) => {
  const answer = await me.call(`GET /export?${query}`);
  assert.equal(answer.status, 200, answer.text);
  return answer;
};

test('a list has every domain of the search once, and the file says how many it holds', async () => {
  server.clock.set('2026-03-04T10:11:12Z');
  const { text, headers } = await exported('isp_name=velt&as=txt');
  assert.deepEqual(text.trimEnd().split('\n'), found.toSorted());
  assert.equal(headers['x-export-domains'], String(found.length));
  assert.equal(
    headers['content-disposition'],
    `attachment; filename="nameglass-${found.length}-domains-20260304T101112Z.txt"`,
  );
  assert.match(headers['content-type'] ?? '', /^text\/plain/);
});

test('a defanged list says so in its name', async () => {
  const { text, headers } = await exported('isp_name=velt&as=txt&defang=1');
  assert.deepEqual(
    text.trimEnd().split('\n'),
    found.toSorted().map((domain) => domain.replaceAll('.', '[.]')),
  );
  assert.match(headers['content-disposition'] ?? '', /-defanged-\d+T\d+Z\.txt"$/);
});

test('records that are exported as NDJSON are the same when they are imported again', async () => {
  const { text } = await exported('isp_name=velt&as=ndjson');
  const lines = text.trimEnd().split('\n');
  assert.equal(lines.length, found.length);
  const counts = await importRecords(Readable.from([Buffer.from(text)]), {
    domains: server.domains,
    source: 'again',
    now: () => server.clock.now(),
    onFault: (position, reason) => assert.fail(`${position}: ${reason}`),
    onProgress: () => undefined,
  });
  assert.deepEqual([counts.read, counts.unchanged], [found.length, found.length]);
});

test('no cell of a CSV export is a formula, and names are in both forms', async () => {
  const { text } = await exported('server_type=export-test&as=csv');
  const [titles = [], row = []] = parseCsv(text.replace(/^\ufeff/, ''));
  const cell = (title: string) => row[titles.indexOf(title)];
  assert.deepEqual([cell('domain'), cell('punycode')], ['аррӏе.example', hostile.domain]);
  assert.equal(cell('registrar'), `'${hostile.registrar}`);
  assert.equal(cell('registrant_name'), `'${hostile.registrant_name}`);
  assert.equal(cell('isp'), "'+cmd|calc");
  assert.equal(cell('website_title'), hostile.website_title);
});

test('a STIX bundle has an observable for every domain, and an indicator for those that are not known to be good', async () => {
  const { json, headers } = await exported('isp_name=velt&as=stix');
  assert.deepEqual(stixFaults(json), []);
  assert.equal(headers['content-type'], 'application/stix+json;version=2.1');
  const named = (type: string, member: string) =>
    json.objects
      .filter((object: { type: string }) => object.type === type)
      .map((object: Record<string, string>) => object[member]);
  assert.deepEqual(named('domain-name', 'value'), found.toSorted());
  const good = new Set(
    records.filter(({ domain_risk }) => domain_risk?.risk_score === 0).map(({ domain }) => domain),
  );
  assert.deepEqual(
    named('indicator', 'name'),
    found.toSorted().filter((domain) => !good.has(domain)),
  );
  assert.equal(named('identity', 'name')[0], me.account);
});

test('STIX has no defanged form, and a format that does not exist is refused by name', async () => {
  const stix = await me.call('GET /export?isp_name=velt&as=stix&defang=1');
  assert.deepEqual([stix.status, Object.keys(stix.json.error.fields)], [422, ['defang']]);
  const xlsx = await me.call('GET /export?isp_name=velt&as=xlsx');
  assert.deepEqual([xlsx.status, Object.keys(xlsx.json.error.fields)], [422, ['as']]);
});

test('a search without a match is exported as a file that says so', async () => {
  const { text, headers } = await exported('registrar=nobody&as=csv');
  assert.equal(parseCsv(text).length, 1);
  assert.equal(headers['x-export-domains'], '0');
});

test('a search that matches more than an export holds is refused with both numbers', async () => {
  const ql = encodeURIComponent('NOT registrar = "nobody"');
  await writeRecords(server, sampleRecords(20, 99));
  const { status, json } = await me.call(`GET /export?ql=${ql}&as=txt`);
  assert.deepEqual([status, json.error.total, json.error.export_max], [413, 161, 150]);
  assert.match(json.error.message, /161 domains.*at most 150/);
});

test('an export needs the permission to read', async () => {
  const sensor = await webSession(server, { permissions: ['ingest'] });
  const { status, json } = await sensor.call('GET /export?isp_name=velt&as=txt');
  assert.deepEqual([status, json.error.code], [403, 'permission-denied']);
});

test('an export needs a session, and is not for a page of another site', async () => {
  assert.equal((await webCall(server, 'GET /export?isp_name=velt&as=txt')).status, 401);
  const foreign = await me.call('GET /export?isp_name=velt&as=txt', {
    headers: { 'sec-fetch-site': 'cross-site' },
  });
  assert.equal(foreign.status, 403);
});
