/**
 * Which domains of some searches share what: the domains, the values that at least two of them have, and the edges between them, as a bipartite
 * graph that is small enough to be drawn.
 */
import { mapInSlices } from '../../concurrency/map-in-slices.ts';
import { valuesOf } from '../../model/record/attributes.ts';
import type { Attribute, Condition } from '../../model/record/condition.ts';
import type { DomainRecord } from '../../model/record/domain-record.ts';
import { registrationOf } from '../../model/record/registration.ts';
import { findSharedService, type SharedService } from '../../model/record/shared-service.ts';
import { trackerMembers } from '../../model/record/tracker-members.ts';
import type { Settings } from '../../model/settings/settings.ts';
import type { DomainId, DomainStore } from '../../store/domain-store.ts';

export interface GraphNeeds {
  readonly domains: Pick<DomainStore, 'search' | 'getRecords' | 'countsOf'>;
  readonly settings: Pick<Settings, 'limits'>;
}

export type GraphValueKind = 'ip' | 'name_server' | 'registrar' | 'email' | 'certificate' | 'analytics';

export interface GraphDomain {
  readonly domain: string;
  readonly riskScore: number | undefined;
  readonly registrar: string | undefined;
  readonly firstSeen: string | undefined;
  /** Of the searches that found it. */
  readonly searchIds: readonly string[];
}

export interface GraphValue {
  readonly kind: GraphValueKind;
  readonly value: string;
  readonly domainsInAll: number;
  /** `common`: more domains have it than are worth following. */
  readonly service: SharedService | 'common' | undefined;
}

export interface SharedGraph {
  /** Riskiest first. */
  readonly domains: readonly GraphDomain[];
  /** Those that most of the domains have first. */
  readonly values: readonly GraphValue[];
  /** Index of a domain, index of a value. */
  readonly edges: readonly (readonly [number, number])[];
  readonly domainsLeftOut: number;
  readonly valuesLeftOut: number;
  /** Searches that match more domains than a search returns. */
  readonly tooMany: readonly string[];
}

export interface GraphQuery {
  readonly searches: readonly { readonly id: string; readonly condition: Condition }[];
  /** A value that more domains have is common. */
  readonly threshold: number;
}

const nodesMax = 2000;
const domainsMax = 1500;
const edgesMax = 8000;
/** A certificate may have many addresses; these are enough to see what is shared. */
const valuesPerDomainMax = 40;

const kindOf = new Map<Attribute, GraphValueKind>([
  ['ip.address', 'ip'],
  ['name_server.host', 'name_server'],
  ['registrar', 'registrar'],
  ['ssl_info.hash', 'certificate'],
  ...['admin', 'billing', 'registrant', 'technical'].map((who) => [`${who}_contact.email`, 'email'] as const),
  ...['soa_email', 'ssl_email', 'additional_whois_email'].map((member) => [member, 'email'] as const),
  ...trackerMembers.map((member) => [member, 'analytics'] as const),
]);

export async function sharedGraph(
  { searches, threshold }: GraphQuery,
  needs: GraphNeeds,
): Promise<SharedGraph> {
  const { found, tooMany } = await findDomains(searches, needs);
  const shown = [...found].slice(0, domainsMax);
  const stored = await needs.domains.getRecords(
    shown.map(([id]) => id),
    [],
  );
  const read = await mapInSlices(stored, ({ json }) => readRecord(JSON.parse(json) as DomainRecord));
  const candidates = await shared(read.map(({ values }) => values));
  const chosen = choose(candidates, nodesMax - read.length);
  const counts = await needs.domains.countsOf(chosen.map(({ attribute, value }) => ({ attribute, value })));
  return {
    domains: read.map(({ domain }, index) => ({ ...domain, searchIds: shown[index]?.[1] ?? [] })),
    values: chosen.map(({ kind, value, network, domains }, index): GraphValue => {
      // An e-mail address may be in another member of each record.
      const domainsInAll = Math.max(counts[index] ?? 0, domains.length);
      const service =
        findSharedService(network ?? value) ?? (domainsInAll > threshold ? 'common' : undefined);
      return { kind, value, domainsInAll, service };
    }),
    edges: chosen.flatMap(({ domains }, value) => domains.map((domain) => [domain, value] as const)),
    domainsLeftOut: found.size - shown.length,
    valuesLeftOut: candidates.length - chosen.length,
    tooMany,
  };
}

interface Found {
  /** With the searches that found each. */
  readonly found: ReadonlyMap<DomainId, readonly string[]>;
  readonly tooMany: readonly string[];
}

async function findDomains(
  searches: GraphQuery['searches'],
  { domains, settings }: GraphNeeds,
): Promise<Found> {
  const found = new Map<DomainId, string[]>();
  const tooMany: string[] = [];
  const { matchesMax } = settings.limits.investigate;
  for (const { id, condition } of searches) {
    const matches = await domains.search(condition, { by: 'risk_score', descending: true }, matchesMax);
    if (matches.total === 'too-many') tooMany.push(id);
    else for (const domain of matches.ids) found.set(domain, [...(found.get(domain) ?? []), id]);
  }
  return { found, tooMany };
}

interface RecordValue {
  readonly attribute: Attribute;
  readonly kind: GraphValueKind;
  readonly value: string;
  /** The name of the network that an address is in. */
  readonly network: string | undefined;
}

interface ReadRecord {
  readonly domain: Omit<GraphDomain, 'searchIds'>;
  readonly values: readonly RecordValue[];
}

function readRecord(record: DomainRecord): ReadRecord {
  const networks = new Map((record.ip ?? []).map(({ address, isp }) => [address, isp]));
  const values = valuesOf(record).flatMap(({ attribute, value }): readonly RecordValue[] => {
    const kind = kindOf.get(attribute);
    if (kind === undefined) return [];
    return [{ attribute, kind, value, network: kind === 'ip' ? networks.get(value) : undefined }];
  });
  const domain = {
    domain: record.domain,
    riskScore: record.domain_risk?.risk_score,
    registrar: registrationOf(record).registrar,
    firstSeen: record.first_seen,
  };
  return { domain, values: values.slice(0, valuesPerDomainMax) };
}

interface SharedCandidate extends RecordValue {
  /** Indexes, ascending. */
  readonly domains: readonly number[];
}

/** Values of at least two of the domains, those of most domains first. An e-mail address is one value, wherever it occurs. */
async function shared(
  valuesOfDomains: readonly (readonly RecordValue[])[],
): Promise<readonly SharedCandidate[]> {
  const known = new Map<string, RecordValue & { readonly domains: number[] }>();
  let index = 0;
  await mapInSlices(valuesOfDomains, (values) => {
    for (const value of values) {
      const key = `${value.kind} ${value.value.toLowerCase()}`;
      const entry = known.get(key) ?? { ...value, domains: [] };
      known.set(key, entry);
      if (entry.domains.at(-1) !== index) entry.domains.push(index);
    }
    index += 1;
  });
  return [...known.values()]
    .filter(({ domains }) => domains.length > 1)
    .sort((one, other) => other.domains.length - one.domains.length || (one.value < other.value ? -1 : 1));
}

/** What would make too many edges is left out; smaller ones may still fit. */
function choose(candidates: readonly SharedCandidate[], valuesMax: number): readonly SharedCandidate[] {
  const chosen: SharedCandidate[] = [];
  let edges = 0;
  for (const candidate of candidates) {
    if (chosen.length >= valuesMax) break;
    if (edges + candidate.domains.length > edgesMax) continue;
    edges += candidate.domains.length;
    chosen.push(candidate);
  }
  return chosen;
}
