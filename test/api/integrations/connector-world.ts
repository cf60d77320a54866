/** A server set up as docs/integrations say, with what connectors of other products ask for, on a socket. */
import type { Seen } from '../../harness/fixtures/observe-rrsets.ts';
import { discover, watchTerm } from '../../harness/fixtures/watch-domains.ts';
import { clientAddress } from '../../harness/server/client-address.ts';
import { everyPermission, withoutLimits } from '../../harness/server/every-operation.ts';
import { RawConnection, type RawResponse } from '../../harness/server/raw-connection.ts';
import type { PlaceholderValues } from '../../harness/server/recorded-requests.ts';
import { signatureOf } from '../../harness/server/request-signature.ts';
import { type TestServer, type TestUser, testServer } from '../../harness/server/test-server.ts';
import type { TestScope } from '../../harness/test-scope.ts';
import { fullRecord, storeRecords } from '../enrich/stored-records.ts';
import { riskRecord, withFeeds } from '../feed/feed-fixture.ts';

export interface ConnectorWorld {
  readonly server: TestServer;
  /** What stands for `{{…}}` in a request to this path, now. */
  valuesFor(path: string): PlaceholderValues;
  exchange(request: Buffer): Promise<RawResponse>;
}

const watched = ['acme-1.example', 'acme-2.example', 'acme-3.example'];

const observations: readonly Seen[] = [
  {
    rrname: 'www.acme-login.example',
    rdata: ['192.0.2.10', '192.0.2.11'],
    bailiwick: 'acme-login.example',
    time_first: 1_600_000_000,
    time_last: 1_700_000_000,
    count: 41,
  },
  {
    rrname: 'acme-login.example',
    rrtype: 'NS',
    rdata: ['ns1.dns.example'],
    bailiwick: 'example',
    zone_time_first: 1_590_000_000,
    zone_time_last: 1_700_000_000,
    count: 12,
  },
  { rrname: 'acme-login.example', rrtype: 'MX', rdata: '10 mx.mail.example' },
  { rrname: 'shop.example', rrtype: 'CNAME', rdata: 'www.acme-login.example' },
];

export async function connectorWorld(scope: TestScope): Promise<ConnectorWorld> {
  const connections: RawConnection[] = [];
  // Before the server, which waits for idle connections when it closes.
  scope.after(() => {
    for (const connection of connections) connection.close();
  });
  const server = await testServer(scope, {
    settings: {
      'compat.profile': 'vendor',
      'compat.hosts': 'api.domaintools.com, api.dnsdb.info',
      ...withoutLimits,
    },
  });
  const user = await server.user({ username: 'alice', permissions: everyPermission });
  const ids = await fill(server, user);
  const { host, port } = await clientAddress(server.app);
  return {
    server,
    valuesFor: (path) => ({ ...ids, ...credentials(server, user, path) }),
    async exchange(request) {
      const connection = await RawConnection.open(port, host);
      connections.push(connection);
      return connection.exchange(request);
    },
  };
}

async function fill(server: TestServer, user: TestUser): Promise<PlaceholderValues> {
  const scored = { ...fullRecord, domain: 'acme-login.example' };
  const { domain_risk: _, ...unscored } = { ...fullRecord, domain: 'acme-fresh.example' };
  await storeRecords(server, [scored, unscored, ...watched.map((domain) => ({ ...fullRecord, domain }))]);
  await server.observe(observations);
  const feeds = withFeeds(server, user.key, user.username);
  for (const feed of ['nod', 'nad', 'noh', 'domaindiscovery'] as const)
    await feeds.appendNames(feed, 'a.example', 'b.example');
  for (const feed of ['domainrisk', 'domainhotlist'] as const) await feeds.append(feed, [riskRecord]);
  const accountId = user.caller.account.id;
  const atMs = server.clock.now();
  const monitor = await watchTerm(server.monitors, accountId, atMs);
  const found = await discover(server.watchlist, { accountId, monitorId: monitor, domains: watched, atMs });
  const [first = '', second = '', third = ''] = watched.map((domain) => found.get(domain) ?? '');
  return { monitor, 'first-domain': first, 'second-domain': second, 'third-domain': third };
}

/** Signed as the vendor's Python client does it: in whole seconds, the path without host and query. */
function credentials(server: TestServer, user: TestUser, path: string): PlaceholderValues {
  const { username, key } = user;
  const timestamp = `${new Date(server.clock.now()).toISOString().slice(0, 19)}Z`;
  return {
    username,
    key,
    basic: Buffer.from(`${username}:${key}`).toString('base64'),
    timestamp: encodeURIComponent(timestamp),
    signature: signatureOf(user, timestamp, path),
  };
}
