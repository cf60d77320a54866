/**
 * A whole list in clusters: domains that share something specific belong together, as in `cluster.ts`, and a domain that belongs to several
 * clusters is in the one whose value says most. Only the most frequent values of the list are weighed, so the work is bounded.
 */
import type { WatchlistId } from '../../../model/detect/watchlist.ts';
import { trackerMembers } from '../../../model/record/tracker-members.ts';
import { noSuchMonitor } from '../monitors.ts';
import {
  bestFirst,
  type Candidate,
  type Cluster,
  type ClusterNeeds,
  idsOf,
  type ListQuery,
  narrowings,
  type RecordAttribute,
} from './cluster.ts';
import { countPictureGroups } from './picture-groups.ts';

const valuesMax = 20;
const clustersMax = 30;

/** Where the record keeps each kind of value. */
const attributes: Readonly<Record<RecordAttribute, readonly string[]>> = {
  name_server: ['name_server.host'],
  certificate: ['ssl_info.hash'],
  ip: ['ip.address'],
  analytics: trackerMembers,
};

export async function listClusters(query: ListQuery, needs: ClusterNeeds): Promise<readonly Cluster[]> {
  const kinds = Object.keys(attributes) as RecordAttribute[];
  const ofRecords = await Promise.all(kinds.map((by) => frequentValues(by, query, needs)));
  const candidates = [...ofRecords.flat(), ...(await frequentPictures(query, needs))];
  const best = bestFirst(candidates, await needs.domains.countNames()).slice(0, clustersMax);
  const seen = new Set<WatchlistId>();
  const clusters: Cluster[] = [];
  for (const { by, value, narrowedBy } of best) {
    const ids = await idsOf({ ...query.filter, narrowedBy }, query, needs);
    const own = ids.filter((id) => !seen.has(id));
    if (own.length < 2) continue;
    for (const id of own) seen.add(id);
    clusters.push({ shared: { by, value }, ids: own });
  }
  return clusters;
}

async function frequentValues(
  by: RecordAttribute,
  { account, filter, sharedMax }: ListQuery,
  { triage, domains }: ClusterNeeds,
): Promise<readonly Candidate[]> {
  const counted = await triage.countTriageValues(account.id, filter, by, { limit: valuesMax });
  if (counted === 'unknown-monitor') throw noSuchMonitor();
  const shared = counted.values.filter((value) => value.domains > 1);
  const known = await Promise.all(
    shared.map(async ({ value }) =>
      Math.max(...(await domains.countsOf(attributes[by].map((attribute) => ({ attribute, value }))))),
    ),
  );
  return shared
    .map(({ value, domains: listed }, index) => ({
      by,
      value,
      listed,
      known: known[index] ?? 0,
      narrowedBy: narrowings[by](value),
    }))
    .filter((candidate) => candidate.known <= sharedMax);
}

async function frequentPictures(
  { account, filter }: ListQuery,
  { triage, images }: ClusterNeeds,
): Promise<readonly Candidate[]> {
  const { values } = await countPictureGroups(account, filter, valuesMax, { triage, images });
  return Promise.all(
    values
      .filter(({ domains }) => domains > 1)
      .map(async ({ value, domains: listed }) => {
        const names = (await images.listAlike(value, namesMax)).map(({ domain }) => domain);
        return { by: 'picture', value, listed, known: names.length, narrowedBy: { names } } as const;
      }),
  );
}

/** As many as one decision by ids may name. */
const namesMax = 1000;
