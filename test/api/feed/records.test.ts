/** The records of the nine feeds. Members and their order are spelled out here, independently of the schemas. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { feedNames } from '../../../src/model/feed/feed.ts';
import type { FeedName } from '../../../src/model/product-catalogue.ts';
import { type FeedServer, feedServer, ipRecord, rdapRecord, recordsOf, riskRecord } from './feed-fixture.ts';

async function onlyRecord(
  t: TestContext,
  feed: FeedName,
  append: (server: FeedServer) => Promise<void>,
): Promise<Record<string, unknown>> {
  const server = await feedServer(t);
  await append(server);
  const answer = await server.poll(feed, 'after=-60');
  assert.equal(answer.status, 200);
  const records = recordsOf(answer);
  assert.equal(records.length, 1);
  assert.equal(records[0]?.['timestamp'], '2026-03-04T10:11:12Z');
  return { ...records[0] };
}

const named = { timestamp: '2026-03-04T10:11:12Z', domain: 'a.example' };

test('FEED-01 domaindiscovery streams records with timestamp and domain', async (t) => {
  const record = await onlyRecord(t, 'domaindiscovery', (server) =>
    server.appendNames('domaindiscovery', 'a.example'),
  );
  assert.deepEqual(record, named);
});

const riskMembers = 'timestamp domain phishing_risk malware_risk spam_risk proximity_risk overall_risk'.split(
  ' ',
);

test('FEED-02 domainhotlist streams the members of domainrisk and expires', async (t) => {
  const expires = '2026-03-05T10:11:12Z';
  const record = await onlyRecord(t, 'domainhotlist', (server) =>
    server.append('domainhotlist', [{ ...riskRecord, expires }]),
  );
  assert.deepEqual(Object.keys(record), [...riskMembers, 'expires']);
  assert.equal(record['expires'], expires);
});

test('FEED-03 domainrisk streams its scores, the first three null together', async (t) => {
  const unknown = { phishing_risk: null, malware_risk: null, spam_risk: null };
  const record = await onlyRecord(t, 'domainrisk', (server) =>
    server.append('domainrisk', [{ ...riskRecord, ...unknown }]),
  );
  assert.deepEqual(Object.keys(record), riskMembers);
  assert.deepEqual(record, {
    timestamp: '2026-03-04T10:11:12Z',
    domain: 'a.example',
    ...unknown,
    proximity_risk: 40,
    overall_risk: 50,
  });
});

const ipMembers = [
  'timestamp ip pdns_resolutions bad_pdns_resolutions total_domains third_party_threats',
  'all_threats_combined_percent combined_phishing_percent combined_malware_percent combined_spam_percent',
  'asn organization city country latitude longitude all_threats_combined_count',
  'malicious_phishing malicious_malware malicious_spam compromised_phishing compromised_malware compromised_spam',
  'predicted_phishing predicted_malware predicted_spam all_threats_percent percent_phishing percent_malware',
  'percent_spam zerolist_domains zerolist_ip',
].flatMap((line) => line.split(' '));

function assertIpRecord(record: Record<string, unknown>): void {
  assert.deepEqual(Object.keys(record), ipMembers);
  const texts = ['timestamp', 'ip', 'organization', 'city', 'country'];
  for (const member of ipMembers) {
    const value = record[member];
    if (texts.includes(member)) assert.equal(typeof value, 'string', member);
    else if (member === 'zerolist_ip') assert.equal(value, false);
    else if (['latitude', 'longitude'].includes(member)) assert.equal(typeof value, 'number', member);
    else assert.ok(Number.isInteger(value), member);
  }
}

test('FEED-04 iprisk streams the IP record in its order', async (t) => {
  assertIpRecord(await onlyRecord(t, 'iprisk', (server) => server.append('iprisk', [ipRecord])));
});

test('FEED-05 iphotlist streams the same IP record', async (t) => {
  assertIpRecord(await onlyRecord(t, 'iphotlist', (server) => server.append('iphotlist', [ipRecord])));
});

test('FEED-06 domainrdap streams the raw record as text and the parsed one', async (t) => {
  const record = await onlyRecord(t, 'domainrdap', (server) => server.append('domainrdap', [rdapRecord]));
  assert.deepEqual(Object.keys(record), ['timestamp', 'domain', 'raw_record', 'parsed_record']);
  assert.deepEqual(record['raw_record'], rdapRecord.raw_record);
  assert.deepEqual(record['parsed_record'], rdapRecord.parsed_record);
});

test('FEED-07 nad streams records with timestamp and domain', async (t) => {
  assert.deepEqual(await onlyRecord(t, 'nad', (server) => server.appendNames('nad', 'a.example')), named);
});

test('FEED-08 nod streams records with timestamp and domain', async (t) => {
  assert.deepEqual(await onlyRecord(t, 'nod', (server) => server.appendNames('nod', 'a.example')), named);
});

test('FEED-09 noh streams records with timestamp and the full host name as domain', async (t) => {
  const record = await onlyRecord(t, 'noh', (server) => server.appendNames('noh', 'www.deep.a.example'));
  assert.deepEqual(record, { ...named, domain: 'www.deep.a.example' });
});

test('FEED-12 ERR-20 an unknown feed returns 404 with the standard body, on GET, DELETE and tail', async (t) => {
  const server = await feedServer(t);
  for (const route of [
    'GET /v1/feed/xyz/?after=-60',
    'DELETE /v1/feed/xyz/?sessionID=s',
    'GET /v1/feed/xyz/tail/',
    'GET /v1/feed/toString/tail/',
    'GET /v1/feed/__proto__/?after=-60',
  ]) {
    const answer = await server.call(route, { key: server.key });
    assert.equal(answer.status, 404, route);
    assert.deepEqual(Object.keys(answer.json), ['error', 'resources']);
    assert.equal(answer.json.error.code, 404);
  }
});

test('FEED-13 the default response is application/x-ndjson: compact objects, each terminated by a newline', async (t) => {
  const server = await feedServer(t);
  await server.appendNames('nod', 'a.example', 'b.example');
  for (const headers of [{}, { accept: '*/*' }, { accept: 'application/x-ndjson' }]) {
    const answer = await server.poll('nod', 'after=-60', headers);
    assert.equal(answer.headers['content-type'], 'application/x-ndjson');
    assert.equal(
      answer.text,
      '{"timestamp":"2026-03-04T10:11:12Z","domain":"a.example"}\n' +
        '{"timestamp":"2026-03-04T10:11:12Z","domain":"b.example"}\n',
    );
  }
});

test('FEED-13 a feed without records returns 200 with an empty body', async (t) => {
  const server = await feedServer(t);
  for (const feed of feedNames) {
    for (const query of ['after=-60', 'before=-60', 'sessionID=s']) {
      const answer = await server.poll(feed, query);
      assert.deepEqual([answer.status, answer.text], [200, ''], `${feed} ${query}`);
    }
  }
});

test('FEED-14 a feed response has the header x-request-id', async (t) => {
  const server = await feedServer(t);
  for (const feed of feedNames) {
    const { headers } = await server.poll(feed, 'after=-60');
    assert.match(String(headers['x-request-id']), /^[0-9a-f-]{36}$/);
  }
});
