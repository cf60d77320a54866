/** A server with a little of everything, so that every operation of the API description has something to return. */
import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { feedNames } from '../../../src/model/feed/feed.ts';
import { ArchiveMaker } from '../../../src/product/download/make-archives.ts';
import type { Seen } from '../../harness/fixtures/observe-rrsets.ts';
import { clientAddress } from '../../harness/server/client-address.ts';
import { everyPermission } from '../../harness/server/every-operation.ts';
import type { TestServer, TestServerOptions, TestUser } from '../../harness/server/test-server.ts';
import type { TestScope } from '../../harness/test-scope.ts';
import { append as appendToChannel } from '../batch/batch-fixture.ts';
import { detectFixture } from '../detect/detect-fixture.ts';
import { fullRecord, storeRecords } from '../enrich/stored-records.ts';
import { ipRecord, rdapRecord, riskRecord, withFeeds } from '../feed/feed-fixture.ts';

const observations: readonly Seen[] = [
  {
    rrname: 'www.example.com',
    rdata: ['192.0.2.1', '192.0.2.2'],
    bailiwick: 'example.com',
    time_first: 1_700_000_000,
    time_last: 1_700_090_000,
    count: 41,
  },
  { rrname: 'example.com', rrtype: 'NS', rdata: ['ns1.example.net', 'ns2.example.net'], bailiwick: 'com' },
  { rrname: 'example.com', rrtype: 'MX', rdata: '10 mail.example.net', bailiwick: 'example.com' },
  ...Array.from({ length: 12 }, (_, number) => ({
    rrname: `h${number}.hosts.example`,
    rdata: `192.0.2.${64 + number}`,
  })),
];

const records = [
  { ...fullRecord, domain: 'example.com' },
  { ...fullRecord, domain: 'example.net', website_title: 'Welcome' },
  { domain: 'example.org', active: true, registrar: 'Example Registrar', ip: [{ address: '192.0.2.10' }] },
];

const channels = {
  '42': { description: 'Our own', mimetype: 'application/x-ndjson' },
  '212': { description: 'Newly Observed Domains', mimetype: 'application/x-ndjson' },
};

export interface DescribedServer {
  readonly server: TestServer;
  readonly user: TestUser;
  /** Where it listens. */
  readonly url: string;
  readonly monitorId: string;
  /** Ids of the watchlist by name: two new, one watched and blocked, one ignored. As many as a suggestion needs are ignored besides. */
  readonly domainIds: ReadonlyMap<string, string>;
}

/** In an hour with records, after two hours that are archived. */
export async function describedServer(
  scope: TestScope,
  options: TestServerOptions = {},
): Promise<DescribedServer> {
  const settings = { 'batch.channels': JSON.stringify(channels), ...options.settings };
  const detect = await detectFixture(scope, { ...options, settings });
  const { server } = detect;
  server.clock.set('2026-03-04T08:05:00Z');
  const user = await server.user({ username: 'alice', permissions: everyPermission, ownChannels: [42] });
  await server.observe(observations);
  await storeRecords(server, records);
  server.clock.set('2026-03-04T10:01:12Z');
  await storeRecords(server, [{ ...records[0], website_title: 'Sign in here' }]);
  await appendFeeds(server, user);
  const monitor = await detect.monitor('acme', {}, user);
  const domainIds = await fillWatchlist(detect, user);
  await saveScreenshot(server, 'example.com');
  await server.call('POST /v1/domain-tags/', {
    key: user.key,
    body: { domain: 'example.com', add: ['seen'] },
  });
  await server.call('POST /v1/intel-detect/own-domains/', { key: user.key, body: { add: ['acme.example'] } });
  await appendToChannel(server, 212, '2026-03-04T10:02:00Z', ['a.example', 'b.example']);
  server.clock.set('2026-03-04T10:11:12Z');
  const { url } = await clientAddress(server.app);
  return { server, user, url, monitorId: monitor.id, domainIds };
}

/** A record in each feed, in an hour that is archived and in the present one. */
async function appendFeeds(server: TestServer, user: TestUser): Promise<void> {
  const feeds = withFeeds(server, user.key, user.username);
  const recordOf = (feed: string) => {
    if (feed === 'iprisk' || feed === 'iphotlist') return ipRecord;
    if (feed === 'domainrdap') return rdapRecord;
    return /risk|hotlist/.test(feed)
      ? { ...riskRecord, expires: '2026-03-05T00:00:00Z' }
      : { domain: 'a.example' };
  };
  for (const time of ['2026-03-04T08:10:00Z', '2026-03-04T10:05:00Z']) {
    server.clock.set(time);
    for (const feed of feedNames) await feeds.append(feed, [recordOf(feed)]);
  }
  await new ArchiveMaker(server).run();
  for (const feed of feedNames) await feeds.poll(feed, 'sessionID=siem&after=-60');
}

async function fillWatchlist(
  detect: Awaited<ReturnType<typeof detectFixture>>,
  by: TestUser,
): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>();
  for (const name of ['acme-login.example', 'acme-shop.example', 'acme-mail.example', 'acme-fan.example'])
    ids.set(name, await detect.discover(name, { by }));
  await detect.patch([ids.get('acme-fan.example')], 'ignored', by);
  const parked = { by, facts: { nameServers: ['ns1.parking.example', 'ns2.parking.example'] } };
  const ignored: string[] = [];
  for (let number = 1; number <= 15; number += 1)
    ignored.push(await detect.discover(`acme-fanclub-${number}.example`, parked));
  await detect.patch(ignored, 'ignored', by);
  await detect.escalate([ids.get('acme-mail.example')], 'blocked', by);
  return ids;
}

async function saveScreenshot(server: TestServer, domain: string): Promise<void> {
  const [width, height] = [40, 30];
  const pixels = Buffer.alloc(width * height * 3, 200);
  const bytes = await sharp(pixels, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
  const pixelHash = createHash('sha256').update(pixels).digest('hex');
  const image = { bytes, mimetype: 'image/png', width, height, pixelHash };
  const atMs = server.clock.now();
  await server.images.saveCapture({ domain, atMs, url: `http://${domain}`, ipAddress: '192.0.2.7', image });
}
