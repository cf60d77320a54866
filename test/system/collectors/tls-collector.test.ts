/** Real servers with certificates made by openssl, and servers that speak no TLS. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createServer as createSecureServer } from 'node:tls';
import { createTlsCollector } from '../../../src/collect/collectors/tls/tls-collector.ts';
import { normaliseRecord } from '../../../src/model/record/normalise.ts';
import { createDialer } from '../../../src/outgoing/guarded-dialer.ts';
import { loopbackDialer, noThrottle, probeRequest } from '../../collect/collectors/probing.ts';
import { needsPackage } from '../../harness/debian-package.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { TestClock } from '../../harness/test-clock.ts';
import { fingerprint, makeCertificate, shown, type Wanted } from './openssl-certificates.ts';

const clock = new TestClock();

async function listening(t: TestContext, server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket.on('error', () => undefined)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

function collector(port: number, lookSeconds = 30, dialer = loopbackDialer({})) {
  const settings = { collect: { httpsPort: port, lookSeconds } };
  return createTlsCollector({ dialer, throttle: noThrottle, settings, clock });
}

async function certificatesAt(port: number, domain = 'acme.example') {
  const outcome = await collector(port).probe(probeRequest(domain));
  assert.ok(outcome.outcome === 'found');
  const { part } = outcome;
  const kept = normaliseRecord({ domain, ...part });
  assert.ok('record' in kept, JSON.stringify(kept));
  return { seen: part.ssl_info ?? [], kept: kept.record.ssl_info ?? [] };
}

async function serverWith(t: TestContext, ...chain: readonly Wanted[]) {
  const directory = temporaryDirectory(t);
  for (const wanted of chain.toReversed()) makeCertificate(directory, wanted);
  const tls = shown(directory, ...chain.map(({ name }) => name));
  return { directory, port: await listening(t, createSecureServer(tls)) };
}

test('the chain is recorded as presented, the leaf first, with all members of the record', async (t) => {
  if (!needsPackage(t, 'openssl', 'openssl')) return;
  const authority = 'basicConstraints=critical,CA:TRUE';
  const { directory, port } = await serverWith(
    t,
    {
      name: 'leaf',
      issuer: 'middle',
      subject: '/C=NL/O=Acme Bank/CN=acme.example/emailAddress=Admin@Acme.example',
      extensions: 'subjectAltName=DNS:acme.example,DNS:*.Acme.example,IP:192.0.2.1,email:Sec@acme.example',
    },
    { name: 'middle', issuer: 'root', subject: '/O=Middle/CN=Middle CA', extensions: authority },
    { name: 'root', subject: '/C=XX/O=Root/CN=Root CA', extensions: authority, days: 3650 },
  );
  const { seen, kept } = await certificatesAt(port);
  assert.deepEqual(
    seen.map(({ hash }) => hash),
    ['leaf', 'middle', 'root'].map((name) => fingerprint(directory, name)),
  );
  const [leaf, middle, root] = kept;
  const { hash: _hash, not_before, not_after, ...rest } = leaf as NonNullable<typeof leaf>;
  assert.match(`${not_before} ${not_after}`, /^\d{4}-\d\d-\d\d \d{4}-\d\d-\d\d$/);
  assert.deepEqual(rest, {
    subject: 'C=NL, O=Acme Bank, CN=acme.example, emailAddress=Admin@Acme.example',
    organization: 'Acme Bank',
    email: ['admin@acme.example', 'sec@acme.example'],
    alt_names: ['acme.example', '*.acme.example', '192.0.2.1'],
    sources: { active: clock.now() },
    common_name: 'acme.example',
    issuer_common_name: 'Middle CA',
    duration: 90,
  });
  assert.deepEqual([middle?.common_name, middle?.issuer_common_name], ['Middle CA', 'Root CA']);
  assert.deepEqual([root?.duration, root?.alt_names], [3650, undefined]);
});

test('unrelated certificates are recorded in the presented order', async (t) => {
  if (!needsPackage(t, 'openssl', 'openssl')) return;
  const { directory, port } = await serverWith(
    t,
    { name: 'leaf', subject: '/CN=leaf.example' },
    { name: 'stranger', subject: '/CN=stranger.example' },
    { name: 'other', subject: '/O=No common name' },
  );
  const { seen } = await certificatesAt(port);
  assert.deepEqual(
    seen.map(({ hash }) => hash),
    ['leaf', 'stranger', 'other'].map((name) => fingerprint(directory, name)),
  );
  assert.deepEqual(
    [seen[2]?.common_name, seen[2]?.subject, seen[2]?.organization],
    [undefined, 'O=No common name', 'No common name'],
  );
});

test('odd certificates are recorded as data: script, commas, many names, names with separators, an expired one', async (t) => {
  if (!needsPackage(t, 'openssl', 'openssl')) return;
  const many = Array.from({ length: 600 }, (_, index) => `DNS:n${index}.acme.example`).join(',');
  const script = '<script>alert(1)<\\/script>';
  const { port } = await serverWith(
    t,
    { name: 'leaf', subject: `/O=a, CN=b/CN=${script}`, extensions: `subjectAltName=${many}` },
    {
      name: 'sly',
      subject: '/CN=sly',
      extensions: 'subjectAltName=@alt\n[alt]\nDNS.1=a.example, DNS:b.example',
    },
    { name: 'long', subject: `/O=${'Ö'.repeat(64)}/CN=${'x'.repeat(64)}` },
  );
  const { seen, kept } = await certificatesAt(port);
  assert.equal(seen[0]?.alt_names?.length, 500);
  assert.equal(seen[0]?.common_name, '<script>alert(1)</script>');
  assert.deepEqual(
    [seen[0]?.organization, seen[0]?.subject?.startsWith('O=a\\, CN=b, CN=')],
    ['a, CN=b', true],
  );
  assert.deepEqual(seen[1]?.alt_names, ['a.example, dns:b.example']);
  assert.equal(kept.length, 3);
});

test('an endless chain is cut to the size of a record', async (t) => {
  if (!needsPackage(t, 'openssl', 'openssl')) return;
  const names = Array.from({ length: 500 }, (_, i) => `DNS:${'n'.repeat(50)}${i}.example`).join(',');
  const directory = temporaryDirectory(t);
  makeCertificate(directory, {
    name: 'one',
    subject: '/CN=one.example',
    extensions: `subjectAltName=${names}`,
  });
  makeCertificate(directory, { name: 'two', subject: '/CN=two.example' });
  const tls = shown(directory, 'one', 'one', ...Array.from({ length: 20 }, () => 'two'));
  const port = await listening(t, createSecureServer(tls));
  const { seen } = await certificatesAt(port);
  assert.ok(seen.length === 8, String(seen.length));
  assert.ok(JSON.stringify(seen).length <= 65_536 + seen.length + 2);
});

test('a server without TLS is found to have no certificate', async (t) => {
  const greetings = [
    '',
    'SSH-2.0-OpenSSH\r\n',
    'HTTP/1.1 400 Bad Request\r\n\r\n',
    '\x15\x03\x01\x00\x02\x02\x28',
  ];
  for (const greeting of greetings) {
    const port = await listening(
      t,
      createServer((socket) => void socket.end(Buffer.from(greeting, 'latin1'))),
    );
    assert.deepEqual(await collector(port).probe(probeRequest('acme.example')), {
      outcome: 'found',
      part: {},
    });
  }
  assert.deepEqual(await collector(1).probe(probeRequest('acme.example')), { outcome: 'found', part: {} });
  const error = Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND', syscall: 'queryA' });
  const nowhere = loopbackDialer({}, () => Promise.reject(error));
  assert.deepEqual(await collector(1, 30, nowhere).probe(probeRequest('none.example')), {
    outcome: 'found',
    part: {},
  });
});

test('an unfinished handshake is a transient failure', async (t) => {
  const serverHelloBegun = Buffer.from('16030300ff020000fb', 'hex');
  for (const greeting of [Buffer.alloc(0), serverHelloBegun]) {
    const port = await listening(
      t,
      createServer((socket) => void socket.write(greeting)),
    );
    const outcome = await collector(port, 1).probe(probeRequest('slow.example'));
    assert.deepEqual([outcome.outcome, 'isTransient' in outcome && outcome.isTransient], ['failed', true]);
  }
  const busy = Object.assign(new Error('queryA ESERVFAIL'), { code: 'ESERVFAIL', syscall: 'queryA' });
  const outcome = await collector(
    1,
    1,
    loopbackDialer({}, () => Promise.reject(busy)),
  ).probe(probeRequest('x.example'));
  assert.deepEqual([outcome.outcome, 'isTransient' in outcome && outcome.isTransient], ['failed', true]);
});

test('a domain with a private address is not connected to, and the failure is permanent', async (t) => {
  let connections = 0;
  const port = await listening(
    t,
    createServer(() => void (connections += 1)),
  );
  const closed = createDialer({ settings: { outgoing: { allow: [] } }, resolve: async () => ['127.0.0.1'] });
  const outcome = await collector(port, 30, closed).probe(probeRequest('rebinding.example'));
  assert.deepEqual([outcome.outcome, 'isTransient' in outcome && outcome.isTransient], ['failed', false]);
  assert.match('reason' in outcome ? outcome.reason : '', /127\.0\.0\.1, which is not a public address/);
  assert.equal(connections, 0);
});

test('an aborted signal ends the probe', async (t) => {
  const server = createServer();
  const port = await listening(t, server);
  const ending = new AbortController();
  const probe = collector(port).probe(probeRequest('slow.example', ending.signal));
  await once(server, 'connection');
  ending.abort(new Error('the process stops'));
  await assert.rejects(probe, /the process stops/);
});
