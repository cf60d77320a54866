/** A server with feeds to poll. Records are appended as publishers do it, with the current second of the clock. */
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { FeedRecord } from '../../../src/model/feed/feed.ts';
import { lineOf } from '../../../src/model/feed/record-line.ts';
import { secondText } from '../../../src/model/feed/second.ts';
import type { FeedName } from '../../../src/model/product-catalogue.ts';
import { feedStream } from '../../../src/model/stream-names.ts';
import { clientAddress } from '../../harness/server/client-address.ts';
import {
  type Answer,
  type TestServer,
  type TestServerOptions,
  testServer,
} from '../../harness/server/test-server.ts';
import { sharedInFile, type TestScope } from '../../harness/test-scope.ts';

export interface FeedServer extends TestServer {
  readonly key: string;
  readonly username: string;
  /** Appends records with the time of the clock. */
  append(feed: FeedName, records: readonly object[]): Promise<void>;
  /** The same for feeds whose records are only names. */
  appendNames(feed: 'nod' | 'nad' | 'noh' | 'domaindiscovery', ...names: string[]): Promise<void>;
  /** `poll('nod', 'after=-60')`. */
  poll(feed: string, query: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  remove(feed: string, query: string): Promise<Answer>;
}

export const withoutFeedLimits = {
  'limits.feed.queriesPerMinute': '1000000',
  'limits.feed.queriesPerHour': '1000000',
};

export async function feedServer(scope: TestScope, options: TestServerOptions = {}): Promise<FeedServer> {
  const server = await testServer(scope, {
    ...options,
    settings: { ...withoutFeedLimits, ...options.settings },
  });
  const { key, username } = await server.user();
  return withFeeds(server, key, username);
}

/** More than the days that feeds are kept. */
const daysApart = 10;

/** A server that the tests of a file share. Each begins with a new user, and so much later that the records of the others are over. */
export function sharedFeedServers(): (options?: Pick<TestServerOptions, 'settings'>) => Promise<FeedServer> {
  const share = sharedInFile((scope, settings: TestServerOptions['settings'] & object) =>
    feedServer(scope, { settings }),
  );
  return async ({ settings = {} } = {}) => {
    const server = await share(settings);
    server.clock.advanceSeconds(daysApart * 86_400);
    const { key, username } = await server.user();
    return withFeeds(server, key, username);
  };
}

/** Another user's view of a server, or another server's of the same data. */
export function withFeeds(server: TestServer, key: string, username: string): FeedServer {
  const append: FeedServer['append'] = async (feed, records) => {
    const nowMs = server.clock.now();
    const timestamp = secondText(Math.floor(nowMs / 1000));
    const lines = records.map((record) => lineOf(feed, { timestamp, ...record } as FeedRecord));
    await server.streams.append([{ stream: feedStream(feed), bytes: Buffer.from(lines.join('')) }], nowMs);
  };
  return {
    ...server,
    key,
    username,
    append,
    appendNames: (feed, ...names) =>
      append(
        feed,
        names.map((domain) => ({ domain })),
      ),
    poll: (feed, query, headers = {}) => server.call(`GET /v1/feed/${feed}/?${query}`, { key, headers }),
    remove: (feed, query) => server.call(`DELETE /v1/feed/${feed}/?${query}`, { key }),
  };
}

export function recordsOf({ text }: { readonly text: string }): Record<string, unknown>[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

export function namesOf(answer: { readonly text: string }): unknown[] {
  return recordsOf(answer).map(({ domain }) => domain);
}

/** A request on a real connection, for slow and aborted responses. */
export async function openSocket(
  { app, key }: Pick<FeedServer, 'app' | 'key'>,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly sent: ClientRequest; readonly answer: IncomingMessage }> {
  const { host, port } = await clientAddress(app);
  const sent = request({
    host,
    port,
    path,
    headers: { 'x-api-key': key, ...headers },
    agent: false,
  });
  sent.on('error', () => undefined).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.on('error', () => undefined);
  return { sent, answer };
}

export const riskRecord = {
  domain: 'a.example',
  phishing_risk: 10,
  malware_risk: 20,
  spam_risk: 30,
  proximity_risk: 40,
  overall_risk: 50,
};

export const ipRecord = {
  ip: '192.0.2.1',
  pdns_resolutions: 100,
  bad_pdns_resolutions: 50,
  total_domains: 10,
  third_party_threats: 3,
  all_threats_combined_percent: 60,
  combined_phishing_percent: 10,
  combined_malware_percent: 20,
  combined_spam_percent: 30,
  asn: 64_500,
  organization: 'Example Hosting',
  city: 'Springfield',
  country: 'US',
  latitude: 39.8,
  longitude: -89.6,
  all_threats_combined_count: 6,
  malicious_phishing: 1,
  malicious_malware: 1,
  malicious_spam: 1,
  compromised_phishing: 1,
  compromised_malware: 1,
  compromised_spam: 1,
  predicted_phishing: 0,
  predicted_malware: 0,
  predicted_spam: 0,
  all_threats_percent: 55,
  percent_phishing: 11,
  percent_malware: 22,
  percent_spam: 33,
  zerolist_domains: 0,
  zerolist_ip: false,
};

export const rdapRecord = {
  domain: 'a.example',
  raw_record: {
    first_request_timestamp: '2026-03-04T10:00:00Z',
    requests: [
      {
        data: '{"objectClassName":"domain"}',
        source_type: 'registry',
        timestamp: '2026-03-04T10:00:00Z',
        url: 'https://rdap.example/domain/a.example',
      },
    ],
  },
  parsed_record: {
    parsed_fields: {
      conformance: ['rdap_level_0'],
      contacts: [],
      creation_date: '2026-03-01T00:00:00Z',
      domain: 'a.example',
      domain_statuses: ['active'],
      emails: [],
      email_domains: [],
      unclassified_emails: [],
      handle: 'D1',
      links: [{ href: 'https://rdap.example/domain/a.example', rel: 'self' }],
      nameservers: ['ns1.example'],
      registrar: { name: 'Registrar One' },
    },
    registrar_request_url: null,
    registry_request_url: 'https://rdap.example/domain/a.example',
  },
} as const;
