/**
 * Which domains of a list belong together with one of them: those that share its most specific value. A value is the more specific the more
 * domains of the list share it and the fewer of all known domains do; one that more domains share than are worth following, such as a name
 * server of a large provider, says nothing.
 */
import type { Account } from '../../../model/account/account.ts';
import type { WatchlistId } from '../../../model/detect/watchlist.ts';
import { isTelling } from '../../../model/picture/difference-hash.ts';
import type { DomainRecord } from '../../../model/record/domain-record.ts';
import { trackerMembers } from '../../../model/record/tracker-members.ts';
import type { DomainStore, SharedValue } from '../../../store/domain-store.ts';
import type { ImageStore } from '../../../store/image-store.ts';
import type { TriageDomain, TriageFilter, TriageStore } from '../../../store/triage-store.ts';
import { noSuchMonitor } from '../monitors.ts';

export interface ClusterNeeds {
  readonly triage: Pick<TriageStore, 'listTriageNames' | 'countTriageValues'>;
  readonly domains: Pick<DomainStore, 'findRecords' | 'countsOf' | 'countNames'>;
  readonly images: Pick<ImageStore, 'findScreenshots' | 'listAlike'>;
}

export interface Cluster {
  readonly shared: Pick<Candidate, 'by' | 'value'> | undefined;
  /** The domain itself first. */
  readonly ids: readonly WatchlistId[];
}

export interface Candidate {
  readonly by: 'name_server' | 'certificate' | 'picture' | 'ip' | 'analytics';
  readonly value: string;
  /** How many of all known domains share it. */
  readonly known: number;
  /** How many of the list do. */
  readonly listed: number;
  readonly narrowedBy: NonNullable<TriageFilter['narrowedBy']>;
}

export type RecordAttribute = Exclude<Candidate['by'], 'picture'>;

export interface ListQuery {
  readonly account: Account;
  readonly filter: TriageFilter;
  /** A value that more domains share says nothing. */
  readonly sharedMax: number;
}

/** As many as one decision by ids may name. */
const idsMax = 1000;
const valuesMax = 10;

export async function findCluster(
  domain: TriageDomain,
  query: ListQuery,
  needs: ClusterNeeds,
): Promise<Cluster> {
  const [best] = bestFirst(
    [...(await recordCandidates(domain, query, needs)), ...(await pictureCandidates(domain, query, needs))],
    await needs.domains.countNames(),
  );
  if (!best) return { shared: undefined, ids: [domain.id] };
  const ids = await idsOf({ ...query.filter, narrowedBy: best.narrowedBy }, query, needs);
  const others = ids.filter((id) => id !== domain.id);
  return { shared: { by: best.by, value: best.value }, ids: [domain.id, ...others].slice(0, idsMax) };
}

/** Those that several domains of the list share, the most specific first. */
export function bestFirst(candidates: readonly Candidate[], knownNames: number): readonly Candidate[] {
  const weightOf = ({ listed, known }: Candidate) =>
    listed * Math.log1p(Math.max(knownNames, 2) / Math.max(known, listed));
  return candidates.filter(({ listed }) => listed > 1).sort((one, other) => weightOf(other) - weightOf(one));
}

async function recordCandidates(
  { domain }: TriageDomain,
  { account, filter, sharedMax }: ListQuery,
  { domains, triage }: ClusterNeeds,
): Promise<readonly Candidate[]> {
  const [record] = await domains.findRecords([domain]);
  if (!record) return [];
  const values = valuesOf(record);
  const counts = await domains.countsOf(values);
  const specific = values
    .map((value, index) => ({ ...value, known: counts[index] ?? 0 }))
    .filter(({ known }) => known > 1 && known <= sharedMax);
  const candidates: Candidate[] = [];
  for (const [by, found] of Map.groupBy(specific, (value) => value.by)) {
    const among = found.map(({ value }) => value);
    const counted = await triage.countTriageValues(account.id, filter, by, { limit: among.length, among });
    if (counted === 'unknown-monitor') throw noSuchMonitor();
    for (const { value, known } of found) {
      const listed = counted.values.find((one) => one.value === value)?.domains ?? 0;
      candidates.push({ by, value, known, listed, narrowedBy: narrowings[by](value) });
    }
  }
  return candidates;
}

export const narrowings: Readonly<Record<RecordAttribute, (value: string) => Candidate['narrowedBy']>> = {
  name_server: (value) => ({ nameServers: [value] }),
  certificate: (value) => ({ certificates: [value] }),
  ip: (value) => ({ addresses: [value] }),
  analytics: (value) => ({ analytics: [value] }),
};

/** The first of equally specific values wins. */
function valuesOf(record: DomainRecord): readonly (SharedValue & { readonly by: RecordAttribute })[] {
  const { name_server = [], ssl_info = [], ip = [] } = record;
  const each = (by: RecordAttribute, attribute: string, values: readonly string[]) =>
    [...new Set(values)]
      .filter((value) => value !== '')
      .slice(0, valuesMax)
      .map((value) => ({ by, attribute, value }));
  return [
    ...each(
      'certificate',
      'ssl_info.hash',
      ssl_info.map(({ hash }) => hash),
    ),
    ...trackerMembers.flatMap((member) => each('analytics', member, [record[member] ?? []].flat())),
    ...each(
      'name_server',
      'name_server.host',
      name_server.map(({ host }) => host),
    ),
    ...each(
      'ip',
      'ip.address',
      ip.map(({ address }) => address),
    ),
  ];
}

async function pictureCandidates(
  { domain }: TriageDomain,
  query: ListQuery,
  needs: ClusterNeeds,
): Promise<readonly Candidate[]> {
  const [screenshot] = await needs.images.findScreenshots([domain]);
  const value = screenshot?.perceptualHash;
  if (value === undefined || !isTelling(value)) return [];
  const names = (await needs.images.listAlike(value, idsMax)).map((picture) => picture.domain);
  const narrowedBy = { names };
  const listed = (await idsOf({ ...query.filter, narrowedBy }, query, needs)).length;
  return [{ by: 'picture', value, known: names.length, listed, narrowedBy }];
}

export async function idsOf(
  filter: TriageFilter,
  { account }: Pick<ListQuery, 'account'>,
  { triage }: { readonly triage: Pick<TriageStore, 'listTriageNames'> },
): Promise<readonly WatchlistId[]> {
  const found = await triage.listTriageNames(account.id, filter, idsMax);
  if (found === 'unknown-monitor') throw noSuchMonitor();
  return found.map(({ id }) => id);
}
