/**
 * The schema of all settings: type, default and description of each. Units are part of the names. `config.ts` reads the values from
 * file, environment and flags; `docs/configuration.md` is generated from this schema.
 */
import { type Static, type TSchema, Type } from 'typebox';
import { Caches } from './caches.ts';
import { Collect, Screenshots, Sources } from './collection.ts';
import { Http } from './http.ts';
import {
  addressRange,
  flag,
  hexTextOrEmpty,
  list,
  text,
  webAddressOrEmpty,
  webUrlOrEmpty,
  whole,
} from './kinds.ts';
import { Limits } from './limits.ts';
import { Risk } from './risk.ts';
import { Rpz } from './rpz.ts';
import { Sharing } from './sharing.ts';
import { Store } from './store.ts';
import { Web } from './web.ts';

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
  channelMax: whole(255, 'maximum channel number', 1, 255),
  retentionHours: whole(18, 'hours for which a channel keeps its data'),
  retentionHoursMin: whole(
    12,
    'hours for which a channel keeps its data even if it exceeds batch.channelBytesMax',
  ),
  channelBytesMax: whole(
    20_000_000_000,
    'size of a channel, in bytes, beyond which its oldest data is deleted early',
  ),
  downloadUrl: Type.String({
    default: '',
    pattern: webAddressOrEmpty,
    description: 'scheme and host of shared download links; empty uses http.publicUrl',
  }),
  urlLifetimeHours: whole(
    24,
    'hours for which a shared download link works; never longer than its channel keeps data',
    1,
    168,
  ),
  stalledSeconds: whole(60, 'seconds without progress after which a stalled channel download is closed'),
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
    description: 'channels of the batch API by number: description, mimetype, and optionally retentionHours',
  }),
});

const Feeds = Type.Object({
  retentionDays: whole(5, 'days for which a feed keeps its records'),
  archiveDays: whole(90, 'days for which feed archives are kept'),
  downloadUrl: Type.String({
    default: '',
    pattern: webAddressOrEmpty,
    description: 'scheme and host of links to feed archives; empty uses http.publicUrl',
  }),
  urlLifetimeHours: whole(24, 'hours for which a link to a feed archive works', 1, 168),
  stalledSeconds: whole(60, 'seconds without progress after which a stalled feed response is closed'),
  tailsPerUserMax: whole(8, 'maximum number of concurrent live tails per user'),
  silenceDays: whole(
    10,
    'days without an observation after which a domain that is observed again is newly active',
  ),
});

const Pdns = Type.Object({
  resultsMax: whole(
    1_000_000,
    'maximum number of results of a passive DNS lookup, for keys without their own maximum',
  ),
  offsetMax: whole(
    3_000_000,
    'maximum offset of a passive DNS lookup, for keys without their own maximum',
    0,
  ),
  connectionsPerKeyMax: whole(32, 'maximum number of concurrent passive DNS lookups per key'),
  queryTimeoutSeconds: whole(60, 'timeout of a passive DNS lookup, in seconds'),
  keepAliveSeconds: whole(
    15,
    'seconds of silence within a passive DNS response after which an empty object is sent as a keep-alive',
  ),
  stalledSeconds: whole(60, 'seconds without progress after which a stalled passive DNS response is closed'),
  foldWildcards: flag(false, 'whether names synthesized from a wildcard are folded into one, _WILDCARD_'),
});

const Dnstap = Type.Object({
  socket: text('', 'path of the Unix socket that receives dnstap from resolvers; empty disables it'),
  host: text('127.0.0.1', 'address to listen on for dnstap over TCP; see dnstap.port'),
  port: whole(0, 'port to listen on for dnstap over TCP; 0 disables it', 0, 65_535),
  kinds: list(
    Type.Union([
      Type.Literal('RESOLVER_RESPONSE'),
      Type.Literal('FORWARDER_RESPONSE'),
      Type.Literal('CLIENT_RESPONSE'),
      Type.Literal('AUTH_RESPONSE'),
    ]),
    ['RESOLVER_RESPONSE', 'FORWARDER_RESPONSE'],
    'dnstap message types to ingest; ingest client messages only where the law permits it',
  ),
  flushSeconds: whole(2, 'maximum number of seconds until received dnstap data is durable'),
  connectionsMax: whole(64, 'maximum number of connected resolvers'),
});

const Sightings = Type.Object({
  pastFromPassiveDns: flag(
    true,
    'whether past sightings of a new lookalike are read from passive DNS; disable it after imports of data of others',
  ),
  distinctClients: flag(
    false,
    'whether distinct clients that resolve a lookalike are estimated for each day, from dnstap messages of type CLIENT_RESPONSE; read what it costs in docs/sightings.md first',
  ),
  ownClients: list(
    addressRange,
    [],
    'addresses whose queries do not count as clients, such as those of collectors; addresses of this machine never do',
  ),
});

const Campaigns = Type.Object({
  everySeconds: whole(30, 'seconds between two searches for campaigns among the domains on watchlists', 1),
  membersMin: whole(3, 'domains that must belong together to be found as a campaign', 2),
  sharedMax: whole(500, 'maximum number of domains that share a value which links them to a campaign', 2),
});

const Investigate = Type.Object({
  testDomain: Type.String({
    default: 'domaintest.example',
    pattern: '^[a-z0-9.-]*$',
    description: 'test domain: a search for it alone is not charged; empty disables it',
  }),
  testIp: Type.String({
    default: '192.0.2.1',
    pattern: '^[0-9.]*$',
    description: 'test address: a search for it alone is not charged; empty disables it',
  }),
});

const Detect = Type.Object({
  eventDays: whole(30, 'days for which watchlist events are kept for delivery'),
  webRiskUrl: Type.String({
    default: '',
    pattern: webUrlOrEmpty,
    description: 'URL to which escalations of type external_safe are submitted; empty leaves them pending',
  }),
  webRiskToken: Type.String({
    default: '',
    secret: true,
    description: 'bearer token for detect.webRiskUrl; empty sends none',
  }),
  submissionAttemptsMax: whole(12, 'attempts after which a failing submission of an escalation is abandoned'),
  deliveryTimeoutSeconds: whole(10, 'timeout of a webhook delivery or a submission, in seconds'),
  blocklistTtlSeconds: whole(300, 'time to live of blocklist (RPZ) records, in seconds'),
  blocklistUrl: Type.String({
    default: '',
    pattern: webAddressOrEmpty,
    description: 'scheme and host of links to blocklists; empty uses http.publicUrl',
  }),
  eventStreamsPerUserMax: whole(8, 'maximum number of open event streams per user'),
});

const Assistant = Type.Object({
  enabled: flag(true, 'whether assistants may connect, at /v1/mcp'),
  writeTools: flag(
    false,
    'whether keys with the permission for it get tools that change something: triage, block, create monitors',
  ),
  answerBytesMax: whole(
    16_384,
    'maximum size of an answer to an assistant, in bytes; rows that do not fit follow on the next page',
    4096,
    262_144,
  ),
  callSecondsMax: whole(30, 'seconds that one call of a tool may take'),
  callsPerKeyMax: whole(4, 'calls of one key that run at once; more of them wait'),
});

const Mail = Type.Object({
  host: text('', 'SMTP server for e-mail digests; empty disables e-mail'),
  port: whole(25, 'port of the SMTP server', 1, 65_535),
  security: Type.Union([Type.Literal('none'), Type.Literal('starttls'), Type.Literal('tls')], {
    default: 'starttls',
    description:
      'encryption of the SMTP connection: none, starttls (required, not opportunistic) or tls (implicit)',
  }),
  username: text('', 'username for the SMTP server; empty disables authentication'),
  password: Type.String({ default: '', secret: true, description: 'password for the SMTP server' }),
  from: text('nameglass@localhost', 'sender address of e-mail digests'),
});

const Outgoing = Type.Object({
  allow: list(
    addressRange,
    [],
    'addresses or prefixes that webhooks and other outgoing requests may connect to although they are private, loopback or otherwise not public',
  ),
});

export const settingsSchema = Type.Object({
  data: text('./data', 'directory of all stored data'),
  role: Type.Union([Type.Literal('all'), Type.Literal('api'), Type.Literal('worker')], {
    default: 'all',
    description: 'tasks of this process: api (serve requests), worker (collect and compute), or all',
  }),
  demo: flag(
    false,
    'whether to run the demonstration: a simulated Internet, and a first account in an empty data directory',
  ),
  secret: Type.String({
    default: '',
    pattern: hexTextOrEmpty,
    secret: true,
    description: 'server secret, 64 hexadecimal digits; empty uses the file secret.key in the data directory',
  }),
  supervisor: Type.Object({
    hangSeconds: whole(
      30,
      'with role all: seconds without an answer after which the API process or the worker process counts as hung, is ended and is started again',
      2,
      3600,
    ),
    workerNiceness: whole(
      5,
      'with role all: how much the worker process and its browser give way to other processes, above all the one that answers, while the processors are busy: 0 not at all, 19 as much as possible',
      0,
      19,
    ),
  }),
  storage: Type.Object({
    reserveBytes: whole(
      1_073_741_824,
      'free space of the data directory, in bytes, below which nothing more is ingested or collected; the rest is for what is small, such as counters, sessions and decisions. 0 never stops',
      0,
    ),
    reservePercent: whole(
      5,
      'the reserve is at most this share of the file system, in percent, so that a small disk is not all reserve',
      0,
      50,
    ),
    startCheckBytes: whole(
      8_589_934_592,
      'databases of up to this size, in bytes, are compared with their checksums before the server starts; larger ones right after it',
      0,
    ),
    scrubHours: whole(
      24,
      'hours between two comparisons of all databases with their checksums while the server runs; 0 makes none',
      0,
      500,
    ),
  }),
  store: Store,
  caches: Caches,
  backup: Type.Object({
    maxAgeDays: whole(
      7,
      'days after which doctor and the Health page warn that the last backup is too old, or that there is none; 0 never warns',
      0,
      3650,
    ),
  }),
  log: Type.Object({
    level: Type.Union(
      (['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const).map((level) =>
        Type.Literal(level),
      ),
      { default: 'info', description: 'minimum severity of log messages' },
    ),
  }),
  http: Http,
  web: Web,
  auth: Type.Object({
    signatureWindowSeconds: whole(
      900,
      'maximum difference between the timestamp of a signed request and the server time, in seconds',
    ),
    signatureDigests: list(
      Type.Union([Type.Literal('sha1'), Type.Literal('md5')]),
      [],
      'weaker digests that are accepted in signatures, in addition to sha256',
    ),
  }),
  support: Type.Object({
    url: Type.String({
      default: '',
      pattern: '^(https?://\\S+)?$',
      description: 'support URL in error responses; empty uses the API reference of this server',
    }),
  }),
  compat: Type.Object({
    profile: Type.Union([Type.Literal('none'), Type.Literal('vendor')], {
      default: 'none',
      description:
        'compatibility profile: vendor adds endpoints with the vocabulary that existing public clients expect',
    }),
    mountPrefix: Type.String({
      default: '/vendor',
      pattern: '^(/[A-Za-z0-9._~-]+)+$',
      description: 'path prefix of the endpoints of the compatibility profile',
    }),
    hosts: list(Type.String(), [], 'host names whose endpoints use the compatibility profile'),
    identicalReadsMax: whole(
      10,
      'how often an identical signed read is accepted under the compatibility profile; elsewhere once',
    ),
  }),
  limits: Limits,
  investigate: Investigate,
  detect: Detect,
  rpz: Rpz,
  sharing: Sharing,
  assistant: Assistant,
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
  sightings: Sightings,
  campaigns: Campaigns,
});

export type Settings = Static<typeof settingsSchema>;

export interface SettingLeaf {
  /** As in a file: `http.port`. */
  readonly key: string;
  readonly schema: TSchema & { default: unknown; description: string; secret?: boolean };
}

/** All settings, in the order of the schema. */
export const settingLeaves: readonly SettingLeaf[] = leavesOf(settingsSchema, []);

function leavesOf(schema: TSchema, path: readonly string[]): SettingLeaf[] {
  if (!('default' in schema) && Type.IsObject(schema)) {
    return Object.entries(schema.properties).flatMap(([name, child]) => leavesOf(child, [...path, name]));
  }
  return [{ key: path.join('.'), schema: schema as SettingLeaf['schema'] }];
}
