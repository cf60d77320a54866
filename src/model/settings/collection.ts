/** Settings of everything that looks outside: sources of names, collectors, pictures. */
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
    'which sides of a domain are looked at; none: nothing is collected',
  ),
  newDomains: flag(true, 'every discovered domain is looked at, not only those on a watchlist'),
  refreshDays: whole(30, 'a domain that nobody watches is looked at again after this many days'),
  domainsAtOnce: whole(32, 'domains that are looked at at once'),
  domainsPerSecond: whole(20, 'domains whose look begins within a second'),
  lookSeconds: whole(30, 'a collector that takes longer than this with a domain has failed'),
  attemptsMax: whole(5, 'a domain whose look failed this often waits until it is old'),
  serverRequestsMax: whole(2, 'requests to one server of others at once'),
  serverPauseMilliseconds: whole(100, 'from one request to a server of others to the next', 0),
  bodyBytesMax: whole(5_000_000, 'of a page, an RDAP answer or a WHOIS record no more is read', 1024),
  userAgent: text('Mozilla/5.0 (compatible; Nameglass)', 'what web and RDAP servers are told about us'),
  resolvers: list(
    Type.String(),
    [],
    'DNS servers that are asked, as 192.0.2.53 or 127.0.0.1:5300; none: those of the system',
  ),
  allow: list(
    addressRange,
    [],
    'addresses that collectors connect to although they are private, loopback or otherwise not of the Internet',
  ),
  caFile: text('', 'file of certificates to trust with RDAP servers and sources, in place of the usual ones'),
  httpPort: whole(80, 'where web servers listen, for an Internet of your own', 1, 65_535),
  httpsPort: whole(443, 'where they listen for TLS', 1, 65_535),
  whoisPort: whole(43, 'where WHOIS servers listen', 1, 65_535),
  whoisServer: text('whois.iana.org', 'WHOIS server that knows those of all top-level domains'),
  rdapBootstrapUrl: Type.String({
    default: 'https://data.iana.org/rdap/dns.json',
    pattern: webUrlOrEmpty,
    description: 'where the RDAP servers of all top-level domains are listed (RFC 9224); empty: no RDAP',
  }),
  addressFiles: list(
    Type.String(),
    [],
    'files of lines "first,last,asn,organization,country" that say more of addresses than the data we bring along',
  ),
  popularityFile: text('', 'file of lines "rank,domain", plain or gzip; empty: ranks are not known'),
});

const sourceName = Type.String({ pattern: '^[a-z0-9][a-z0-9._-]{0,62}$', description: 'of your choice' });
const place = Type.String({ minLength: 1, description: 'path or http(s) URL, plain or gzip' });

export const Sources = Type.Object({
  certificateLogs: list(
    Type.Object(
      {
        name: sourceName,
        url: Type.String({ pattern: '^https?://\\S+$' }),
        kind: Type.Union([Type.Literal('static'), Type.Literal('rfc6962')]),
        publicKey: Type.Optional(Type.String({ description: 'base64 of the key that signs its heads' })),
        from: Type.Optional(Type.Union([Type.Literal('start'), Type.Literal('now')])),
      },
      { additionalProperties: false },
    ),
    [],
    'logs of certificates: name, url, kind (static or rfc6962), publicKey, from (start or now)',
  ),
  certstreams: list(
    Type.Object(
      { name: sourceName, url: Type.String({ pattern: '^wss?://\\S+$' }) },
      { additionalProperties: false },
    ),
    [],
    'websockets that tell of certificates as certstream does: name, url',
  ),
  zoneFiles: list(
    Type.Object(
      {
        name: sourceName,
        zone: Type.String({ minLength: 1 }),
        location: place,
        everyMinutes: Type.Optional(Type.Integer({ minimum: 1 })),
      },
      { additionalProperties: false },
    ),
    [],
    'zone files, compared with the last one: name, zone, location, everyMinutes (720)',
  ),
  nameLists: list(
    Type.Object(
      { name: sourceName, location: place, everyMinutes: Type.Optional(Type.Integer({ minimum: 1 })) },
      { additionalProperties: false },
    ),
    [],
    'lists of names, one in a line: name, location (a directory takes each file that comes into it), everyMinutes (60)',
  ),
  passiveDns: flag(true, 'domains that passive DNS sees for the first time are discovered'),
  pollSeconds: whole(10, 'how often logs and directories are looked at'),
});

export const Screenshots = Type.Object({
  enabled: flag(true, 'pictures of watched and newly found domains are taken, where there is a browser'),
  browser: text('', 'path of Chromium; empty: looked for in the usual places'),
  user: text('nobody', 'user that the browser runs as where we are root'),
  atOnce: whole(1, 'browsers that run at once'),
  timeoutSeconds: whole(30, 'a page that takes longer gives no picture'),
  width: whole(1280, 'of the window, in pixels', 320, 4096),
  height: whole(960, 'of the window, in pixels', 240, 4096),
  pageHeightMax: whole(4096, 'of a long page no more is taken, in pixels', 240, 16_384),
  retentionDays: whole(365, 'days for which pictures are kept that a newer one has replaced'),
  url: Type.String({
    default: '',
    pattern: webAddressOrEmpty,
    description: 'scheme and host of links to pictures; empty: http.publicUrl',
  }),
});
