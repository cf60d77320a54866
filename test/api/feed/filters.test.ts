/** Feed filters. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { feedNames } from '../../../src/model/feed/feed.ts';
import { ipRecord, namesOf, rdapRecord, recordsOf, riskRecord, sharedFeedServers } from './feed-fixture.ts';

const sharedServer = sharedFeedServers();

const names = ['shop.example', 'my-shop.example', 'shop.test', 'other.example', 'a.shop.example'];

async function kept(...queries: string[]): Promise<unknown[][]> {
  const server = await sharedServer();
  await server.appendNames('noh', ...names);
  return Promise.all(queries.map(async (query) => namesOf(await server.poll('noh', `after=-60&${query}`))));
}

test('FEED-24 domain filters by exact name, *x, x* and *x*', async () => {
  assert.deepEqual(
    await kept('domain=shop.example', 'domain=*shop.example', 'domain=shop*', 'domain=*shop*', 'domain=*'),
    [
      ['shop.example'],
      ['shop.example', 'my-shop.example', 'a.shop.example'],
      ['shop.example', 'shop.test'],
      ['shop.example', 'my-shop.example', 'shop.test', 'a.shop.example'],
      names,
    ],
  );
});

test('FEED-24 a repeated domain matches any of its patterns, and each record is returned once', async () => {
  assert.deepEqual(
    await kept('domain=*.test&domain=other.example', 'domain[]=shop*&domain[]=*.test', 'domain=none'),
    [['shop.test', 'other.example'], ['shop.example', 'shop.test'], []],
  );
});

test('FEED-24 domain is case-insensitive, and no character but the asterisk is special', async () => {
  assert.deepEqual(await kept('domain=SHOP.Example', 'domain=shop?example', 'domain=shop.*'), [
    ['shop.example'],
    [],
    ['shop.example', 'shop.test'],
  ]);
});

test('FEED-24 domain filters every domain feed', async () => {
  const server = await sharedServer();
  for (const feed of ['domainrisk', 'domainhotlist'] as const) {
    const expires = '2026-03-05T10:11:12Z';
    await server.append(feed, [
      { ...riskRecord, expires, domain: 'one.example' },
      { ...riskRecord, expires, domain: 'two.example' },
    ]);
    assert.deepEqual(namesOf(await server.poll(feed, 'after=-60&domain=two*')), ['two.example']);
  }
});

test('FEED-25 a domain with an asterisk in the middle, empty, or over 253 characters returns 422', async () => {
  const server = await sharedServer();
  for (const pattern of ['a*b', '*a*b*', 'a**b', '', 'x'.repeat(254)]) {
    const answer = await server.poll('nod', `after=-60&domain=ok.example&domain=${pattern}`);
    assert.equal(answer.status, 422, pattern);
    assert.deepEqual(Object.keys(answer.json.error.messages), ['domain']);
  }
  assert.equal((await server.poll('nod', `after=-60&domain=${'x'.repeat(253)}`)).status, 200);
});

test('FEED-26 top=N without a session returns the newest N records of the window, newest first', async () => {
  const server = await sharedServer();
  const feeds = ['nod', 'nad', 'noh', 'domaindiscovery'] as const;
  for (const name of names) {
    for (const feed of feeds) await server.appendNames(feed, name);
    server.clock.advanceSeconds(40);
  }
  const newest = names.toReversed();
  for (const feed of feeds) {
    const found = async (query: string) => namesOf(await server.poll(feed, `after=-3600&${query}`));
    assert.deepEqual(await found('top=2'), newest.slice(0, 2));
    assert.deepEqual(await found('top=1000000000'), newest);
    assert.deepEqual(await found('before=-80&top=1'), newest.slice(1, 2));
    assert.deepEqual(
      await found('top=2&domain=*.example'),
      newest.filter((name) => name.endsWith('.example')).slice(0, 2),
    );
  }
});

test('FEED-26 domainrdap has its newest records first too', async () => {
  const server = await sharedServer();
  await server.append(
    'domainrdap',
    names.map((domain) => ({ ...rdapRecord, domain })),
  );
  assert.deepEqual(
    namesOf(await server.poll('domainrdap', 'after=-60&top=2')),
    names.toReversed().slice(0, 2),
  );
});

test('FEED-26 on domainrisk and domainhotlist top=N without a session returns the highest overall_risk first, the newest of equals', async () => {
  const server = await sharedServer();
  const scores = [70, 99, 85, 99, 70];
  for (const feed of ['domainrisk', 'domainhotlist'] as const) {
    const expires = feed === 'domainhotlist' ? { expires: '2026-03-05T10:11:12Z' } : {};
    await server.append(
      feed,
      scores.map((overall_risk, index) => ({
        ...riskRecord,
        domain: `d${index}.example`,
        overall_risk,
        ...expires,
      })),
    );
    const found = async (query: string) =>
      namesOf(await server.poll(feed, `after=-60&${query}`)).map((name) => String(name)[1]);
    assert.deepEqual(await found('top=3'), ['3', '1', '2']);
    assert.deepEqual(await found('top=1000000000'), ['3', '1', '2', '4', '0']);
    assert.deepEqual(await found('top=9&domain=d0*&domain=d2*'), ['2', '0']);
    assert.deepEqual(await found('sessionID=s&top=2'), ['0', '1'], 'a session keeps the order of the feed');
    assert.deepEqual(await found('sessionID=s&top=9'), ['2', '3', '4']);
  }
});

test('FEED-26 on the IP feeds top=N returns the records with the highest threat percentage, highest first', async () => {
  const server = await sharedServer();
  for (const feed of ['iprisk', 'iphotlist'] as const) {
    const shares = [60, 0, 100, 60, 99];
    await server.append(
      feed,
      shares.map((share, index) => ({
        ...ipRecord,
        ip: `192.0.2.${index}`,
        all_threats_combined_percent: share,
      })),
    );
    const ips = async (query: string) =>
      recordsOf(await server.poll(feed, `after=-60&${query}`)).map(({ ip }) => Number(String(ip).slice(8)));
    assert.deepEqual(await ips('top=3'), [2, 4, 0]);
    assert.deepEqual(await ips('top=9'), [2, 4, 0, 3, 1]);
    assert.deepEqual(await ips('top=1&all_threats_combined_percent_min=0&asn=64500'), [2]);
    assert.deepEqual(await ips(''), [0, 1, 2, 3, 4]);
  }
});

test('FEED-26 top that is not an integer from 1 to 1000000000 returns 422', async () => {
  const server = await sharedServer();
  for (const top of ['0', '-1', '1000000001', '1.5', 'ten', '']) {
    const answer = await server.poll('iprisk', `after=-60&top=${top}`);
    assert.deepEqual([answer.status, Object.keys(answer.json.error.messages)], [422, ['top']], top);
  }
});

const riskMembers = {
  overall_min: 'overall_risk',
  phishing_min: 'phishing_risk',
  malware_min: 'malware_risk',
  spam_min: 'spam_risk',
  proximity_min: 'proximity_risk',
};

test('FEED-29 the five risk minimums filter domainrisk and domainhotlist and combine with AND', async () => {
  const server = await sharedServer();
  const expires = '2026-03-05T10:11:12Z';
  for (const feed of ['domainrisk', 'domainhotlist'] as const) {
    const zero = { phishing_risk: 0, malware_risk: 0, spam_risk: 0, proximity_risk: 0, overall_risk: 0 };
    const unknown = { ...zero, phishing_risk: null, malware_risk: null, spam_risk: null };
    await server.append(feed, [
      ...Object.values(riskMembers).map((member) => ({ expires, domain: member, ...zero, [member]: 70 })),
      { expires, domain: 'both', ...zero, phishing_risk: 70, spam_risk: 71 },
      { expires, domain: 'unknown', ...unknown },
    ]);
    const found = async (query: string) => namesOf(await server.poll(feed, `after=-60&${query}`));
    for (const [parameter, member] of Object.entries(riskMembers)) {
      const expected = ['phishing_min', 'spam_min'].includes(parameter) ? [member, 'both'] : [member];
      assert.deepEqual(await found(`${parameter}=70`), expected);
    }
    assert.deepEqual(await found('phishing_min=70&spam_min=70'), ['both']);
    assert.deepEqual(await found('phishing_min=71&spam_min=71'), []);
  }
});

test('FEED-29 a risk minimum outside 1 to 99 returns 422', async () => {
  const server = await sharedServer();
  for (const parameter of Object.keys(riskMembers)) {
    for (const value of ['0', '100', '-1', 'x']) {
      const answer = await server.poll('domainrisk', `after=-60&${parameter}=${value}`);
      assert.deepEqual([answer.status, Object.keys(answer.json.error.messages)], [422, [parameter]]);
    }
  }
});

const ipMinimums = {
  pdns_resolutions_min: 'pdns_resolutions',
  bad_pdns_resolutions_min: 'bad_pdns_resolutions',
  third_party_threats_min: 'third_party_threats',
  all_threats_combined_percent_min: 'all_threats_combined_percent',
  combined_phishing_percent_min: 'combined_phishing_percent',
  combined_malware_percent_min: 'combined_malware_percent',
  combined_spam_percent_min: 'combined_spam_percent',
  all_threats_percent_min: 'all_threats_percent',
  percent_phishing_min: 'percent_phishing',
  percent_malware_min: 'percent_malware',
  percent_spam_min: 'percent_spam',
};

test('FEED-30 the minimums and total_domains_max filter iprisk and iphotlist and combine with AND', async () => {
  const server = await sharedServer();
  for (const feed of ['iprisk', 'iphotlist'] as const) {
    const members = Object.values(ipMinimums);
    await server.append(
      feed,
      members.map((member) => ({ ...ipRecord, ip: member, [member]: 95, total_domains: 7 })),
    );
    await server.append(feed, [{ ...ipRecord, ip: 'many', total_domains: 8 }]);
    const found = async (query: string) =>
      recordsOf(await server.poll(feed, `after=-60&${query}`)).map(({ ip }) => ip);
    for (const [parameter, member] of Object.entries(ipMinimums)) {
      if (member === 'pdns_resolutions') continue;
      assert.deepEqual(await found(`${parameter}=95`), [member]);
      assert.deepEqual(await found(`${parameter}=96`), []);
    }
    assert.equal((await found('pdns_resolutions_min=96')).length, members.length);
    assert.deepEqual(await found('total_domains_max=7'), members);
    assert.deepEqual(await found('percent_spam_min=95&percent_phishing_min=12'), []);
    assert.deepEqual(await found('percent_spam_min=95&percent_phishing_min=11'), ['percent_spam']);
  }
});

test('FEED-30 a number below 1, or a percentage outside 0 to 100, returns 422', async () => {
  const server = await sharedServer();
  for (const query of [
    'pdns_resolutions_min=0',
    'bad_pdns_resolutions_min=-5',
    'third_party_threats_min=x',
    'total_domains_max=0',
    'percent_spam_min=101',
    'all_threats_percent_min=-1',
  ]) {
    const answer = await server.poll('iprisk', `after=-60&${query}`);
    assert.deepEqual([answer.status, Object.keys(answer.json.error.messages)], [422, [query.split('=')[0]]]);
  }
  assert.equal((await server.poll('iprisk', 'after=-60&percent_spam_min=0')).status, 200);
});

test('FEED-31 asn, organization and country_code filter iprisk and iphotlist', async () => {
  const server = await sharedServer();
  for (const feed of ['iprisk', 'iphotlist'] as const) {
    await server.append(feed, [
      { ...ipRecord, ip: '192.0.2.1' },
      { ...ipRecord, ip: '192.0.2.2', asn: 64_501, organization: 'Other & Co', country: 'DE' },
      { ...ipRecord, ip: '192.0.2.3', asn: null, organization: null, country: null },
    ]);
    const found = async (query: string) =>
      recordsOf(await server.poll(feed, `after=-60&${query}`)).map(({ ip }) => ip);
    assert.deepEqual(await found('asn=64501'), ['192.0.2.2']);
    assert.deepEqual(await found('organization=Example%20Hosting'), ['192.0.2.1']);
    assert.deepEqual(await found('organization=Example'), []);
    assert.deepEqual(await found('organization=Other+%26+Co'), ['192.0.2.2']);
    assert.deepEqual(await found('country_code=US'), ['192.0.2.1']);
    assert.deepEqual(await found('country_code=us'), []);
    assert.deepEqual(await found('country_code=US&asn=64501'), []);
  }
});

test('FEED-31 an asn with anything but digits, or a country_code that is not two letters, returns 422', async () => {
  const server = await sharedServer();
  for (const query of [
    'asn=AS64500',
    'asn=',
    'asn=-1',
    'country_code=USA',
    'country_code=1',
    'country_code=',
  ]) {
    const answer = await server.poll('iphotlist', `after=-60&${query}`);
    assert.deepEqual([answer.status, Object.keys(answer.json.error.messages)], [422, [query.split('=')[0]]]);
  }
});

test('FEED-29 FEED-30 FEED-31 a filter of another feed is ignored, whatever its value', async () => {
  const server = await sharedServer();
  await server.appendNames('nod', 'a.example');
  await server.append('iprisk', [ipRecord]);
  await server.append('domainrisk', [riskRecord]);
  const foreign = 'overall_min=500&percent_spam_min=x&country_code=123';
  assert.equal(recordsOf(await server.poll('nod', `after=-60&${foreign}`)).length, 1);
  assert.equal(recordsOf(await server.poll('iprisk', 'after=-60&overall_min=500&domain=a*b')).length, 1);
  assert.equal(recordsOf(await server.poll('domainrisk', 'after=-60&percent_spam_min=x')).length, 1);
});

test('GEN-06 the parameters that name the calling application are ignored on every feed', async () => {
  const server = await sharedServer();
  for (const feed of feedNames) {
    const query = `after=-60&app_partner=&app_name=${'n'.repeat(200)}&app_version=1`;
    assert.equal((await server.poll(feed, query)).status, 200, feed);
  }
});
