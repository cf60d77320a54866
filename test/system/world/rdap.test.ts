/** The RDAP servers of the world, by what RFC 9083 and RFC 9224 ask for. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { owner, type Served, serveSmallWorld } from './small-world.ts';

type Json = Record<string, any>;

async function rdap({ get }: Served, url: string): Promise<{ status: number; type: string; body: Json }> {
  const { status, headers, body } = await get(url);
  return { status, type: String(headers['content-type']), body: JSON.parse(body.toString('utf8')) as Json };
}

const entityOf = (domain: Json, role: string): Json | undefined =>
  (domain['entities'] as Json[]).find(({ roles }) => (roles as string[]).includes(role));

test('the bootstrap file names a server for every top-level domain', async (t) => {
  const served = await serveSmallWorld(t);
  const { status, body } = await rdap(served, served.server.settings['collect.rdapBootstrapUrl'] ?? '');
  assert.equal(status, 200);
  assert.equal(body['version'], '1.0');
  assert.ok(Date.parse(body['publication']) > 0);
  assert.deepEqual(body['services'][0], [['zon'], ['https://rdap.nic.zon/']]);
  assert.equal(body['services'].length, 4);
});

test('a registry that is thin knows the registrar and where to ask on', async (t) => {
  const served = await serveSmallWorld(t);
  const { status, type, body } = await rdap(served, 'https://rdap.nic.zon/domain/BRAND.zon');
  assert.deepEqual([status, type], [200, 'application/rdap+json']);
  assert.equal(body['objectClassName'], 'domain');
  assert.equal(body['ldhName'], 'brand.zon');
  assert.ok((body['rdapConformance'] as string[]).includes('rdap_level_0'));
  assert.deepEqual(body['status'], ['client transfer prohibited']);
  assert.deepEqual(
    (body['events'] as Json[]).map(({ eventAction }) => eventAction as string),
    ['registration', 'expiration', 'last changed', 'last update of RDAP database'],
  );
  assert.deepEqual(body['secureDNS'], { delegationSigned: false });
  assert.equal(body['nameservers'][0].ldhName, 'ns1.hoster.zon');
  assert.equal(body['nameservers'][0].objectClassName, 'nameserver');
  assert.equal(entityOf(body, 'registrant'), undefined);
  const registrar = entityOf(body, 'registrar');
  assert.deepEqual(registrar?.['publicIds'], [{ type: 'IANA Registrar ID', identifier: '9001' }]);
  assert.equal(registrar?.['entities'][0].roles[0], 'abuse');
  const related = (body['links'] as Json[]).find(({ rel }) => rel === 'related');
  assert.equal(related?.['href'], 'https://rdap.namely.zon/domain/brand.zon');
  assert.equal(related?.['type'], 'application/rdap+json');
});

test('the registrar knows the registrant, as a jCard', async (t) => {
  const served = await serveSmallWorld(t);
  const { body } = await rdap(served, 'https://rdap.namely.zon/domain/brand.zon');
  const registrant = entityOf(body, 'registrant') as Json;
  const [kind, properties] = registrant['vcardArray'] as [string, unknown[][]];
  assert.equal(kind, 'vcard');
  assert.deepEqual(properties[0], ['version', {}, 'text', '4.0']);
  const find = (name: string) => properties.find(([property]) => property === name);
  assert.equal(find('fn')?.[3], owner.name);
  assert.deepEqual(find('adr'), [
    'adr',
    { cc: 'DE' },
    'text',
    ['', '', owner.street, owner.city, owner.state, owner.postal, ''],
  ]);
  assert.equal(find('email')?.[3], owner.email);
});

test('a hidden registrant is redacted, and the answer says so', async (t) => {
  const served = await serveSmallWorld(t);
  const { body } = await rdap(served, 'https://rdap.namely.zon/domain/brand-login.zon');
  assert.equal(entityOf(body, 'registrant')?.['vcardArray'][1][1][3], 'REDACTED FOR PRIVACY');
  assert.equal(entityOf(body, 'registrant')?.['remarks'][0].title, 'REDACTED FOR PRIVACY');
  assert.ok(body['redacted'].length > 0);
});

test('a name in punycode is given in both forms', async (t) => {
  const served = await serveSmallWorld(t);
  const { body } = await rdap(served, 'https://rdap.nic.zon/domain/xn--bcher-kva.zon');
  assert.deepEqual([body['ldhName'], body['unicodeName']], ['xn--bcher-kva.zon', 'bücher.zon']);
});

test('what is not there is a 404 with a body, what is no name a 400', async (t) => {
  const served = await serveSmallWorld(t);
  for (const [url, expected] of [
    ['https://rdap.nic.zon/domain/nothing.zon', 404],
    ['https://rdap.nic.zon/domain/thick.gla', 404],
    ['https://rdap.doman.zon/domain/brand.zon', 404],
    ['https://rdap.nic.zon/nameserver/ns1.hoster.zon', 404],
    ['https://rdap.nic.zon/domain/%ff', 400],
    ['https://rdap.nic.zon/domain/a%20b.zon', 400],
  ] as const) {
    const { status, type, body } = await rdap(served, url);
    assert.deepEqual([status, type, body['errorCode']], [expected, 'application/rdap+json', expected], url);
  }
  assert.equal((await rdap(served, 'https://rdap.nic.zon/help')).status, 200);
});

test('a client that sends too many requests gets 429 with Retry-After', async (t) => {
  const served = await serveSmallWorld(t);
  const socket = connect(served.port('httpPort'), served.addressOf('rdap.nic.zon'));
  // One request behind the other, without waiting for responses, which is as fast as it gets.
  socket.write('GET /domain/brand.zon HTTP/1.1\r\nhost: rdap.nic.zon\r\n\r\n'.repeat(1000));
  let text = '';
  for await (const piece of socket as AsyncIterable<Buffer>) {
    text += piece.toString('latin1');
    if (text.includes('HTTP/1.1 429') && text.endsWith('}')) break;
  }
  const refused = text.slice(text.indexOf('HTTP/1.1 429')).slice(0, 300);
  assert.match(refused, /^HTTP\/1\.1 429 [^{]*^retry-after: \d+\r$/m);
});
