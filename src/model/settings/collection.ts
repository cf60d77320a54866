/** Settings of data collection: sources of names, collectors, screenshots. */
import { Type } from 'typebox';
import { addressRange, flag, list, text, webAddressOrEmpty, webUrlOrEmpty, whole } from './kinds.ts';

export const Collect = Type.Object({
  collectors: list(
    Type.Union([
      Type.Literal('dns'),
      Type.Literal('rdap'),
      Type.Literal('whois'),
      Type.Literal('tls'),
      Type.Literal('web'),
      Type.Literal('ip'),
    ]),
    ['dns', 'rdap', 'whois', 'tls', 'web', 'ip'],
    'collectors that probe each domain; an empty list disables collection',
  ),
  newDomains: flag(
    true,
    'whether to collect every discovered or imported domain, not only domains on a watchlist',
  ),
  refreshDays: whole(30, 'days after which a domain that is on no watchlist is collected again'),
  domainsAtOnce: whole(32, 'maximum number of domains that are collected concurrently'),
  domainsPerSecond: whole(20, 'maximum number of domains whose collection starts per second'),
  lookSeconds: whole(30, 'timeout of one collector for one domain, in seconds'),
  attemptsMax: whole(
    5,
    'attempts after which a failing domain is not retried before its next regular collection',
  ),
  serverRequestsMax: whole(2, 'maximum number of concurrent requests to one third-party server'),
  serverPauseMilliseconds: whole(
    100,
    'minimum pause between two requests to one third-party server, in milliseconds',
    0,
  ),
  bodyBytesMax: whole(
    5_000_000,
    'maximum size of a web page, RDAP response or WHOIS record, in bytes; the rest is not read',
    1024,
  ),
  userAgent: text(
    'Mozilla/5.0 (compatible; Nameglass)',
    'User-Agent header of requests to web and RDAP servers',
  ),
  resolvers: list(
    Type.String(),
    [],
    'DNS resolvers for collectors, such as 192.0.2.53 or 127.0.0.1:5300; an empty list uses the resolvers of the system',
  ),
  allow: list(
    addressRange,
    [],
    'addresses or prefixes that collectors may connect to although they are private, loopback or otherwise not public',
  ),
  caFile: text(
    '',
    'file of CA certificates to trust for RDAP servers and sources, instead of the default ones; empty uses the default',
  ),
  httpPort: whole(80, 'port of web servers, to be changed only for a simulated Internet', 1, 65_535),
  httpsPort: whole(443, 'TLS port of web servers, to be changed only for a simulated Internet', 1, 65_535),
  whoisPort: whole(43, 'port of WHOIS servers, to be changed only for a simulated Internet', 1, 65_535),
  whoisServer: text('whois.iana.org', 'WHOIS server that refers to the servers of all top-level domains'),
  rdapBootstrapUrl: Type.String({
    default: 'https://data.iana.org/rdap/dns.json',
    pattern: webUrlOrEmpty,
    description: 'URL of the list of RDAP servers of all top-level domains (RFC 9224); empty disables RDAP',
  }),
  requestsMax: whole(1_000_000, 'requests kept in the log of what we asked, of all domains', 1000),
  raw: Type.Object({
    enabled: flag(true, 'whether to keep what servers answered, for evidence packs'),
    itemBytesMax: whole(131_072, 'bytes kept of one answer; the rest is cut off', 1024, 4_194_304),
    domainBytesMax: whole(2_097_152, 'bytes of answers kept for one domain; the oldest are removed', 4096),
    totalBytesMax: whole(1_073_741_824, 'bytes of answers kept in all; the oldest are removed', 4096),
  }),
  addressFiles: list(
    Type.String(),
    [],
    'files with lines "first,last,asn,organization,country" that override the built-in data about IP addresses',
  ),
  popularityFile: text(
    '',
    'file with lines "rank,domain", plain or gzip, for the popularity of domains; empty means that no ranks are known',
  ),
});

const sourceName = Type.String({
  pattern: '^[a-z0-9][a-z0-9._-]{0,62}$',
  description: 'name of the source, chosen by you',
});
const location = Type.String({ minLength: 1, description: 'path or http(s) URL, plain or gzip' });

export const Sources = Type.Object({
  certificateLogs: list(
    Type.Object(
      {
        name: sourceName,
        url: Type.String({ pattern: '^https?://\\S+$' }),
        kind: Type.Union([Type.Literal('static'), Type.Literal('rfc6962')]),
        publicKey: Type.Optional(
          Type.String({ description: 'public key that signs the tree heads, in base64' }),
        ),
        from: Type.Optional(Type.Union([Type.Literal('start'), Type.Literal('now')])),
      },
      { additionalProperties: false },
    ),
    [],
    'Certificate Transparency logs: name, url, kind (static or rfc6962), publicKey, from (start or now)',
  ),
  certstreams: list(
    Type.Object(
      { name: sourceName, url: Type.String({ pattern: '^wss?://\\S+$' }) },
      { additionalProperties: false },
    ),
    [],
    'websocket servers that publish certificates in the certstream format: name, url',
  ),
  zoneFiles: list(
    Type.Object(
      {
        name: sourceName,
        zone: Type.String({ minLength: 1 }),
        location,
        everyMinutes: Type.Optional(Type.Integer({ minimum: 1 })),
      },
      { additionalProperties: false },
    ),
    [],
    'zone files, each compared with its previous version: name, zone, location, everyMinutes (default 720)',
  ),
  nameLists: list(
    Type.Object(
      { name: sourceName, location, everyMinutes: Type.Optional(Type.Integer({ minimum: 1 })) },
      { additionalProperties: false },
    ),
    [],
    'lists of names, one per line: name, location (a file, a URL, or a directory whose new files are read), everyMinutes (default 60)',
  ),
  passiveDns: flag(true, 'whether domains that passive DNS observes for the first time are discovered'),
  pollSeconds: whole(10, 'seconds between polls of certificate logs and directories'),
  namesDays: whole(
    0,
    'days for which names are kept for the first search of a new monitor; 0 keeps them for good',
    0,
  ),
});

export const Screenshots = Type.Object({
  enabled: flag(
    true,
    'whether to take screenshots of watched and newly found domains, if a browser is installed',
  ),
  browser: text('', 'path of the Chromium executable; empty searches the usual locations'),
  user: text('nobody', 'operating system user that the browser runs as, if the server runs as root'),
  atOnce: whole(1, 'maximum number of browsers that run concurrently'),
  timeoutSeconds: whole(30, 'timeout of one screenshot, in seconds'),
  width: whole(1280, 'width of the browser window, in pixels', 320, 4096),
  height: whole(960, 'height of the browser window, in pixels', 240, 4096),
  pageHeightMax: whole(4096, 'maximum height of a screenshot of a long page, in pixels', 240, 16_384),
  retentionDays: whole(365, 'days for which superseded screenshots are kept'),
  url: Type.String({
    default: '',
    pattern: webAddressOrEmpty,
    description: 'scheme and host of links to screenshots; empty uses http.publicUrl',
  }),
});
