/** What base parameters and filters mean, and the response envelope. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Fields, investigateFixture } from './investigate-fixture.ts';

const by = (registrar: string, fields: Fields = {}): Fields => ({ ...fields, parsed_whois: { registrar } });

const shared = await investigateFixture({ after });
await shared.store({
  'a.example': by('One', { ip: [{ address: '192.0.2.1' }, { address: '192.0.2.2' }] }),
  'b.example': by('One', { ip: [{ address: '192.0.2.1' }] }),
  'c.example': by('Two', { ip: [{ address: '192.0.2.2' }], popularity_rank: 3 }),
  'xn--bcher-kva.example': {},
});
const namesFor = (query: string) => shared.names(`${query}&sort_by=domain`);

test('INV-04 domain accepts a list and returns the record of each', async () => {
  assert.deepEqual(await namesFor('domain=a.example,%20C.example.,,a.example'), ['a.example', 'c.example']);
});

test('INV-05 a hundred names are accepted, one more returns 400', async () => {
  const list = (count: number) => Array.from({ length: count }, (_, n) => `n${n}.example`).join(',');
  assert.equal((await shared.response({ domain: list(100) })).missing_domains.length, 100);
  assert.match(await shared.errorMessage({ domain: list(101) }), /domain: must not have more than 100/);
});

test('INV-09 INV-10 base parameters and filters are combined with AND', async () => {
  assert.deepEqual(await namesFor('registrar=one&ip=192.0.2.2'), ['a.example']);
  assert.deepEqual(await namesFor('ip=192.0.2.2&rank=5'), ['c.example']);
  assert.deepEqual(await namesFor('registrar=one&ip=192.0.2.2&rank=5'), []);
});

test('INV-11 a base parameter that is no list must match both values if it is given twice', async () => {
  assert.deepEqual(await namesFor('ip=192.0.2.1&ip=192.0.2.2'), ['a.example']);
  assert.deepEqual(await namesFor('ip[]=192.0.2.1&ip[]=192.0.2.2'), ['a.example']);
  assert.deepEqual(await namesFor('registrar=one&registrar=two'), []);
});

test('INV-13 INV-16 INV-23 the envelope has its members in order, without error', async () => {
  const { json } = await shared.search('registrar=one&next=true');
  assert.deepEqual(Object.keys(json), ['response']);
  assert.deepEqual(Object.keys(json.response), [
    'limit_exceeded',
    'has_more_results',
    'message',
    'results_count',
    'total_count',
    'results',
    'missing_domains',
  ]);
  const { results, ...rest } = json.response;
  assert.equal(results.length, 2);
  assert.deepEqual(rest, {
    limit_exceeded: false,
    has_more_results: false,
    message: 'Enjoy your data.',
    results_count: 2,
    total_count: 2,
    missing_domains: [],
  });
});

test('INV-17 domains without a record are in missing_domains as requested', async () => {
  const response = await shared.response({ domain: 'a.example, Unknown.example,münchen.example,no name' });
  assert.deepEqual(response.missing_domains, ['Unknown.example', 'münchen.example', 'no name']);
  assert.equal(response.results_count, 1);
  const alone = await shared.response('domain=unknown.example');
  assert.deepEqual([alone.results, alone.missing_domains, alone.total_count], [[], ['unknown.example'], 0]);
  const filtered = await shared.response('domain=a.example&rank=1');
  assert.deepEqual([filtered.results, filtered.missing_domains], [[], []]);
});

test('an internationalized name is found by its Unicode and its punycode form', async () => {
  for (const name of ['bücher.example', 'BÜCHER.example', 'xn--bcher-kva.example'])
    assert.deepEqual(await shared.names({ domain: name }), ['bücher.example']);
});

test('count_only returns the number of matches without results', async () => {
  const response = await shared.response('registrar=one&count_only=true');
  assert.deepEqual([response.total_count, response.results_count, response.results], [2, 0, []]);
  assert.ok(!response.has_more_results && !('position' in response));
});

test('INV-29 INV-30 INV-31 components of parsed records can be searched by name, also alone', async (t) => {
  const world = await investigateFixture(t);
  await world.store({
    'whois.example': {
      parsed_whois: { registrar: 'Comp', registrant_contact: { name: 'Jo', phone: '4930' } },
    },
    'rdap.example': {
      parsed_domain_rdap: { registrar: 'Comp', registrar_iana_id: '99', registrant_contact: { name: 'Jo' } },
    },
    'both.example': {
      parsed_whois: { registrar: 'Comp' },
      parsed_domain_rdap: { registrar: 'Else', registrant_contact: { name: 'Jo' } },
    },
  });
  const names = (query: string) => world.names(`${query}&sort_by=domain`);
  assert.deepEqual(await names('parsed_whois:registrar=COMP'), ['both.example', 'whois.example']);
  assert.deepEqual(await names('parsed_domain_rdap:registrar=comp'), ['rdap.example']);
  assert.deepEqual(await names('parsed_whois%3Aregistrant_contact.name=jo'), ['whois.example']);
  assert.deepEqual(await names('parsed_domain_rdap:registrant_contact.name=jo'), [
    'both.example',
    'rdap.example',
  ]);
  assert.deepEqual(await names('parsed_domain_rdap:registrar_iana_id=99&parsed_whois=true'), [
    'rdap.example',
  ]);
  assert.deepEqual(await names('parsed_whois:registrant_contact.phone=%2B49-30'), ['whois.example']);
  for (const field of ['nothing', 'registrant_contact', 'registrar_iana_id', '', '__proto__', 'registrar.x'])
    assert.match(
      await world.errorMessage({ registrar: 'x', [`parsed_whois:${field}`]: 'x' }),
      /parsed_whois:.*: is not a component/,
    );
  await world.errorMessage({ 'parsed_domain_rdap:registrant_org': 'x' });
});

test('INV-12 the two test queries are answered and do not count', async (t) => {
  const world = await investigateFixture(t, {
    'limits.productRequestsPerMinute': '1',
    'investigate.testDomain': 'free.example',
    'investigate.testIp': '192.0.2.99',
  });
  const { server, user } = world;
  await world.store({ 'free.example': { ip: [{ address: '192.0.2.99' }] } });
  const usage = async () => {
    const { json } = await server.call('GET /v1/account/', { key: user.key });
    return json.response.products.find(({ id }: { id: string }) => id === 'intel-investigate').usage.today;
  };
  for (let attempt = 0; attempt < 3; attempt += 1) {
    assert.deepEqual(await world.names('domain=Free.example'), ['free.example']);
    assert.deepEqual(await world.names('ip=192.0.2.99&parsed_whois=true'), ['free.example']);
  }
  assert.equal(await usage(), '0');
  assert.equal((await world.search('domain=free.example,other.example')).status, 200);
  assert.equal(await usage(), '1');
  assert.equal((await world.search('domain=free.example&ip=192.0.2.99')).status, 429);
  assert.equal((await world.search('domain=free.example')).status, 200);
});

test('a refused search does not count', async (t) => {
  const world = await investigateFixture(t, { 'limits.productRequestsPerMinute': '1' });
  for (let attempt = 0; attempt < 3; attempt += 1) await world.errorMessage('ip=1');
  assert.equal((await world.search('ip=192.0.2.7')).status, 200);
  assert.equal((await world.search('ip=192.0.2.7')).status, 429);
});

test('on the compatibility mount parameters and members have its clients’ names', async (t) => {
  const world = await investigateFixture(t, { 'compat.profile': 'vendor' });
  const { server, user } = world;
  await world.store({ 'a.example': { ad_tracker_code: 'pub-1', social_codes: ['77'] } });
  const call = (route: string, body?: string) =>
    server.call(route, { key: user.key, ...(body === undefined ? {} : { body }) });
  for (const query of ['adsense=pub-1', 'facebook=77', 'ad_tracker_code=pub-1']) {
    const [record] = (await call(`GET /v1/iris-investigate/?${query}`)).json.response.results;
    assert.deepEqual([record.adsense.value, record.fb_codes[0].value], ['pub-1', '77']);
  }
  for (const format of ['xml', 'html', 'ndjson']) {
    const { text } = await call(`GET /v1/iris-investigate/?adsense=pub-1&format=${format}`);
    assert.match(text, /adsense/);
    assert.doesNotMatch(text, /ad_tracker_code/);
  }
  const { json } = await call('POST /v1/iris-investigate/', '# IrisQL-1.0\nADSENSE EQUALS "pub-1"');
  assert.equal(json.response.total_count, 1);
  assert.equal((await call('POST /v1/intel-investigate/', '# IrisQL-1.0\nadsense = x')).status, 400);
});
