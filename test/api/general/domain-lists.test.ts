/** The parameter `domain` of Enrich, Investigate, tags and risk: one list in every spelling, and the same names everywhere. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type CallOptions, testServer } from '../../harness/server/test-server.ts';
import { storeRecords } from '../enrich/stored-records.ts';

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const products = ['intel-enrich', 'intel-investigate'] as const;
type Product = (typeof products)[number];

const server = await testServer(
  { after },
  { settings: { 'limits.productRequestsPerMinute': '1000', 'limits.investigate.domainsMax': '3' } },
);
await storeRecords(server, [{ domain: 'a.example' }, { domain: 'b.example' }, { domain: 'bücher.example' }]);
const user = await server.user({ permissions: ['triage'] });

function get(product: Product, query: string) {
  return server.call(`GET /v1/${product}/?sort_by=domain&${query}`, { key: user.key });
}

function post(product: Product, options: CallOptions) {
  return server.call(`POST /v1/${product}/?sort_by=domain`, { key: user.key, ...options });
}

type Answer = Awaited<ReturnType<typeof get>>;

function found({ status, text, json }: Answer): readonly [string[], string[]] {
  assert.equal(status, 200, text);
  const { results, missing_domains } = json.response;
  return [results.map(({ domain }: { domain: string }) => domain), missing_domains];
}

for (const product of products) {
  test(`ENR-04 INV-04 GEN-08 the list of domains has one meaning in every spelling, in ${product}`, async () => {
    const expected = [['a.example', 'b.example'], ['c.example']];
    for (const query of [
      'domain=a.example,b.example,c.example',
      'domain=a.example&domain=b.example&domain=c.example',
      'domain[]=a.example&domain[]=b.example&domain[]=c.example',
      'domain[0]=a.example&domain[1]=b.example&domain[2]=c.example',
      'domain=a.example,%20b.example&domain=c.example',
      'domain=a.example&domain=,b.example,&domain[]=c.example&domain=',
    ]) {
      assert.deepEqual(found(await get(product, query)), expected, query);
      assert.deepEqual(found(await post(product, { headers: form, body: query })), expected, query);
    }
    for (const domain of [
      'a.example,b.example,c.example',
      ['a.example', 'b.example', 'c.example'],
      ['a.example,b.example', ' c.example ', ''],
    ])
      assert.deepEqual(found(await post(product, { body: { domain } })), expected, JSON.stringify(domain));
  });

  test(`ENR-04 INV-05 the maximum counts the names of all spellings together, in ${product}`, async () => {
    const { status, json } = await get(
      product,
      'domain=a.example,b.example&domain=c.example&domain[]=d.example',
    );
    assert.deepEqual([status, /domain: .*more than 3/.test(json.error.message)], [400, true]);
  });

  test(`ENR-04 INV-05 a list of half a million values is refused with a short message, in ${product}`, async () => {
    const body = `domain=${'a,'.repeat(500_000)}`;
    const { status, text } = await post(product, { headers: form, body });
    assert.deepEqual([status, text.length < 500], [400, true]);
  });

  test(`ENR-06 INV-17 a text that is no domain name is missing beside names that are, in ${product}`, async () => {
    for (const odd of ['http://x.com/', '192.0.2.1', 'x..com', '\0', 'rubbish', 'not a name']) {
      const query = new URLSearchParams([
        ['domain', 'a.example'],
        ['domain', odd],
      ]);
      assert.deepEqual(found(await get(product, query.toString())), [['a.example'], [odd]], odd);
    }
  });

  test(`ENR-06 a request in which no value is a domain name returns 400 with the reason, in ${product}`, async () => {
    const reasons = {
      'http%3A%2F%2Fx.com%2F': 'domain: "http://x.com/" is a URL; send x.com',
      'https%3A%2F%2Fuser@b%C3%BCcher.example:8443/?q=1':
        'domain: "https://user@bücher.example:8443/?q=1" is a URL; send xn--bcher-kva.example',
      'b%C3%BCcher.example/path': 'domain: "bücher.example/path" is a URL; send xn--bcher-kva.example',
      'x.com:80': 'domain: "x.com:80" is a host with a port; send x.com',
      'jo@x.com': 'domain: "jo@x.com" is an e-mail address; send x.com',
      '192.0.2.1': 'domain: "192.0.2.1" is an IP address, not a domain name',
      '2001:db8::1': 'domain: "2001:db8::1" is an IP address, not a domain name',
      'x..com': 'domain: "x..com" has an empty label',
      '%00': 'domain: "\\u0000" is not a domain name',
      '%ff': 'domain: "\\ufffd" is not a domain name',
      rubbish: 'domain: "rubbish" has no top-level domain; send a name such as rubbish.com',
      '192.0.2.1,x..com':
        'domain: none of the 2 values is a domain name: "192.0.2.1" is an IP address, not a domain name',
    };
    for (const [written, reason] of Object.entries(reasons)) {
      const { status, json } = await get(product, `domain=${written}`);
      assert.equal(status, 400, written);
      assert.ok(json.error.message.endsWith(reason), json.error.message);
    }
  });

  test(`a JSON value that is neither text nor a list of texts returns 400 and says so, in ${product}`, async () => {
    for (const domain of [5, true, {}, [5], ['a.example', null], [['a.example']]]) {
      const { status, json } = await post(product, { body: { domain } });
      assert.equal(status, 400, JSON.stringify(domain));
      assert.equal(json.error.message, 'domain: must be text, or a list of texts', JSON.stringify(domain));
    }
    assert.equal((await post(product, { body: { domain: null } })).status, 400);
    assert.equal((await post(product, { body: { domain: [] } })).status, 400);
  });
}

test('GEN-08 lists of tags in a search have one meaning in every spelling', async () => {
  const tag = (domain: string, ...add: string[]) =>
    server.call('POST /v1/domain-tags/', { key: user.key, body: { domain, add } });
  assert.equal((await tag('a.example', 'red', 'round')).status, 200);
  assert.equal((await tag('b.example', 'blue')).status, 200);
  for (const query of [
    'tagged_with_any=red,blue',
    'tagged_with_any=red&tagged_with_any=blue',
    'tagged_with_any[]=red&tagged_with_any[]=blue',
  ])
    assert.deepEqual(found(await get('intel-investigate', query)), [['a.example', 'b.example'], []], query);
  assert.deepEqual(found(await post('intel-investigate', { body: { tagged_with_any: ['red', 'blue'] } })), [
    ['a.example', 'b.example'],
    [],
  ]);
  assert.deepEqual(found(await get('intel-investigate', 'tagged_with_all=red&tagged_with_all=round')), [
    ['a.example'],
    [],
  ]);
});

test('GEN-08 domains of tags have one meaning in every spelling', async () => {
  const tagged = async (query: string) => {
    const { status, json } = await server.call(`GET /v1/domain-tags/?${query}`, { key: user.key });
    assert.equal(status, 200, query);
    return json.response.domains.map(({ domain }: { domain: string }) => domain);
  };
  for (const query of ['domain=a.example,b.example', 'domain=a.example&domain[]=b.example'])
    assert.deepEqual(await tagged(query), ['a.example', 'b.example'], query);
  for (const body of [
    { domain: ['a.example', 'b.example'], add: ['list'] },
    { domains: 'a.example,b.example', add: ['list'] },
  ]) {
    const { status, json } = await server.call('POST /v1/domain-tags/', { key: user.key, body });
    assert.deepEqual([status, json.response.domains.length], [200, 2], JSON.stringify(body));
  }
});

test('an operation for one domain says why a value is none', async () => {
  const reasons = {
    '/v1/risk/?domain=http%3A%2F%2Fx.com%2F': 'domain: "http://x.com/" is a URL; send x.com',
    '/v1/risk/evidence/?domain=192.0.2.1': 'domain: "192.0.2.1" is an IP address, not a domain name',
    '/v1/risk/?domain=com': 'domain: must be a registrable domain',
    '/v1/risk/?domain=a.example,b.example': 'domain: "a.example,b.example" is a list; send one domain',
    '/v1/risk/?domain=a.example&domain=b.example': 'domain: is given more than once',
    '/v1/domain-history/?domain=http%3A%2F%2Fx.com%2F': 'domain: "http://x.com/" is a URL; send x.com',
    '/v1/domain-tags/?domain=a.example,x..com': 'domain: "x..com" has an empty label',
  };
  for (const [path, reason] of Object.entries(reasons)) {
    const { status, json } = await server.call(`GET ${path}`, { key: user.key });
    assert.deepEqual([status, json.error.message], [400, reason], path);
  }
  for (const query of ['domain[]=a.example', 'domain=a.example&domain=a.example'])
    assert.equal((await server.call(`GET /v1/risk/?${query}`, { key: user.key })).status, 200, query);
});
