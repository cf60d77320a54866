/**
 * What DNS says of a domain: its addresses, its name servers and mail servers with theirs, its SPF record, and who answers for the zone. Lists are in
 * an order of their own, because servers give them in any. Where some questions stay without an answer, what was
 * known stands; where all do, the look has failed.
 */
import { isIPv4 } from 'node:net';
import type { DomainRecord } from '../../../model/record/domain-record.ts';
import { inForm } from '../../../model/record/text-forms.ts';
import type { Settings } from '../../../model/settings.ts';
import type { Collector, LookOutcome } from '../collector.ts';
import { type Answer, type Patience, Questions } from './questions.ts';
import { findSoaEmail } from './soa-email.ts';
import { findSpf } from './spf-text.ts';

type Address = NonNullable<DomainRecord['ip']>[number];
type Server = NonNullable<DomainRecord['mx']>[number];

const addressesMax = 64;
const serversMax = 32;
/** Of more servers of a kind than this the addresses are not asked for: a zone is not to make us ask without end. */
const addressedMax = 16;

export function createDnsCollector(
  { resolvers }: Pick<Settings['collect'], 'resolvers'>,
  patience?: Patience,
): Collector {
  return {
    name: 'dns',
    members: ['ip', 'name_server', 'mx', 'spf_info', 'soa_email'],
    look: async ({ domain, known, signal }) => {
      const questions = new Questions(resolvers, signal, patience);
      try {
        return await lookAt(domain, known, questions);
      } finally {
        questions.end();
      }
    },
  };
}

async function lookAt(domain: string, known: DomainRecord, questions: Questions): Promise<LookOutcome> {
  const [a, aaaa, ns, mx, txt, soa] = await Promise.all([
    questions.a(domain),
    questions.aaaa(domain),
    questions.ns(domain),
    questions.mx(domain),
    questions.txt(domain),
    questions.soa(domain),
  ]);
  const answers = [a, aaaa, ns, mx, txt, soa];
  if (answers.every(({ answered }) => !answered)) return failureOf(answers);
  const [nameServers, mailServers] = await Promise.all([
    ns.answered ? addressed(serversOf(ns.records), known.name_server, questions) : known.name_server,
    mx.answered ? addressed(mailServersOf(mx.records), known.mx, questions) : known.mx,
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

function failureOf(answers: readonly Answer<unknown>[]): LookOutcome {
  const codes = new Set(answers.flatMap((answer) => (answer.answered ? [] : [answer.code])));
  // A name that cannot be asked for will not become one.
  const isPassing = [...codes].some((code) => code !== 'EBADNAME');
  return { outcome: 'failed', reason: `DNS servers did not answer: ${[...codes].join(', ')}`, isPassing };
}

/** What is known of an address already (where it is, whose it is) stays with it. */
function addressesOf(
  a: Answer<string>,
  aaaa: Answer<string>,
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
    const form = inForm('address', address);
    return 'text' in form ? [form.text] : [];
  });
  return [...new Set(formed)].sort();
}

/** Undefined for what is no host name: an empty one says that there is no such server. */
function findHost(name: string): string | undefined {
  const form = inForm('host', name);
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

async function addressed(
  servers: readonly Server[],
  known: readonly Server[] | undefined,
  questions: Questions,
): Promise<readonly Server[]> {
  const withAddresses = async (server: Server): Promise<Server> => {
    const [a, aaaa] = await Promise.all([questions.a(server.host), questions.aaaa(server.host)]);
    const before = known?.find(({ host }) => host === server.host)?.ip ?? [];
    const ip = addressesOf(
      a,
      aaaa,
      before.map((address) => ({ address })),
    ).map(({ address }) => address);
    return ip.length === 0 ? server : { ...server, ip };
  };
  const asked = await Promise.all(servers.slice(0, addressedMax).map(withAddresses));
  return [...asked, ...servers.slice(addressedMax)];
}
