/** What is asked of domains is logged, and of passive ones nothing is asked. */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { DnsClient } from '../../../src/collect/collectors/dns/dns-client.ts';
import { createDialer } from '../../../src/outgoing/guarded-dialer.ts';
import { type MadeRequest, recordingRequests } from '../../../src/outgoing/request-recorder.ts';
import { collectorOf, collectWorld, foundBy } from '../../harness/fixtures/collection-fixture.ts';

const all = [
  foundBy('dns', { ip: [{ address: '192.0.2.1' }] }),
  foundBy('rdap', {}),
  foundBy('tls', {}),
  foundBy('web', { website_title: 'Sign in' }),
  foundBy('whois', {}),
  foundBy('ip', {}),
];

async function probedIn(t: TestContext, set: (world: ReturnType<typeof collectWorld>) => Promise<unknown>) {
  const world = collectWorld(t);
  await set(world);
  const { probes } = await world.round(['acme-login.example'], all);
  return [...probes.keys()].toSorted();
}

const monitorOf = (world: ReturnType<typeof collectWorld>, passiveOnly: boolean) =>
  world.monitors.createMonitor(
    'a1',
    {
      term: 'acme',
      matchSubstringVariations: false,
      nameserverExclusions: [],
      textExclusions: [],
      passiveOnly,
    },
    { username: 'ann', atMs: 1 },
  );

test('all collectors run for a domain that no passive-only monitor matches', async (t) => {
  assert.deepEqual(await probedIn(t, (world) => monitorOf(world, false)), [
    'dns',
    'ip',
    'rdap',
    'tls',
    'web',
    'whois',
  ]);
});

test('for a domain that an account has set as passive, registries alone are asked', async (t) => {
  const probed = await probedIn(t, (world) =>
    world.opsec.setPassive('a1', { domain: 'acme-login.example', by: 'ann', atMs: 1 }, 9),
  );
  assert.deepEqual(probed, ['ip', 'rdap', 'whois']);
});

test('a passive-only monitor counts before discovery has put the domain on its list', async (t) => {
  assert.deepEqual(await probedIn(t, (world) => monitorOf(world, true)), ['ip', 'rdap', 'whois']);
});

test('a monitor that becomes passive-only counts from the next collection on', async (t) => {
  const world = collectWorld(t);
  const { id } = await monitorOf(world, false);
  const first = await world.round(['acme-login.example'], all);
  assert.equal(first.probes.get('web')?.found, 1);
  await world.monitors.updateMonitor('a1', id, { passiveOnly: true }, 2);
  const second = await world.round(['acme-pay.example'], all);
  assert.equal(second.probes.get('web'), undefined);
});

async function listening(t: TestContext): Promise<Server> {
  const server = createServer((_request, response) => response.writeHead(404).end('no'));
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  t.after(() => server.close());
  return server;
}

test('every request of a collector is logged with both addresses and its outcome, a failed one too', async (t) => {
  const world = collectWorld(t);
  const { port } = (await listening(t)).address() as AddressInfo;
  const dialer = createDialer({
    settings: { outgoing: { allow: ['127.0.0.1/32'] } },
    resolve: async () => ['127.0.0.1'],
  });
  const bounds = { timeoutMs: 5000, responseBytesMax: 1000, ports: 'configured' } as const;
  const web = collectorOf('web', async () => {
    await dialer.send({ method: 'GET', url: `http://www.evil.example:${port}/`, ...bounds });
    await dialer.connect({ host: 'evil.example', port: 1, timeoutMs: 5000 }).catch(() => undefined);
    return { outcome: 'found', part: {} };
  });
  await world.round(['evil.example'], [web]);
  const requests = await world.opsec.listRequests('evil.example', 9);
  const common = { domain: 'evil.example', collector: 'web', address: '127.0.0.1' };
  assert.deepEqual(
    requests.map(({ atMs: _at, ...request }) => request),
    [
      {
        ...common,
        protocol: 'tcp',
        host: 'evil.example',
        port: 1,
        source: undefined,
        outcome: 'connect ECONNREFUSED 127.0.0.1:1',
      },
      { ...common, protocol: 'http', host: 'www.evil.example', port, source: '127.0.0.1', outcome: '404' },
    ],
  );
});

test('a redirect to a passive-only domain is refused before its host is resolved', async (t) => {
  const world = collectWorld(t);
  await world.opsec.setPassive('a1', { domain: 'quiet.example', by: 'ann', atMs: 1 }, 9);
  const resolved: string[] = [];
  const dialer = createDialer({
    settings: { outgoing: { allow: [] } },
    resolve: async (host) => {
      resolved.push(host);
      return ['127.0.0.1'];
    },
  });
  const faults: string[] = [];
  const web = collectorOf('web', async () => {
    for (const host of ['www.quiet.example', 'www.loud.example', 'evil.example'])
      await dialer.check(`http://${host}/`).catch((error: Error) => faults.push(error.message));
    return { outcome: 'found', part: {} };
  });
  await world.round(['evil.example'], [web]);
  assert.deepEqual(resolved, ['www.loud.example', 'evil.example']);
  assert.equal(faults[0], 'quiet.example is passive only');
});

test('a DNS query is logged with the name that was asked about and the resolver, also without an answer', async () => {
  const made: MadeRequest[] = [];
  const policy = { timeoutMs: 100, timeoutMsMax: 100, tries: 1 };
  const client = new DnsClient(['127.0.0.1:1'], new AbortController().signal, policy);
  const { answered } = await recordingRequests({ record: (request) => made.push(request) }, () =>
    client.a('evil.example'),
  );
  client.end();
  assert.equal(answered, false);
  const [first, ...others] = made;
  const { outcome, ...query } = first ?? assert.fail('no request');
  assert.deepEqual(
    [query, others],
    [{ protocol: 'dns', host: 'evil.example', address: '127.0.0.1', port: 1, source: undefined }, []],
  );
  assert.match(outcome, /^E/);
});
