/** A search as a whole: how it is sent, what base and filter mean, and the envelope of its answer. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namedParameters } from '../../src/product/investigate/search-parameters.ts';
import { type Fields, investigated } from './investigated.ts';

const by = (registrar: string, fields: Fields = {}): Fields => ({ ...fields, parsed_whois: { registrar } });
const form = { 'content-type': 'application/x-www-form-urlencoded' };

test('how a search is sent', async (t) => {
  const world = await investigated(t);
  const { server, user } = world;
  await world.know({
    'a.example': by('Reg', { active: true, popularity_rank: 7 }),
    'b.example': by('Reg', { popularity_rank: 8 }),
    'c.example': by('Other'),
  });
  const post = (body: object | string, headers = {}, query = '') =>
    server.call(`POST /v1/intel-investigate/${query}`, { key: user.key, body, headers });
  const asked = 'registrar=reg&rank=7&sort_by=domain&page_size=5&parsed_whois=true';
  const expected = (await world.search(asked)).json;

  await t.test('INV-01 INV-02 GET, form and JSON give the same answer', async () => {
    assert.deepEqual(
      expected.response.results.map((one: { domain: string }) => one.domain),
      ['a.example'],
    );
    assert.deepEqual((await post(asked, form)).json, expected);
    const body = { registrar: 'reg', rank: 7, sort_by: 'domain', page_size: 5, parsed_whois: true };
    assert.deepEqual((await post(body)).json, expected);
    assert.deepEqual((await post('', {}, `?${asked}`)).json, expected);
    assert.deepEqual(
      (await post('rank=7', form, '?registrar=reg&sort_by=domain&parsed_whois=1')).json,
      expected,
    );
  });

  await t.test('INV-03 POST accepts every parameter of GET', async () => {
    for (const { name } of namedParameters) {
      const query = new URLSearchParams({ [name]: '!' }).toString();
      const [got, posted] = [await world.search(query), await post(query, form)];
      assert.deepEqual([posted.status, posted.json], [got.status, got.json], name);
    }
  });

  await t.test('a list in JSON is a list of domains', async () => {
    const answer = await post({ domain: ['a.example', 'c.example'], sort_by: 'domain' });
    assert.equal(answer.json.response.results_count, 2);
  });

  await t.test('a parameter that is null in JSON is left out', async () => {
    assert.equal((await post({ registrar: 'reg', ip: null })).json.response.total_count, 2);
  });

  await t.test('both forms of the path are answered', async () => {
    const answer = await server.call('GET /v1/intel-investigate?registrar=reg', { key: user.key });
    assert.equal(answer.json.response.total_count, 2);
  });

  await t.test('INV-06 a request without a base parameter answers 400', async () => {
    assert.match(
      await world.refusal(''),
      /^We could not understand your request\. At least one base parameter/,
    );
    assert.equal((await post({})).status, 400);
    assert.equal((await post('')).status, 400);
    await world.refusal('unknown=1&sort_by=domain');
  });

  await t.test('INV-07 filters alone answer 400', async () => {
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
      assert.match(await world.refusal({ [name]: values[name] ?? '1' }), /base parameter/, name);
    await world.refusal({ active: 'true', rank: '5' });
  });

  await t.test('INV-08 parameters that are base and filter both may stand alone', async () => {
    for (const name of ['server_type', 'website_title', 'tagged_with_all', 'tagged_with_any'])
      assert.deepEqual(await world.names({ [name]: 'x' }), []);
  });

  await t.test('unknown parameters are ignored', async () => {
    assert.equal((await world.names('registrar=reg&app_name=x&ignored_since=1&Registrar=y')).length, 2);
  });

  await t.test('INV-26 INV-27 INV-28 parsed records are added when they are asked for', async () => {
    const [plain] = (await world.response('domain=a.example')).results;
    assert.ok(!('parsed_whois' in plain) && !('parsed_domain_rdap' in plain));
    const [whois] = (await world.response('domain=a.example&parsed_whois=true')).results;
    assert.deepEqual(whois.parsed_whois.registrar, { value: 'Reg', count: 1 });
    assert.ok(!('parsed_domain_rdap' in whois));
    const [rdap] = (await world.response('domain=a.example&parsed_domain_rdap=true')).results;
    assert.ok('parsed_domain_rdap' in rdap && !('parsed_whois' in rdap));
  });
});

test('what a search means', async (t) => {
  const world = await investigated(t);
  await world.know({
    'a.example': by('One', { ip: [{ address: '192.0.2.1' }, { address: '192.0.2.2' }] }),
    'b.example': by('One', { ip: [{ address: '192.0.2.1' }] }),
    'c.example': by('Two', { ip: [{ address: '192.0.2.2' }], popularity_rank: 3 }),
    'xn--bcher-kva.example': {},
  });
  const names = (query: string) => world.names(`${query}&sort_by=domain`);

  await t.test('INV-04 domain takes a list and gives the record of each', async () => {
    assert.deepEqual(await names('domain=a.example,%20C.example.,,a.example'), ['a.example', 'c.example']);
  });

  await t.test('INV-05 a hundred names are taken, one more answers 400', async () => {
    const list = (count: number) => Array.from({ length: count }, (_, n) => `n${n}.example`).join(',');
    assert.equal((await world.response({ domain: list(100) })).missing_domains.length, 100);
    assert.match(await world.refusal({ domain: list(101) }), /domain: must not have more than 100/);
  });

  await t.test('INV-09 INV-10 base parameters and filters all have to match', async () => {
    assert.deepEqual(await names('registrar=one&ip=192.0.2.2'), ['a.example']);
    assert.deepEqual(await names('ip=192.0.2.2&rank=5'), ['c.example']);
    assert.deepEqual(await names('registrar=one&ip=192.0.2.2&rank=5'), []);
  });

  await t.test('INV-11 a base parameter given twice must match twice', async () => {
    assert.deepEqual(await names('ip=192.0.2.1&ip=192.0.2.2'), ['a.example']);
    assert.deepEqual(await names('ip[]=192.0.2.1&ip[]=192.0.2.2'), ['a.example']);
    assert.deepEqual(await names('registrar=one&registrar=two'), []);
    assert.deepEqual(await names('domain=a.example,b.example&domain=b.example'), ['b.example']);
  });

  await t.test('INV-13 INV-16 INV-23 the envelope has its members in order, and no error', async () => {
    const { json } = await world.search('registrar=one&next=true');
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

  await t.test('INV-17 domains without a record are missing, by the name that was asked for', async () => {
    const response = await world.response({ domain: 'a.example, Unknown.example,münchen.example,no name' });
    assert.deepEqual(response.missing_domains, ['Unknown.example', 'münchen.example', 'no name']);
    assert.equal(response.results_count, 1);
    const alone = await world.response('domain=unknown.example');
    assert.deepEqual([alone.results, alone.missing_domains, alone.total_count], [[], ['unknown.example'], 0]);
    const filtered = await world.response('domain=a.example&rank=1');
    assert.deepEqual([filtered.results, filtered.missing_domains], [[], []]);
  });

  await t.test('an internationalized name is found by both of its forms', async () => {
    for (const name of ['bücher.example', 'BÜCHER.example', 'xn--bcher-kva.example'])
      assert.deepEqual(await world.names({ domain: name }), ['bücher.example']);
  });

  await t.test('count_only tells how many there are, without results', async () => {
    const response = await world.response('registrar=one&count_only=true');
    assert.deepEqual([response.total_count, response.results_count, response.results], [2, 0, []]);
    assert.ok(!response.has_more_results && !('position' in response));
  });
});

test('INV-29 INV-30 INV-31 components of parsed records are searched by name, alone too', async (t) => {
  const world = await investigated(t);
  await world.know({
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
      await world.refusal({ registrar: 'x', [`parsed_whois:${field}`]: 'x' }),
      /parsed_whois:.*: is no component/,
    );
  await world.refusal({ 'parsed_domain_rdap:registrant_org': 'x' });
});

test('INV-12 the two test queries are answered and count nowhere', async (t) => {
  const world = await investigated(t, {
    'limits.productRequestsPerMinute': '1',
    'investigate.testDomain': 'free.example',
    'investigate.testIp': '192.0.2.99',
  });
  const { server, user } = world;
  await world.know({ 'free.example': { ip: [{ address: '192.0.2.99' }] } });
  const usage = async () => {
    const { json } = await server.call('GET /v1/account/', { key: user.key });
    return json.response.products.find(({ id }: { id: string }) => id === 'intel-investigate').usage.today;
  };
  for (let turn = 0; turn < 3; turn += 1) {
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
  const world = await investigated(t, { 'limits.productRequestsPerMinute': '1' });
  for (let turn = 0; turn < 3; turn += 1) await world.refusal('ip=1');
  assert.equal((await world.search('ip=192.0.2.7')).status, 200);
  assert.equal((await world.search('ip=192.0.2.7')).status, 429);
});

test('on the compatibility mount parameters and members have its words', async (t) => {
  const world = await investigated(t, { 'compat.profile': 'vendor' });
  const { server, user } = world;
  await world.know({ 'a.example': { ad_tracker_code: 'pub-1', social_codes: ['77'] } });
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
