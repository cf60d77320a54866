/** The IP feeds with lines computed from passive DNS, reputation lists and scores. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { addressWorld, fullScore } from '../../pipeline/address-scoring/address-world.ts';
import { type FeedServer, feedServer, recordsOf } from './feed-fixture.ts';

const ipInformation = new Map([
  ['198.51.100.1', { asn: 64_500, isp: 'Example Hosting', country: 'nl' }],
  ['198.51.100.2', { asn: 64_501, isp: 'Other & Co', country: 'de' }],
]);

/**
 * Three addresses: one with only phishing domains, one of which exactly half are bad, and one like the first that is
 * on a good list.
 */
async function scoredAddresses(): Promise<FeedServer> {
  const server = await feedServer({ after }, { settings: { 'risk.goodAddresses': '198.51.100.3' } });
  const world = addressWorld(server, { find: (address) => ipInformation.get(address) ?? {} });
  await world.list('phishing', ['login-a.com', 'login-b.com', 'old-shop.com']);
  await world.list('malware', ['login-b.com']);
  await world.list('good', ['bank.com']);
  await world.write([
    { domain: 'old-shop.com', create_date: '2009-05-06' },
    { domain: 'likely.com', domain_risk: fullScore(12, 15, 93) },
    { domain: 'usual.com', domain_risk: fullScore(12) },
  ]);
  await world.see('198.51.100.1', ['login-a.com', 'www.login-b.com', 'cdn.login-b.com'], { count: 20 });
  await world.see('198.51.100.2', ['old-shop.com', 'likely.com', 'usual.com', 'bank.com'], { count: 3 });
  await world.see('198.51.100.3', ['login-a.com']);
  for (const last of [1, 2, 3]) await world.score(`198.51.100.${last}`);
  return server;
}

const server = await scoredAddresses();

async function found(feed: 'iprisk' | 'iphotlist', query = ''): Promise<string[]> {
  return recordsOf(await server.poll(feed, `after=-60${query}`)).map(({ ip }) => String(ip).slice(-1));
}

test('FEED-42 iphotlist has active addresses with more than half bad domains, and iprisk all with at least one', async () => {
  assert.deepEqual(await found('iphotlist'), ['1']);
  assert.deepEqual(await found('iprisk'), ['1', '2', '3']);
});

test('a line of iprisk has all 32 figures, computed', async () => {
  const [line] = recordsOf(await server.poll('iprisk', 'after=-60&asn=64501'));
  assert.deepEqual(line, {
    timestamp: '2026-03-04T10:11:12Z',
    ip: '198.51.100.2',
    pdns_resolutions: 12,
    bad_pdns_resolutions: 6,
    total_domains: 4,
    third_party_threats: 1,
    all_threats_combined_percent: 50,
    combined_phishing_percent: 25,
    combined_malware_percent: 0,
    combined_spam_percent: 25,
    asn: 64_501,
    organization: 'Other & Co',
    city: null,
    country: 'DE',
    latitude: null,
    longitude: null,
    all_threats_combined_count: 2,
    malicious_phishing: 0,
    malicious_malware: 0,
    malicious_spam: 0,
    compromised_phishing: 1,
    compromised_malware: 0,
    compromised_spam: 0,
    predicted_phishing: 0,
    predicted_malware: 0,
    predicted_spam: 1,
    all_threats_percent: 25,
    percent_phishing: 25,
    percent_malware: 0,
    percent_spam: 0,
    zerolist_domains: 1,
    zerolist_ip: false,
  });
});

test('FEED-30 the minimums and total_domains_max filter computed lines', async () => {
  const expected: Readonly<Record<string, readonly string[]>> = {
    'pdns_resolutions_min=13': ['1'],
    'bad_pdns_resolutions_min=6': ['1', '2'],
    'third_party_threats_min=2': ['1'],
    'total_domains_max=2': ['1', '3'],
    'all_threats_combined_percent_min=51': ['1', '3'],
    'combined_phishing_percent_min=25': ['1', '2', '3'],
    'combined_malware_percent_min=50': ['1'],
    'combined_spam_percent_min=1': ['2'],
    'all_threats_percent_min=26': ['1', '3'],
    'percent_phishing_min=100': ['1', '3'],
    'percent_malware_min=51': [],
    'percent_spam_min=1': [],
    'percent_phishing_min=100&total_domains_max=1': ['3'],
  };
  for (const [query, addresses] of Object.entries(expected)) {
    assert.deepEqual(await found('iprisk', `&${query}`), addresses, query);
  }
  assert.deepEqual(await found('iphotlist', '&third_party_threats_min=2'), ['1']);
  assert.deepEqual(await found('iphotlist', '&third_party_threats_min=3'), []);
});

test('FEED-31 asn, organization and country_code filter computed lines', async () => {
  assert.deepEqual(await found('iprisk', '&country_code=NL'), ['1']);
  assert.deepEqual(await found('iprisk', '&country_code=nl'), []);
  assert.deepEqual(await found('iprisk', '&organization=Other+%26+Co'), ['2']);
  assert.deepEqual(await found('iphotlist', '&asn=64500'), ['1']);
  assert.deepEqual(await found('iphotlist', '&asn=64501'), []);
});
