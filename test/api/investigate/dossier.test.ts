import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { investigateFixture } from './investigate-fixture.ts';

const world = await investigateFixture({ after });
const dossier = (query: string, key = world.user.key) =>
  world.server.call(`GET /v1/domain-dossier/?${query}`, { key });
const login = {
  active: true,
  registrar: 'First Registrar',
  create_date: '2026-02-20',
  ip: [{ address: '192.0.2.7', country_code: 'nl', asn: [64500], isp: 'Host Ltd' }],
  name_server: [{ host: 'ns1.shared.example' }],
  website_title: 'Sign in',
  website_response: 200,
};
const other = { name_server: [{ host: 'ns1.shared.example' }] };
await world.store({ 'bank-login.example': login, 'other.example': other }, '2026-03-01T00:00:00Z');
await world.store(
  { 'bank-login.example': { ...login, website_title: 'Sign in now' } },
  '2026-03-02T00:00:00Z',
);
await world.server.observe([{ rrname: 'www.bank-login.example.', rrtype: 'A', rdata: ['192.0.2.7'] }]);

test('a dossier has risk, registration, hosting, website, watchlist, pivots, history and passive DNS in one answer', async () => {
  const { response } = (await dossier('domain=bank-login.example')).json;
  assert.equal(response.known, true);
  assert.equal(typeof response.risk.score, 'number');
  assert.deepEqual(response.hosting.addresses, [{ ip: '192.0.2.7', country_code: 'nl', asn: [64500] }]);
  assert.deepEqual(response.hosting.from_third_parties.name_servers, ['ns1.shared.example']);
  assert.equal(response.website.from_third_parties.title, 'Sign in now');
  assert.equal(response.watchlist, null);
  const pivot = response.pivots.find(
    ({ attribute }: { attribute: string }) => attribute === 'name_server.host',
  );
  assert.deepEqual([pivot.domains, pivot.others], [2, ['other.example']]);
  assert.ok(response.history.rows.some(({ field }: { field: string }) => field === 'website_title'));
  assert.equal(response.passive_dns.rows[0].from_third_parties.rrname, 'www.bank-login.example.');
});

test('a dossier accepts a defanged URL and answers for the registrable domain', async () => {
  const { response } = (
    await dossier(`domain=${encodeURIComponent('hxxps://www[.]bank-login[.]example/a?b')}`)
  ).json;
  assert.equal(response.domain, 'bank-login.example');
});

test('a dossier has only the sections that were requested', async () => {
  const { response } = (await dossier('domain=bank-login.example&section=hosting&section=risk')).json;
  assert.deepEqual(
    ['risk', 'hosting', 'website', 'pivots', 'history', 'passive_dns', 'watchlist', 'registration'].filter(
      (section) => section in response,
    ),
    ['risk', 'hosting'],
  );
});

test('a dossier of an unknown domain says that it is judged by its name alone', async () => {
  const { response } = (await dossier('domain=never-seen-before.example')).json;
  assert.deepEqual([response.known, response.risk.by_name_alone], [false, true]);
  assert.match(response.summary, /^No record; by its name alone the risk is \d+ of 100\.$/);
});

test('a dossier for a key without passive DNS has none', async () => {
  const { key } = await world.server.user({ pdns: null });
  const { response } = (await dossier('domain=bank-login.example', key)).json;
  assert.equal(response.passive_dns, null);
});

test('a dossier of what is no domain is refused and names the field', async () => {
  const answer = await dossier('domain=192.0.2.1');
  assert.equal(answer.status, 400);
  assert.match(answer.text, /domain: .*is an IP address/);
});
