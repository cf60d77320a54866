/** The pages of values: an address, a name server, an e-mail address, a certificate. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { SearchRow, ValueRole } from '../../../../src/http/web/search/search-wire.ts';
import type { DomainRecord } from '../../../../src/model/record/domain-record.ts';
import { testServer } from '../../../harness/server/test-server.ts';
import { type WebSession, webSession } from '../../../harness/server/web-session.ts';
import { writeRecords } from './search-fixture.ts';

const server = await testServer({ after }, { settings: { 'limits.investigate.matchesMax': '40' } });
const hash = 'ab'.repeat(20);
const risk = (risk_score: number) => ({ risk_score, components: [] });
const shared: readonly DomainRecord[] = [
  {
    domain: 'one.example',
    registrar: 'Ember & Ash',
    domain_risk: risk(90),
    ip: [
      { address: '192.0.2.7', country_code: 'is', isp: 'Velt', asn: [64_500] },
      { address: '2001:db8::7' },
    ],
    name_server: [{ host: 'ns1.velt.example', domain: 'velt.example', ip: ['192.0.2.7'] }],
    soa_email: ['host@velt.example'],
    ssl_info: [
      {
        hash,
        common_name: 'one.example',
        subject: 'CN=one.example',
        alt_names: ['one.example', 'www.one.example'],
      },
    ],
  },
  {
    domain: 'two.example',
    registrar: 'Ember & Ash',
    domain_risk: risk(50),
    ip: [{ address: '192.0.2.7', country_code: 'is', isp: 'Velt', asn: [64_500] }],
    name_server: [{ host: 'ns1.velt.example', domain: 'velt.example' }],
    registrant_contact: { email: ['host@velt.example'] },
    ssl_info: [{ hash, common_name: 'one.example' }],
  },
  { domain: 'three.example', mx: [{ host: 'ns1.velt.example', ip: ['192.0.2.7'] }] },
];
let me: WebSession;

before(async () => {
  await writeRecords(server, shared);
  me = await webSession(server);
});

const get = async (path: string) => {
  const answer = await me.call(`GET /values/${path}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
};

const namesOf = (page: { domains: SearchRow[] }) => page.domains.map(({ punycode }) => punycode);
const rolesOf = (page: { roles: ValueRole[] }) =>
  page.roles.map(({ parameter, domains, average_risk }) => [parameter, domains, average_risk]);
const factsOf = (page: { facts: { name: string; values: string[] }[] }) =>
  Object.fromEntries(page.facts.map(({ name, values }) => [name, values]));

test('an address has the domains that share it, riskiest first, its network and its roles', async () => {
  const page = await get('ip/192.0.2.7');
  assert.deepEqual(page.query, { parameters: { ip: ['192.0.2.7'] } });
  assert.deepEqual([page.total, page.average_risk, page.guided], [2, 70, true]);
  assert.deepEqual(namesOf(page), ['one.example', 'two.example']);
  assert.deepEqual(rolesOf(page), [
    ['ip', 2, 70],
    ['nameserver_ip', 1, 90],
    ['mailserver_ip', 1, null],
  ]);
  assert.deepEqual(factsOf(page), { country_code: ['is'], isp: ['Velt'], asn: ['64500'] });
  const registrar = page.facets.find(({ by }: { by: string }) => by === 'registrar');
  assert.deepEqual(registrar.values[0], {
    value: 'Ember & Ash',
    domains: 2,
    domains_in_all: 2,
    average_risk: 70,
    guided: true,
  });
});

test('an address of IPv6 has a page, though no search parameter finds it', async () => {
  const page = await get('ip/2001:DB8:0::7');
  assert.deepEqual([page.value, page.query, page.total], ['2001:db8::7', null, 1]);
  assert.deepEqual(namesOf(page), ['one.example']);
});

test('a name server has its addresses, and its mail server role', async () => {
  const page = await get('name_server/NS1.velt.example.');
  assert.deepEqual([page.value, page.total], ['ns1.velt.example', 2]);
  assert.deepEqual(rolesOf(page), [
    ['nameserver_host', 2, 70],
    ['mailserver_host', 1, null],
  ]);
  assert.deepEqual(factsOf(page), { domain: ['velt.example'], address: ['192.0.2.7'] });
});

test('an e-mail address is found wherever it stands', async () => {
  const page = await get('email/Host@velt.example');
  assert.deepEqual([page.total, namesOf(page)], [2, ['one.example', 'two.example']]);
  assert.deepEqual(
    rolesOf(page).map(([parameter, domains]) => [parameter, domains]),
    [
      ['email', 2],
      ['email_dns_soa', 1],
    ],
  );
});

test('a certificate has its subject and its names', async () => {
  const page = await get(`certificate/${hash.toUpperCase()}`);
  assert.deepEqual([page.value, page.total, page.passive_dns], [hash, 2, null]);
  assert.deepEqual(factsOf(page), {
    common_name: ['one.example'],
    subject: ['CN=one.example'],
    alt_name: ['one.example', 'www.one.example'],
  });
});

test('an address and a name server have the times of passive DNS, if the account has that', async () => {
  await server.user({ account: me.account });
  const day = 86_400;
  const now = Math.floor(server.clock.now() / 1000);
  const seenFrom = (rrname: string, time_first: number, time_last: number) =>
    server.observe([{ rrname, rrtype: 'A', rdata: '192.0.2.9', time_first, time_last }]);
  await seenFrom('one.example.', now - 9 * day, now - 5 * day);
  await seenFrom('two.example.', now - 7 * day, now - 2 * day);
  const { passive_dns: seen } = await get('ip/192.0.2.9');
  const time = (seconds: number) => new Date(seconds * 1000).toISOString();
  assert.deepEqual(seen, { first: time(now - 9 * day), last: time(now - 2 * day), records: 2, more: false });
});

test('a value that no domain has is an empty page, and a text that is no such value is refused', async () => {
  const page = await get('ip/203.0.113.99');
  assert.deepEqual([page.total, page.roles, page.domains, page.average_risk], [0, [], [], null]);
  for (const wrong of ['ip/1.2.3', 'ip/::g', 'certificate/abc', 'email/x', 'name_server/a..b', 'phone/1']) {
    const { status } = await me.call(`GET /values/${wrong}`);
    assert.equal(status, 422, wrong);
  }
});

test('a value of more domains than a search returns has their number, their risk and its facts', async () => {
  const many = Array.from({ length: 60 }, (_, index) => ({
    domain: `many${index}.example`,
    domain_risk: risk(30),
    ip: [{ address: '198.51.100.1', country_code: 'nl' }],
  }));
  await writeRecords(server, many);
  const page = await get('ip/198.51.100.1');
  assert.deepEqual([page.total, page.too_many, page.average_risk, page.domains], [60, true, 30, []]);
  assert.deepEqual(factsOf(page), { country_code: ['nl'] });
});

test('a page of a value counts one request to Investigate in a minute', async () => {
  const other = await webSession(server);
  const used = async (path: string) => (await other.call(`GET /values/${path}`)).json.limits.used;
  assert.equal(await used('ip/192.0.2.7'), 1);
  assert.equal(await used('ip/192.0.2.7'), 1);
  assert.equal(await used('ip/192.0.2.8'), 2);
});
