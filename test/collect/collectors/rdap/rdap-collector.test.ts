import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { Ajv } from 'ajv';
import { createRdapCollector } from '../../../../src/collect/collectors/rdap/rdap-collector.ts';
import { feedRecords } from '../../../../src/model/feed/feed.ts';
import type { DomainRecord } from '../../../../src/model/record/domain-record.ts';
import { normaliseRecord } from '../../../../src/model/record/normalise.ts';
import { createDialer } from '../../../../src/outgoing/guarded-dialer.ts';
import { TestClock } from '../../../harness/test-clock.ts';
import { rdapFixtures } from '../../../model/registration/rdap-fixtures.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const json =
  (value: unknown, status = 200): Handler =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/rdap+json' }).end(JSON.stringify(value));
  };
const status =
  (code: number, headers: Record<string, string> = {}): Handler =>
  (_request, response) =>
    void response.writeHead(code, headers).end();
const services = {
  version: '1.0',
  services: [
    [
      ['example', 'test'],
      ['http://rdap.registry.example/base', 'ftp://x.example/'],
    ],
    [['co.example'], ['http://rdap.longer.example/']],
  ],
};
const plain = (value: unknown) =>
  JSON.parse(JSON.stringify(value).replaceAll('https://', 'http://')) as object;
const [registry, registrar] = [plain(rdapFixtures.registry), plain(rdapFixtures.registrar)];

/** All hosts are one server on one address, with handlers by `host/path`. */
async function openWorld(t: TestContext, handlers: Readonly<Record<string, Handler>>) {
  const asked: string[] = [];
  const all: Record<string, Handler> = { 'data.iana.example/dns.json': json(services), ...handlers };
  const server = createServer((request, response) => {
    const place = `${request.headers.host}${request.url}`;
    asked.push(place);
    (all[place] ?? status(404))(request, response);
  }).listen(0, '127.0.83.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const dialer = createDialer({
    settings: { outgoing: { allow: ['127.0.83.1/32'] } },
    resolve: async (host) => (host.endsWith('.within.example') ? ['10.0.0.1'] : ['127.0.83.1']),
    ports: { http: port, https: port },
  });
  const clock = new TestClock();
  const throttledHosts: string[] = [];
  const throttle = {
    run: <Result>(host: string, _signal: AbortSignal, work: () => Promise<Result>) => (
      throttledHosts.push(host), work()
    ),
  };
  const settings = {
    collect: {
      rdapBootstrapUrl: 'http://data.iana.example/dns.json',
      bodyBytesMax: 5_000_000,
      userAgent: 'Nameglass',
    },
  };
  const collector = createRdapCollector({ dialer, throttle, settings, clock });
  const probe = (
    domain = 'oak.example',
    known: Partial<DomainRecord> = {},
    signal = AbortSignal.timeout(20_000),
  ) => collector.probe({ domain, known: { domain, ...known }, nowMs: clock.now(), signal });
  return { asked, all, clock, throttledHosts, probe };
}

type World = Awaited<ReturnType<typeof openWorld>>;

async function foundBy(probe: ReturnType<World['probe']>) {
  const found = await probe;
  assert.ok(found.outcome === 'found', JSON.stringify(found));
  return found;
}

async function failedBy(probe: ReturnType<World['probe']>, reason: RegExp, isTransient: boolean) {
  const failed = await probe;
  assert.ok(failed.outcome === 'failed', JSON.stringify(failed));
  assert.match(failed.reason, reason);
  assert.equal(failed.isTransient, isTransient);
}

const atRegistry = 'rdap.registry.example/base/domain/oak.example';
const atRegistrar = 'rdap.registrar.example/domain/oak.example';

test('the registry is queried, then the registrar that it links to, both through the throttle', async (t) => {
  const world = await openWorld(t, { [atRegistry]: json(registry), [atRegistrar]: json(registrar) });
  const { part } = await foundBy(world.probe());
  const rdap = part.parsed_domain_rdap;
  assert.equal(rdap?.registrant_name, 'Ann Ash');
  assert.equal(rdap?.create_date, '2019-05-06');
  assert.equal(rdap?.registrar_iana_id, '9999');
  assert.equal(rdap?.fetched, '2026-03-04T10:11:12.000Z');
  assert.deepEqual(world.asked, ['data.iana.example/dns.json', atRegistry, atRegistrar]);
  assert.deepEqual(world.throttledHosts, ['rdap.registry.example', 'rdap.registrar.example']);
  assert.ok('record' in normaliseRecord({ domain: 'oak.example', ...part }));
});

test('the feed record conforms to domainrdap and has the answers verbatim', async (t) => {
  const world = await openWorld(t, { [atRegistry]: json(registry), [atRegistrar]: json(registrar) });
  const { lines } = await foundBy(world.probe());
  const record = { timestamp: '2026-03-04T10:11:12Z', domain: 'oak.example', ...lines?.[0]?.record } as never;
  const validate = new Ajv().compile(feedRecords.domainrdap);
  assert.ok(validate(record), JSON.stringify(validate.errors));
  const { raw_record: raw, parsed_record: parsed } = record as { raw_record: any; parsed_record: any };
  assert.equal(raw.requests[0].data, JSON.stringify(registry));
  assert.deepEqual(
    raw.requests.map((request: { source_type: string }) => request.source_type),
    ['registry', 'registrar'],
  );
  assert.equal(parsed.registrar_request_url, `http://${atRegistrar}`);
  assert.equal(parsed.registry_request_url, `http://${atRegistry}`);
  const { contacts, registrar: named, dnssec, nameservers, unclassified_emails } = parsed.parsed_fields;
  assert.deepEqual(contacts[0].roles, ['registrant', 'administrative']);
  assert.equal(contacts[0].region, 'CA');
  assert.deepEqual(
    [named.name, named.iana_id, named.contacts[0].email],
    ['Alder Names, Inc.', '9999', 'abuse@alder.example.com'],
  );
  assert.deepEqual([dnssec, nameservers, unclassified_emails], [{ signed: true }, ['ns1.oak.example'], []]);
});

test('the server with the longest matching suffix is queried, and a name without server has no record', async (t) => {
  const world = await openWorld(t, { 'rdap.longer.example/domain/oak.co.example': status(404) });
  assert.deepEqual(await world.probe('oak.co.example'), { outcome: 'found', part: {} });
  assert.equal(world.asked.at(-1), 'rdap.longer.example/domain/oak.co.example');
  assert.deepEqual(await world.probe('oak.nowhere'), { outcome: 'found', part: {} });
});

test('the bootstrap file is fetched once a day, and a stale copy serves while it cannot be fetched', async (t) => {
  const world = await openWorld(t, {});
  await Promise.all([world.probe('a.example'), world.probe('b.example')]);
  world.clock.advanceSeconds(86_401);
  world.all['data.iana.example/dns.json'] = status(500);
  await foundBy(world.probe('c.example'));
  await foundBy(world.probe('d.example'));
  assert.equal(world.asked.filter((place) => place.startsWith('data.iana')).length, 2);
  const never = await openWorld(t, { 'data.iana.example/dns.json': json({ services: 'none' }) });
  await failedBy(never.probe(), /RDAP bootstrap file/, true);
});

test('a rate limit is transient, and the reason has its retry time', async (t) => {
  const world = await openWorld(t, { [atRegistry]: status(429, { 'retry-after': '120' }) });
  await failedBy(world.probe(), /429, retry after 120 seconds/, true);
  world.all[atRegistry] = status(503);
  await failedBy(world.probe(), /503/, true);
  world.all[atRegistry] = status(403);
  await failedBy(world.probe(), /403/, false);
});

test('a link back to the registry, or not to RDAP, is not followed', async (t) => {
  const link = (href: string, type = 'application/rdap+json') => ({
    ...registry,
    links: [{ rel: 'related', href, type }],
  });
  const world = await openWorld(t, { [atRegistry]: json(link(`http://${atRegistry}/`)) });
  await foundBy(world.probe());
  world.all[atRegistry] = json(link(`http://${atRegistrar}`, 'text/html'));
  await foundBy(world.probe());
  assert.ok(!world.asked.includes(atRegistrar));
  world.all[atRegistry] = json(registry);
  world.all[atRegistrar] = json({
    ...registrar,
    links: [
      { rel: 'related', href: 'http://third.example/domain/oak.example', type: 'application/rdap+json' },
    ],
  });
  await foundBy(world.probe());
  assert.equal(world.asked.at(-1), atRegistrar);
});

test('a link or redirect to an address that is not public is not followed', async (t) => {
  const world = await openWorld(t, {});
  for (const href of [
    'http://127.0.0.1/domain/oak.example',
    'http://169.254.169.254/x',
    'http://a.within.example/x',
    'file:///etc/passwd',
    'http://rdap.registrar.example:22/x',
  ]) {
    world.all[atRegistry] = json({
      ...registry,
      links: [{ rel: 'related', href, type: 'application/rdap+json' }],
    });
    const { part, lines } = await foundBy(world.probe());
    assert.equal(part.parsed_domain_rdap?.registrar, 'Alder Names, Inc.');
    assert.equal(((lines?.[0]?.record['raw_record'] ?? {}) as { requests: unknown[] }).requests.length, 1);
  }
  world.all[atRegistry] = status(302, { location: 'http://a.within.example/domain/oak.example' });
  await failedBy(world.probe(), /is not a public address/, false);
});

test('a redirect to another public server is followed', async (t) => {
  const world = await openWorld(t, {
    [atRegistry]: status(302, { location: `http://${atRegistrar}` }),
    [atRegistrar]: json(registrar),
  });
  assert.equal((await foundBy(world.probe())).part.parsed_domain_rdap?.registrant_name, 'Ann Ash');
});

test('contacts stay while their registrar does not answer', async (t) => {
  const world = await openWorld(t, { [atRegistry]: json(registry), [atRegistrar]: status(503) });
  const before = {
    parsed_domain_rdap: { technical_contact: { name: 'Tom Tern' }, create_date: '1999-01-01' },
  };
  const { part } = await foundBy(world.probe('oak.example', before));
  assert.deepEqual(part.parsed_domain_rdap?.technical_contact, { name: 'Tom Tern' });
  assert.equal(part.parsed_domain_rdap?.create_date, '2019-05-06');
});

test('an answer that is compressed, too long, too deep, about another domain or no domain object is refused', async (t) => {
  const body =
    (text: string | Buffer, headers: Record<string, string> = {}): Handler =>
    (_request, response) =>
      void response.writeHead(200, headers).end(text);
  const world = await openWorld(t, {});
  const cases: readonly (readonly [Handler, RegExp])[] = [
    [body(gzipSync(Buffer.alloc(20_000_000)), { 'content-encoding': 'gzip' }), /compressed/],
    [body(`{"objectClassName":"domain","x":"${'y'.repeat(1_000_000)}"}`), /more than/],
    [body(`{"objectClassName":"domain","x":${'['.repeat(5000)}${']'.repeat(5000)}}`), /domain object/],
    [body('<html>RDAP</html>', { 'content-type': 'text/html' }), /domain object/],
    [body('{"objectClassName":"domain"', { 'content-type': 'application/rdap+json' }), /domain object/],
    [json({ ...registry, ldhName: 'elm.example' }), /another domain/],
    [json({ objectClassName: 'entity' }), /domain object/],
  ];
  for (const [handler, reason] of cases) {
    world.all[atRegistry] = handler;
    await failedBy(world.probe(), reason, false);
  }
});

test('an answer is parsed whatever its content type', async (t) => {
  const world = await openWorld(t, {
    [atRegistry]: (_request, response) =>
      void response.writeHead(200, { 'content-type': 'text/plain' }).end(JSON.stringify(registrar)),
  });
  assert.equal((await foundBy(world.probe())).part.parsed_domain_rdap?.registrant_name, 'Ann Ash');
});

test('an aborted probe throws the reason of the signal', async (t) => {
  const ended = new AbortController();
  const world = await openWorld(t, { [atRegistry]: () => ended.abort(new Error('the deadline has come')) });
  await assert.rejects(world.probe('oak.example', {}, ended.signal), /the deadline has come/);
});
