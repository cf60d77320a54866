/**
 * Every setting: its type, its default, and one line of what it is for. Units are part of the names. `config.ts` reads
 * them from file, environment and flags; nothing else in the program knows where a value came from.
 */
import { type Static, type TSchema, Type } from 'typebox';
import { Collect, Screenshots, Sources } from './settings/collection.ts';
import {
  addressRange,
  flag,
  hexTextOrEmpty,
  list,
  pathPrefixOrEmpty,
  text,
  webAddressOrEmpty,
  webUrlOrEmpty,
  whole,
} from './settings/kinds.ts';
import { Risk } from './settings/risk.ts';

const Http = Type.Object({
  host: text('127.0.0.1', 'address to listen on; anything but loopback faces the network'),
  port: whole(8080, 'port to listen on; 0 takes a free one', 0, 65_535),
  publicUrl: Type.String({
    default: '',
    pattern: webAddressOrEmpty,
    description: 'scheme and host as clients see them; empty: made from host and port',
  }),
  mountPrefix: Type.String({
    default: '',
    pattern: pathPrefixOrEmpty,
    description: 'path under which a reverse proxy serves us, as "/dt"; requests arrive with it',
  }),
  trustProxy: list(
    addressRange,
    [],
    'addresses or prefixes of reverse proxies whose X-Forwarded-For is believed',
  ),
  operatorAddresses: list(
    addressRange,
    ['127.0.0.0/8', '::1/128'],
    'client addresses that may read /metrics; others get 404',
  ),
  headerBytesMax: whole(65_536, 'largest request line and headers together', 1024),
  bodyBytesMax: whole(1_048_576, 'largest request body', 1024),
  headersTimeoutSeconds: whole(10, 'a client that takes longer to send its headers is cut off'),
  requestTimeoutSeconds: whole(30, 'a client that takes longer to send a whole request is cut off'),
  keepAliveTimeoutSeconds: whole(72, 'an idle connection is closed after this'),
  connectionsMax: whole(10_000, 'connections open at once'),
  connectionsPerAddressMax: whole(1000, 'connections open at once from one client address'),
  drainSeconds: whole(10, 'time for requests under way to end after a stop signal'),
});

const Limits = Type.Object({
  productRequestsPerMinute: whole(600, 'requests a minute of any product without a limit of its own'),
  detect: Type.Object({
    monitorsQueriesPerHour: whole(1, 'monitor lists an hour'),
    newDomainsQueriesPerHour: whole(1, 'lists of new domains an hour; paging is free'),
    watchedDomainsQueriesPerHour: whole(1, 'lists of watched domains an hour; paging is free'),
    previewDomainsMax: whole(10, 'domains in an answer with preview set'),
    previewRequestsPerMinute: whole(30, 'requests a minute with preview set'),
    escalationBlockedDomainsMax: whole(100, 'domains in one escalation of type blocked'),
    escalationExternalSafeDomainsMax: whole(10, 'domains in one escalation of type external_safe'),
    escalationsPerMinute: whole(30, 'escalation requests a minute'),
    offsetMax: whole(100_000, 'largest offset'),
    domainsLimitMax: whole(100, 'largest limit of a domain list'),
    domainsLimitWithDataMax: whole(50, 'largest limit of a domain list with include_domain_data'),
    monitorsLimitMax: whole(500, 'default and largest limit of the monitor list'),
    monitorsLimitWithCountsMax: whole(100, 'largest limit of the monitor list with include_counts'),
  }),
  investigate: Type.Object({
    domainsMax: whole(100, 'domains in one request'),
    matchesMax: whole(10_000, 'a search that matches more gives no results'),
    pageSizeMax: whole(500, 'default and largest page'),
    guidedPivotDomainsMax: whole(500, 'a value shared by more domains is not offered as a guided pivot'),
  }),
  feed: Type.Object({
    queriesPerMinute: whole(2, 'queries a minute of one feed'),
    queriesPerHour: whole(120, 'queries an hour of one feed'),
    recordsMax: whole(10_000_000, 'records in one answer of a feed; more are left for the next'),
  }),
  assistant: Type.Object({
    requestsPerSecond: whole(10, 'requests a second to the assistant-tool server'),
    burstRequests: whole(20, 'requests at once to the assistant-tool server'),
  }),
});

const Channel = Type.Object(
  {
    description: Type.String(),
    mimetype: Type.String(),
    retentionHours: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  { additionalProperties: false },
);
const ndjson = (description: string) => ({ description, mimetype: 'application/x-ndjson' });

const Batch = Type.Object({
  channelMax: whole(255, 'largest channel number', 1, 255),
  retentionHours: whole(18, 'hours for which a channel keeps its data'),
  retentionHoursMin: whole(
    12,
    'hours for which a channel keeps its data even where it exceeds channelBytesMax',
  ),
  channelBytesMax: whole(20_000_000_000, 'bytes of a channel beyond which its oldest data goes earlier'),
  downloadUrl: Type.String({
    default: '',
    pattern: webAddressOrEmpty,
    description: 'scheme and host of shared links, for a host of their own; empty: http.publicUrl',
  }),
  urlLifetimeHours: whole(
    24,
    'a shared link works for this long, but no longer than its channel keeps data',
    1,
    168,
  ),
  stalledSeconds: whole(60, 'a client that takes nothing of its download for this long is cut off'),
  channels: Type.Record(Type.String({ pattern: '^(?:[1-9]|[1-9]\\d|1\\d\\d|2[0-4]\\d|25[0-5])$' }), Channel, {
    default: {
      '204': ndjson('Processed DNS Data'),
      '211': ndjson('Newly Active Domains'),
      '212': ndjson('Newly Observed Domains'),
      '213': ndjson('Newly Observed Hostnames'),
      '214': ndjson('DNS Changes'),
      '220': ndjson('DNS Errors'),
      '221': ndjson('Deduplicated DNS Errors'),
    },
    additionalProperties: false,
    description:
      'the channels of the batch API by number: description, mimetype, and retentionHours of its own',
  }),
});

const Feeds = Type.Object({
  retentionDays: whole(5, 'days for which a feed keeps its records'),
  archiveDays: whole(90, 'days for which the archives of feeds are kept'),
  downloadUrl: Type.String({
    default: '',
    pattern: webAddressOrEmpty,
    description: 'scheme and host of links to archives; empty: http.publicUrl',
  }),
  urlLifetimeHours: whole(24, 'a link to an archive works for this long', 1, 168),
  stalledSeconds: whole(60, 'a client that takes nothing of a feed for this long is cut off'),
  tailsPerUserMax: whole(8, 'live tails of one user at once'),
  silenceDays: whole(10, 'a domain seen again after this many days without a sighting is newly active'),
});

const Pdns = Type.Object({
  resultsMax: whole(
    1_000_000,
    'largest number of results of a lookup, for keys without a number of their own',
  ),
  offsetMax: whole(3_000_000, 'largest offset, for keys without a number of their own', 0),
  connectionsPerKeyMax: whole(32, 'lookups of one key under way at once'),
  queryTimeoutSeconds: whole(60, 'a lookup that searches longer than this is ended'),
  keepAliveSeconds: whole(15, 'a pause as long as this within an answer is bridged by an empty object'),
  stalledSeconds: whole(60, 'a client that takes nothing of its answer for this long is cut off'),
  foldWildcards: flag(false, 'names that a wildcard made up come in as one, _WILDCARD_'),
});

const Dnstap = Type.Object({
  socket: text('', 'path of a unix socket on which resolvers bring dnstap; empty: none'),
  host: text('127.0.0.1', 'address for dnstap over TCP, with dnstap.port'),
  port: whole(0, 'port for dnstap over TCP; 0: none', 0, 65_535),
  kinds: list(
    Type.Union([
      Type.Literal('RESOLVER_RESPONSE'),
      Type.Literal('FORWARDER_RESPONSE'),
      Type.Literal('CLIENT_RESPONSE'),
      Type.Literal('AUTH_RESPONSE'),
    ]),
    ['RESOLVER_RESPONSE', 'FORWARDER_RESPONSE'],
    'messages that are read; those of clients only where you may',
  ),
  flushSeconds: whole(2, 'what was received is durable after this at the latest'),
  connectionsMax: whole(64, 'resolvers connected at once'),
});

const Investigate = Type.Object({
  testDomain: Type.String({
    default: 'domaintest.example',
    pattern: '^[a-z0-9.-]*$',
    description: 'a search for this domain alone counts nowhere; empty: none',
  }),
  testIp: Type.String({
    default: '192.0.2.1',
    pattern: '^[0-9.]*$',
    description: 'a search for this address alone counts nowhere; empty: none',
  }),
});

const Detect = Type.Object({
  eventDays: whole(30, 'days for which events of a watchlist are kept for those who are told of them'),
  webRiskUrl: Type.String({
    default: '',
    pattern: webUrlOrEmpty,
    description: 'where escalations of type external_safe are submitted; empty: they wait',
  }),
  webRiskToken: Type.String({
    default: '',
    secret: true,
    description: 'bearer token for detect.webRiskUrl; empty: none',
  }),
  submissionAttemptsMax: whole(12, 'a submission that failed this often is given up'),
  deliveryTimeoutSeconds: whole(10, 'a receiver of webhooks or submissions that takes longer has failed'),
  blocklistTtlSeconds: whole(300, 'how long resolvers may keep what a blocklist says'),
  blocklistUrl: Type.String({
    default: '',
    pattern: webAddressOrEmpty,
    description: 'scheme and host of links to blocklists; empty: http.publicUrl',
  }),
  eventStreamsPerUserMax: whole(8, 'open event streams of one user at once'),
});

const Mail = Type.Object({
  host: text('', 'mail server that takes digests; empty: none are sent'),
  port: whole(25, 'its port', 1, 65_535),
  security: Type.Union([Type.Literal('none'), Type.Literal('starttls'), Type.Literal('tls')], {
    default: 'starttls',
    description:
      'none: in the clear; starttls: refused where the server does not offer it; tls from the start',
  }),
  username: text('', 'user at the mail server; empty: none'),
  password: Type.String({ default: '', secret: true, description: 'password at the mail server' }),
  from: text('nameglass@localhost', 'address that digests come from'),
});

const Outgoing = Type.Object({
  allow: list(
    addressRange,
    [],
    'addresses that we connect to although they are private, loopback or otherwise not of the Internet',
  ),
});

export const settingsSchema = Type.Object({
  data: text('./data', 'directory of everything that is kept'),
  role: Type.Union([Type.Literal('all'), Type.Literal('api'), Type.Literal('worker')], {
    default: 'all',
    description: 'what this process does: answer requests (api), collect and compute (worker), or both',
  }),
  demo: flag(false, 'bring up the demonstration: a first account on an empty data directory'),
  secret: Type.String({
    default: '',
    pattern: hexTextOrEmpty,
    secret: true,
    description: '64 hex digits, the server secret; empty: kept in the file secret.key of the data directory',
  }),
  log: Type.Object({
    level: Type.Union(
      (['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const).map((level) =>
        Type.Literal(level),
      ),
      { default: 'info', description: 'least severe level that is logged' },
    ),
  }),
  http: Http,
  auth: Type.Object({
    signatureWindowSeconds: whole(900, 'how far the timestamp of a signature may be from our time'),
    signatureDigests: list(
      Type.Union([Type.Literal('sha1'), Type.Literal('md5')]),
      [],
      'older digests accepted in signatures besides sha256',
    ),
  }),
  support: Type.Object({
    url: Type.String({
      default: '',
      pattern: '^(https?://\\S+)?$',
      description: 'where error bodies send people; empty: the reference page of this server',
    }),
  }),
  compat: Type.Object({
    profile: Type.Union([Type.Literal('none'), Type.Literal('vendor')], {
      default: 'none',
      description: 'a second set of mounts in the words that public clients have compiled in',
    }),
    mountPrefix: Type.String({
      default: '/vendor',
      pattern: '^(/[A-Za-z0-9._~-]+)+$',
      description: 'path under which everything speaks those words, account included',
    }),
    hosts: list(Type.String(), [], 'host names under which everything speaks those words'),
  }),
  limits: Limits,
  investigate: Investigate,
  detect: Detect,
  mail: Mail,
  outgoing: Outgoing,
  sources: Sources,
  collect: Collect,
  screenshots: Screenshots,
  risk: Risk,
  batch: Batch,
  feeds: Feeds,
  pdns: Pdns,
  dnstap: Dnstap,
});

export type Settings = Static<typeof settingsSchema>;

export interface SettingLeaf {
  /** As in a file: `http.port`. */
  readonly key: string;
  readonly schema: TSchema & { default: unknown; description: string; secret?: boolean };
}

/** Every setting that has a value, in the order of the schema. */
export const settingLeaves: readonly SettingLeaf[] = leavesOf(settingsSchema, []);

function leavesOf(schema: TSchema, path: readonly string[]): SettingLeaf[] {
  if (!('default' in schema) && Type.IsObject(schema)) {
    return Object.entries(schema.properties).flatMap(([name, child]) => leavesOf(child, [...path, name]));
  }
  return [{ key: path.join('.'), schema: schema as SettingLeaf['schema'] }];
}
