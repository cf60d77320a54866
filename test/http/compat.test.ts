import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { readConfig } from '../../src/config.ts';
import { addressReader } from '../../src/http/address.ts';
import { inVendorWords, neutralName, neutralText } from '../../src/http/compat/translate.ts';
import { fieldWords, parameterWords, pathWords, valueWords } from '../../src/http/compat/words.ts';
import { echoOperations } from '../harness/server/echo-operations.ts';
import { testServer } from '../harness/server/test-server.ts';

const vendor = { 'compat.profile': 'vendor' };

function readerWith(settings: Readonly<Record<string, string>>) {
  const flags = Object.fromEntries(
    Object.entries(settings).map(([key, text]) => [key, { flag: '--set', text }]),
  );
  return addressReader(readConfig({ environment: {}, flags }).settings);
}

const segment = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9._~%:@,*-]+$/),
  fc.constantFrom(
    'v1',
    'v2',
    'iris-detect',
    'intel-detect',
    'siebatchd',
    'siebatch',
    'dnsdb',
    'vendor',
    'dt',
    'account',
  ),
);
const anyPath = fc
  .tuple(fc.array(segment, { minLength: 1, maxLength: 6 }), fc.boolean())
  .map(([segments, slash]) => `/${segments.join('/')}${slash ? '/' : ''}`);
const query = fc.oneof(fc.constant(''), fc.stringMatching(/^\?[a-z=&%/?.]*$/));
const host = fc.option(fc.domain(), { nil: undefined });

test('without the profile URLs are unchanged and the wording is neutral', () => {
  const read = readerWith({});
  fc.assert(
    fc.property(anyPath, query, host, (sentPath, sentQuery, sentHost) => {
      const url = sentPath + sentQuery;
      assert.deepEqual(read(url, sentHost), { url, wording: 'neutral' });
    }),
    { numRuns: 500 },
  );
});

test('repeated slashes are collapsed in the path and kept in the query string', () => {
  const repeated = fc.integer({ min: 1, max: 4 }).map((count) => '/'.repeat(count));
  for (const settings of [{}, vendor]) {
    const read = readerWith(settings);
    fc.assert(
      fc.property(anyPath, query, repeated, (sentPath, sentQuery, slashes) => {
        const doubled = sentPath.replaceAll('/', slashes) + sentQuery;
        assert.deepEqual(read(doubled, undefined), read(sentPath + sentQuery, undefined));
      }),
    );
  }
});

test('the mount prefix of a reverse proxy is removed once, as whole segments, and only at the start', () => {
  const read = readerWith({ 'http.mountPrefix': '/proxy/here' });
  const bare = readerWith({});
  fc.assert(
    fc.property(anyPath, query, (sentPath, sentQuery) => {
      assert.deepEqual(
        read(`/proxy/here${sentPath}${sentQuery}`, undefined),
        bare(sentPath + sentQuery, undefined),
      );
      assert.equal(read(`/x/proxy/here${sentPath}`, undefined).url, `/x/proxy/here${sentPath}`);
      assert.equal(read(`/proxy/hereafter${sentPath}`, undefined).url, `/proxy/hereafter${sentPath}`);
    }),
  );
  assert.equal(read('/proxy/here', undefined).url, '/');
});

test('with the profile on, a path without its names is unchanged and neutral', () => {
  const read = readerWith(vendor);
  const neutralPath = fc.constantFrom(
    '/v1/account',
    '/v1/intel-detect/monitors',
    '/batchd/v1/validate',
    '/batchd/v1/batch/chfetch',
    '/pdns/v2/lookup/rrset/name/iris-detect',
    '/v1/feed/dnsdb',
    '/vendors/v1',
    '/v1/iris-detector',
  );
  fc.assert(
    fc.property(neutralPath, fc.boolean(), query, host, (sentPath, slash, sentQuery, sentHost) => {
      const url = `${sentPath}${slash ? '/' : ''}${sentQuery}`;
      assert.deepEqual(read(url, sentHost), { url, wording: 'neutral' });
    }),
  );
});

for (const [neutral, word] of pathWords) {
  test(`${word} is translated to ${neutral}, at the root and under the mount; ${neutral} is unchanged`, () => {
    const read = readerWith(vendor);
    for (const rest of ['', '/', '/more/of/it?x=/dnsdb/v2']) {
      const url = neutral + rest;
      assert.deepEqual(read(word + rest, undefined), { url, wording: 'vendor' });
      assert.deepEqual(read(`/vendor${word}${rest}`, undefined), { url, wording: 'vendor' });
      assert.deepEqual(read(`/vendor${url}`, undefined), { url, wording: 'vendor' });
      assert.deepEqual(read(url, undefined), { url, wording: 'neutral' });
    }
    assert.notEqual(read(`${word}x`, undefined).url, `${neutral}x`);
  });
}

test('a host of the profile uses its names on every path, in any letter case and with any port', () => {
  const read = readerWith({ ...vendor, 'compat.hosts': 'api.vendor.example' });
  for (const name of ['api.vendor.example', 'API.Vendor.Example:8443']) {
    assert.deepEqual(read('/v1/account/', name), { url: '/v1/account/', wording: 'vendor' });
  }
  for (const name of ['vendor.example', 'api.vendor.example.net', undefined]) {
    assert.equal(read('/v1/account/', name).wording, 'neutral');
  }
});

/** Names on the wire as public clients send and read them. */
const wireNames: readonly (readonly [
  neutral: string,
  parameter: string,
  field: readonly [string, string],
])[] = [
  ['ad_tracker_code', 'adsense', ['ad_tracker_code', 'adsense']],
  ['analytics_code', 'google_analytics', ['analytics_code', 'google_analytics']],
  ['analytics_v4_code', 'ga4', ['analytics_v4_codes', 'ga4']],
  ['analytics_v4_code', 'google_analytics_4', ['analytics_v4_codes', 'ga4']],
  ['analytics_cn_code', 'baidu_analytics', ['analytics_cn_codes', 'baidu_codes']],
  ['tag_manager_code', 'google_tag_manager', ['tag_manager_codes', 'gtm_codes']],
  ['heatmap_code', 'hotjar', ['heatmap_codes', 'hotjar_codes']],
  ['selfhosted_analytics_code', 'matomo', ['selfhosted_analytics_codes', 'matomo_codes']],
  ['metrics_ru_code', 'yandex_metrica', ['metrics_ru_codes', 'yandex_codes']],
  ['counter_project_code', 'statcounter_project', ['counter_project_codes', 'statcounter_project_codes']],
  ['counter_security_code', 'statcounter_security', ['counter_security_codes', 'statcounter_security_codes']],
];

test('the tables contain the names on the wire, in both directions', () => {
  for (const [neutral, parameter, [field, wireField]] of wireNames) {
    assert.equal(neutralName(parameter), neutral);
    assert.equal(neutralName(neutral), neutral);
    assert.deepEqual(inVendorWords({ [field]: [1] }), { [wireField]: [1] });
  }
});

test('every row of the tables is applied, and no two rows conflict', () => {
  for (const [neutral, word] of parameterWords) assert.equal(neutralName(word), neutral);
  for (const [neutral, word] of fieldWords) assert.deepEqual(inVendorWords({ [neutral]: 1 }), { [word]: 1 });
  for (const [name, neutral, word] of valueWords) {
    assert.equal(neutralText(name, word), neutral);
    assert.deepEqual(inVendorWords({ [name]: neutral }), { [name]: word });
    assert.deepEqual(inVendorWords({ [name]: [neutral, 'other'] }), { [name]: [word, 'other'] });
    assert.deepEqual(inVendorWords({ elsewhere: neutral }), { elsewhere: neutral });
  }
});

test('a response without any name of the tables is unchanged by the translation', () => {
  const known = new Set([...fieldWords, ...valueWords.map(([name]) => [name])].map(([name]) => name));
  const value = fc
    .jsonValue()
    .filter((json) => ![...known].some((name) => JSON.stringify(json).includes(`"${name}"`)));
  fc.assert(fc.property(value, (json) => assert.deepEqual(inVendorWords(json), json)));
});

test('on the vendor mount a Detect operation accepts vendor names and the account summary uses them', async (t) => {
  const server = await testServer(t, { operations: echoOperations, settings: vendor });
  const { key } = await server.user();
  const sent = 'adsense=pub-1&escalation_types[]=google_safe&escalation_types[]=blocked';
  for (const path of ['/v1/iris-detect/domains/ignored/', '/vendor/v1/iris-detect/domains/ignored/']) {
    const answer = await server.call(`GET ${path}?${sent}`, { key });
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.json.received, {
      adsense: 'pub-1',
      escalation_types: ['google_safe', 'blocked'],
    });
  }
  const neutral = await server.call(`GET /v1/intel-detect/domains/ignored/?${sent}`, { key });
  assert.equal(neutral.status, 400);
  const { products } = (await server.call('GET /vendor/v1/account/', { key })).json.response;
  const ids: string[] = products.map(({ id }: { id: string }) => id);
  assert.equal(ids.filter((id) => id.startsWith('iris-')).length, 8);
  assert.equal(ids.filter((id) => id.includes('intel')).length, 0);
});

test('a question asked with format and without it within seconds is charged once, and a third time again', async (t) => {
  const server = await testServer(t, { settings: vendor });
  const { key } = await server.user({ permissions: ['read', 'triage'] });
  const statuses = async (...forms: readonly string[]) => {
    const found: number[] = [];
    for (const form of forms) {
      const path = `/v1/iris-detect/domains/new/?${form}`;
      found.push((await server.call(`GET ${path}`, { key })).status);
    }
    return found;
  };
  assert.deepEqual(await statuses('format=json', 'app_name=cli', 'app_name=cli'), [200, 200, 503]);
  server.clock.advanceSeconds(3600);
  assert.deepEqual(await statuses('app_name=cli'), [200]);
  server.clock.advanceSeconds(11);
  assert.deepEqual(await statuses('format=json'), [503]);
});

test('off the profile the same question with format is charged again', async (t) => {
  const server = await testServer(t, { settings: vendor });
  const { key } = await server.user();
  const path = '/v1/intel-detect/domains/new/';
  assert.equal((await server.call(`GET ${path}?format=json`, { key })).status, 200);
  assert.equal((await server.call(`GET ${path}`, { key })).status, 429);
});

test('on the vendor mount an unknown path is answered in JSON, and elsewhere as before', async (t) => {
  const server = await testServer(t, { settings: vendor });
  const answer = await server.call('GET /vendor/v2/anything');
  assert.equal(answer.status, 404);
  assert.match(String(answer.headers['content-type']), /^application\/json/);
  assert.equal(answer.json.error.code, 404);
  assert.match(String((await server.call('GET /v2/anything')).headers['content-type']), /^text\/html/);
});

test('in the vocabulary of the profile times of Detect end in Z, except that of an assignment', () => {
  const at = '2026-03-01T01:02:03.000000+00:00';
  const zulu = '2026-03-01T01:02:03.000000Z';
  const domain = {
    discovered_date: at,
    assigned_date: at,
    website_title: at,
    escalations: [{ created: at }],
  };
  assert.deepEqual(inVendorWords(domain), {
    discovered_date: zulu,
    assigned_date: at,
    website_title: at,
    escalations: [{ created: zulu }],
  });
});

test('/siebatchd/v1/validate returns profile.siebatch, and only with the profile on', async (t) => {
  for (const [settings, status] of [
    [vendor, 200],
    [{}, 404],
  ] as const) {
    const server = await testServer(t, { settings });
    const { batchKey, username } = await server.user({ channels: [212] });
    for (const path of [
      '/siebatchd/v1/validate',
      '/vendor/siebatchd/v1/validate',
      '/vendor/batchd/v1/validate',
    ]) {
      const answer = await server.call(`POST ${path}`, { body: { apikey: batchKey } });
      assert.equal(answer.status, status, path);
      if (status === 404) continue;
      assert.deepEqual(answer.json, {
        profile: { username, siebatch: { ch212: { description: 'Newly Observed Domains' } } },
        _status: 'OK',
        _message: '',
      });
    }
  }
});

test('/dnsdb/v2/rate_limit returns the same as /pdns/v2/rate_limit, and only with the profile on', async (t) => {
  for (const [settings, status] of [
    [vendor, 200],
    [{}, 404],
  ] as const) {
    const server = await testServer(t, { settings });
    const { key } = await server.user();
    const answer = await server.call('GET /dnsdb/v2/rate_limit?swclient=dnsdbq&version=2.6.4', { key });
    assert.equal(answer.status, status);
    if (status === 404) continue;
    assert.equal(answer.text, (await server.call('GET /pdns/v2/rate_limit', { key })).text);
    const unknown = await server.call('GET /dnsdb/v2/nothing', { key });
    assert.deepEqual([unknown.status, unknown.text.startsWith('Error: ')], [404, true]);
  }
});

test('neutral paths return exactly the same bytes with the profile on', async (t) => {
  const answers = [];
  for (const settings of [{}, vendor]) {
    const server = await testServer(t, { operations: echoOperations, settings });
    const { key, batchKey } = await server.user({ username: 'same', channels: [212] });
    const calls = [
      await server.call('GET /v1/account/', { key }),
      await server.call(
        'GET /v1/intel-detect/domains/ignored/?escalation_types=external_safe&ad_tracker_code=1',
        { key },
      ),
      await server.call('GET /v1/intel-detect/domains/ignored/'),
      await server.call('POST /batchd/v1/validate', { body: { apikey: batchKey } }),
      await server.call('GET /pdns/v2/rate_limit', { key }),
      await server.call('GET /v1/feed/nod/', { key }),
      await server.call('GET /v1/feed/nod/', { key }),
      await server.call('GET /v1/feed/nod/', { key }),
    ];
    answers.push(
      calls.map(({ status, text, headers }) => [
        status,
        text,
        headers['content-type'],
        headers['retry-after'],
      ]),
    );
  }
  assert.deepEqual(
    answers[0]?.map(([status]) => status),
    [200, 200, 401, 200, 200, 200, 200, 429],
  );
  assert.deepEqual(answers[1], answers[0]);
});

test('booleans may be written as Python does, and nothing else changes with them', () => {
  assert.equal(neutralText('preview', 'True'), 'true');
  assert.equal(neutralText('include_domain_data', 'False'), 'false');
  assert.equal(neutralText('website_title', 'True'), 'True');
  assert.equal(neutralText('preview', 'TRUE'), 'TRUE');
});

test('a time as Python shows it is UTC where connectors send it, and others are unchanged', () => {
  assert.equal(neutralText('discovered_since', '2026-03-04 09:11:12.000001'), '2026-03-04 09:11:12.000001Z');
  assert.equal(neutralText('changed_since', '2026-03-04 09:11:12'), '2026-03-04 09:11:12Z');
  for (const [name, written] of [
    ['discovered_since', '2026-03-04T09:11:12'],
    ['discovered_since', '2026-03-04'],
    ['discovered_since', '2026-03-04 09:11:12+01:00'],
    ['discovered_before', '2026-03-04 09:11:12.000001'],
  ] as const)
    assert.equal(neutralText(name, written), written);
});

test('a record without a score has an empty risk, so that connectors can read it', () => {
  const unscored = { domain: 'a.example', whois_url: 'https://names.example/whois/a.example' };
  assert.deepEqual(inVendorWords({ results: [unscored] }), {
    results: [{ ...unscored, domain_risk: { components: [] } }],
  });
  const scored = { ...unscored, domain_risk: { risk_score: 0, components: [] } };
  assert.deepEqual(inVendorWords(scored), scored);
});
