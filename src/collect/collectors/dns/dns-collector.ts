/**
 * Probes DNS: addresses, name servers and mail servers with their addresses, SPF record, and contact of the zone. Lists are sorted,
 * because servers return them in any order. Members whose query had no answer keep their value; where no query had one, the probe
 * failed.
 */
import { isIPv4 } from 'node:net';
import type { DomainRecord } from '../../../model/record/domain-record.ts';
import { normaliseText } from '../../../model/record/normalise-text.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import type { Collector, ProbeRequest, ProbeResult } from '../collector.ts';
import { type DnsAnswer, DnsClient, type RetryPolicy } from './dns-client.ts';
import { findSoaEmail } from './find-soa-email.ts';
import { findSpf } from './find-spf.ts';

type Address = NonNullable<DomainRecord['ip']>[number];
type Server = NonNullable<DomainRecord['mx']>[number];

const addressesMax = 64;
const serversMax = 32;
/** Servers of each kind whose addresses are queried: a hostile zone must not cause unlimited queries. */
const resolvedServersMax = 16;

export function createDnsCollector(
  { resolvers }: Pick<Settings['collect'], 'resolvers'>,
  retryPolicy?: RetryPolicy,
): Collector {
  return {
    name: 'dns',
    members: ['ip', 'name_server', 'mx', 'spf_info', 'soa_email'],
    probe: async ({ domain, known, signal, keepRaw }) => {
      const client = new DnsClient(resolvers, signal, retryPolicy);
      try {
        return await probeDns({ domain, known, keepRaw }, client, resolvers);
      } finally {
        client.end();
      }
    },
  };
}

async function probeDns(
  { domain, known, keepRaw }: Pick<ProbeRequest, 'domain' | 'known' | 'keepRaw'>,
  client: DnsClient,
  resolvers: readonly string[],
): Promise<ProbeResult> {
  const [a, aaaa, ns, mx, txt, soa] = await Promise.all([
    client.a(domain),
    client.aaaa(domain),
    client.ns(domain),
    client.mx(domain),
    client.txt(domain),
    client.soa(domain),
  ]);
  const answers = [a, aaaa, ns, mx, txt, soa];
  // The resolver library gives no messages, only what it read in them.
  keepRaw?.({
    kind: 'dns',
    asked: resolvers.length === 0 ? 'resolvers of the system' : resolvers.join(', '),
    address: undefined,
    request: `A, AAAA, NS, MX, TXT and SOA records of ${domain}`,
    mediaType: 'application/json',
    bytes: Buffer.from(
      `${JSON.stringify({ A: a, AAAA: aaaa, NS: ns, MX: mx, TXT: txt, SOA: soa }, null, 2)}\n`,
    ),
    isTruncated: false,
  });
  if (answers.every(({ answered }) => !answered)) return failureOf(answers);
  const [nameServers, mailServers] = await Promise.all([
    ns.answered ? withAddressesOf(serversOf(ns.records), known.name_server, client) : known.name_server,
    mx.answered ? withAddressesOf(mailServersOf(mx.records), known.mx, client) : known.mx,
  ]);
  const spf = txt.answered ? findSpf(txt.records) : known.spf_info;
  const part: Partial<DomainRecord> = {
    ip: addressesOf(a, aaaa, known.ip ?? []),
    ...(nameServers && { name_server: [...nameServers] }),
    ...(mailServers && { mx: [...mailServers] }),
    ...(spf !== undefined && { spf_info: spf }),
    soa_email: soa.answered
      ? soa.records.flatMap(({ hostmaster }) => findSoaEmail(hostmaster) ?? [])
      : (known.soa_email ?? []),
  };
  return { outcome: 'found', part };
}

function failureOf(answers: readonly DnsAnswer<unknown>[]): ProbeResult {
  const codes = new Set(answers.flatMap((answer) => (answer.answered ? [] : [answer.code])));
  // An invalid name stays invalid, so a retry cannot help.
  const isTransient = [...codes].some((code) => code !== 'EBADNAME');
  return { outcome: 'failed', reason: `no DNS server answered: ${[...codes].join(', ')}`, isTransient };
}

/** Facts about a known address (location, owner) are kept. */
function addressesOf(
  a: DnsAnswer<string>,
  aaaa: DnsAnswer<string>,
  known: readonly Address[],
): NonNullable<DomainRecord['ip']> {
  const before = new Map(known.map((each) => [each.address, each]));
  const kept = (isFour: boolean) =>
    known.filter(({ address }) => isIPv4(address) === isFour).map(({ address }) => address);
  const four = a.answered ? inOrder(a.records) : kept(true);
  const six = aaaa.answered ? inOrder(aaaa.records) : kept(false);
  return [...four, ...six].slice(0, addressesMax).map((address) => before.get(address) ?? { address });
}

function inOrder(addresses: readonly string[]): readonly string[] {
  const formed = addresses.flatMap((address) => {
    const form = normaliseText('address', address);
    return 'text' in form ? [form.text] : [];
  });
  return [...new Set(formed)].sort();
}

/** Undefined for an invalid host name, and for the empty one of a null MX. */
function findHost(name: string): string | undefined {
  const form = normaliseText('host', name);
  return 'text' in form && form.text !== '' ? form.text : undefined;
}

function serversOf(names: readonly string[]): readonly Server[] {
  const hosts = new Set(names.flatMap((name) => findHost(name) ?? []));
  return [...hosts]
    .sort()
    .slice(0, serversMax)
    .map((host) => ({ host }));
}

function mailServersOf(
  records: readonly { readonly exchange: string; readonly priority: number }[],
): readonly Server[] {
  const servers = new Map<string, Server>();
  const byPriority = [...records].sort((one, other) => one.priority - other.priority);
  for (const { exchange, priority } of byPriority) {
    const host = findHost(exchange);
    if (host !== undefined && !servers.has(host)) servers.set(host, { host, priority });
  }
  const order = (one: Server, other: Server) =>
    (one.priority ?? 0) - (other.priority ?? 0) || (one.host < other.host ? -1 : 1);
  return [...servers.values()].sort(order).slice(0, serversMax);
}

async function withAddressesOf(
  servers: readonly Server[],
  known: readonly Server[] | undefined,
  client: DnsClient,
): Promise<readonly Server[]> {
  const withAddresses = async (server: Server): Promise<Server> => {
    const [a, aaaa] = await Promise.all([client.a(server.host), client.aaaa(server.host)]);
    const before = known?.find(({ host }) => host === server.host)?.ip ?? [];
    const ip = addressesOf(
      a,
      aaaa,
      before.map((address) => ({ address })),
    ).map(({ address }) => address);
    return ip.length === 0 ? server : { ...server, ip };
  };
  const queried = await Promise.all(servers.slice(0, resolvedServersMax).map(withAddresses));
  return [...queried, ...servers.slice(resolvedServersMax)];
}
