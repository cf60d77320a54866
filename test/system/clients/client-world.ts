/** A server in the vendor's vocabulary with a little of everything, for requests that were recorded from clients. */
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { storeRecords } from '../../api/enrich/stored-records.ts';
import { withFeeds } from '../../api/feed/feed-fixture.ts';
import type { Seen } from '../../harness/fixtures/observe-rrsets.ts';
import { discover, watchTerm } from '../../harness/fixtures/watch-domains.ts';
import { everyPermission } from '../../harness/server/every-operation.ts';
import { RawConnection, type RawResponse } from '../../harness/server/raw-connection.ts';
import { type PlaceholderValues, RecordedRequests } from '../../harness/server/recorded-requests.ts';
import { signatureOf } from '../../harness/server/request-signature.ts';
import {
  type TestServer,
  type TestServerOptions,
  type TestUser,
  testServer,
  type UserOptions,
} from '../../harness/server/test-server.ts';
import type { TestScope } from '../../harness/test-scope.ts';

const nowSeconds = Date.parse('2026-03-04T10:11:12Z') / 1000;

const observations: readonly Seen[] = [
  {
    rrname: 'www.example.com',
    rdata: ['192.0.2.1', '192.0.2.2'],
    bailiwick: 'example.com',
    time_first: 1_600_000_000,
    time_last: 1_700_000_000,
    count: 41,
  },
  {
    rrname: 'example.com',
    rrtype: 'NS',
    rdata: ['ns1.example.net', 'ns2.example.net'],
    bailiwick: 'com',
    zone_time_first: 1_590_000_000,
    zone_time_last: 1_700_000_000,
    count: 12,
  },
  { rrname: 'example.com', rrtype: 'MX', rdata: '10 mail.example.net' },
  { rrname: 'example.com', rrtype: 'TXT', rdata: '"v=spf1 -all"' },
  { rrname: 'six.example', rrtype: 'AAAA', rdata: '2001:db8::25' },
  { rrname: 'xn--bcher-kva.example', rdata: '192.0.2.99' },
  { rrname: 'rare.example', rrtype: 'TALINK', rdata: 'a.example b.example' },
  { rrname: 'rare.example', rrtype: 'TYPE65400', rdata: '\\# 1 00' },
  { rrname: 'new.example', rdata: '192.0.2.77', time_first: nowSeconds - 1800, time_last: nowSeconds - 60 },
  ...Array.from({ length: 12 }, (_, number) => ({
    rrname: `h${number}.hosts.example`,
    rdata: `192.0.2.${64 + number}`,
    time_first: 1_600_000_000 + number * 1_000_000,
    time_last: 1_620_000_000,
  })),
  ...Array.from({ length: 120 }, (_, number) => ({ rrname: `n${number}.paged.example`, rdata: '192.0.2.7' })),
];

const records = ['one.example', 'two.example'].map((domain, number) => ({
  domain,
  active: true,
  first_seen: '2026-02-27T23:10:00Z',
  ip: [{ address: `192.0.2.${10 + number}`, asn: [64500], country_code: 'NL', isp: 'Example Hosting' }],
}));

export interface ClientWorld {
  readonly server: TestServer;
  readonly user: TestUser;
  /** Ids of the domains on the watchlist by name, all of them new. */
  readonly domainIds: ReadonlyMap<string, string>;
  readonly monitorId: string;
  readonly port: number;
  readonly open: () => Promise<RawConnection>;
}

export async function clientWorld(
  scope: TestScope,
  options: TestServerOptions = {},
  user: UserOptions = {},
): Promise<ClientWorld> {
  const connections: RawConnection[] = [];
  // Before the server, which waits for idle connections when it closes.
  scope.after(() => {
    for (const connection of connections) connection.close();
  });
  const server = await testServer(scope, {
    ...options,
    settings: { 'compat.profile': 'vendor', 'compat.hosts': '127.0.0.1', ...options.settings },
  });
  const owner = await server.user({ username: 'alice', permissions: everyPermission, ...user });
  await server.observe(observations);
  await storeRecords(server, records);
  await withFeeds(server, owner.key, owner.username).appendNames('nod', 'a.example', 'b.example');
  const accountId = owner.caller.account.id;
  const atMs = server.clock.now();
  const monitorId = await watchTerm(server.monitors, accountId, atMs);
  const domains = ['acme-1.example', 'acme-2.example', 'acme-3.example'];
  const domainIds = await discover(server.watchlist, { accountId, monitorId, domains, atMs });
  await server.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.app.server.address() as AddressInfo;
  const open = async () => {
    const connection = await RawConnection.open(port);
    connections.push(connection);
    return connection;
  };
  return { server, user: owner, domainIds, monitorId, port, open };
}

export interface Replay {
  /** Sends a request of the file, on a connection of its own unless one is given. */
  (name: string, values?: PlaceholderValues, connection?: RawConnection): Promise<RawResponse>;
  /** A request as the client would send it now. */
  bytesOf(name: string, values?: PlaceholderValues): Buffer;
}

/** The requests of a file in `recorded/`. */
export function replayer(world: ClientWorld, file: string): Replay {
  const requests = new RecordedRequests(join(import.meta.dirname, 'recorded', file));
  const bytesOf = (name: string, values: PlaceholderValues = {}) =>
    requests.bytesOf(name, { ...valuesFor(world, requests.pathOf(name)), ...values });
  const replay = async (name: string, values?: PlaceholderValues, connection?: RawConnection) =>
    (connection ?? (await world.open())).exchange(bytesOf(name, values));
  return Object.assign(replay, { bytesOf });
}

/** Signed as the vendor's Python client does it: in whole seconds, the path without host and query. */
function valuesFor(
  { server, user, port, monitorId, domainIds }: ClientWorld,
  path: string,
): PlaceholderValues {
  const { username, key } = user;
  const timestamp = `${new Date(server.clock.now()).toISOString().slice(0, 19)}Z`;
  return {
    host: `127.0.0.1:${port}`,
    username,
    key,
    basic: Buffer.from(`${username}:${key}`).toString('base64'),
    timestamp,
    'timestamp-escaped': encodeURIComponent(timestamp),
    signature: signatureOf(user, timestamp, path),
    monitor: monitorId,
    'first-domain': domainIds.get('acme-1.example') as string,
    'second-domain': domainIds.get('acme-2.example') as string,
    'third-domain': domainIds.get('acme-3.example') as string,
  };
}
