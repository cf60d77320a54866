/**
 * What clusters mean for the campaigns that there are. A cluster with members of a campaign makes it grow, so that its identity and name are stable. Campaigns
 * of which at least half is in one cluster are merged into the one that a person made, or the oldest, unless a person has separated them or made both. Other
 * clusters become new campaigns, if they are large enough and nobody has forgotten them.
 */
import type { WatchlistId } from '../../model/detect/watchlist.ts';
import type { KnownMemberships } from './known-memberships.ts';

export interface PlannedCampaign {
  /** Undefined for a new one. */
  readonly id: WatchlistId | undefined;
  /** That are not members yet. */
  readonly joining: readonly string[];
  readonly merged: readonly WatchlistId[];
  readonly replaced: readonly WatchlistId[];
  /** All of them, after it. */
  readonly members: readonly string[];
}

type Cluster = readonly string[];

export function planCampaigns(
  clusters: readonly Cluster[],
  known: KnownMemberships,
  membersMin: number,
): readonly PlannedCampaign[] {
  const mergedInto = planMerges(clusters, known);
  const joining = new Map<WatchlistId, string[]>();
  const planned: PlannedCampaign[] = [];
  for (const cluster of clusters) {
    const free = cluster.filter((name) => known.campaignOf(name) === undefined);
    const [largest] = campaignsIn(cluster, known);
    if (largest === undefined) planned.push(...planNew(free, known, membersMin));
    else {
      const id = mergedInto.get(largest.id) ?? largest.id;
      joining.set(id, [...(joining.get(id) ?? []), ...free]);
    }
  }
  const merged = Map.groupBy(mergedInto.keys(), (id) => mergedInto.get(id) as WatchlistId);
  for (const [id, free] of joining) {
    const others = merged.get(id) ?? [];
    const members = [id, ...others].flatMap((each) => [...(known.members.get(each) ?? [])]);
    planned.push({ id, joining: free, merged: others, replaced: [], members: [...members, ...free] });
  }
  return planned;
}

/** The campaigns of a cluster, those with the most members in it first, of as many the oldest. */
function campaignsIn(
  cluster: Cluster,
  known: KnownMemberships,
): readonly { readonly id: WatchlistId; readonly count: number }[] {
  const members = cluster.filter((name) => known.campaignOf(name) !== undefined);
  const byCampaign = Map.groupBy(members, (name) => known.campaignOf(name) as WatchlistId);
  return [...byCampaign]
    .map(([id, names]) => ({ id, count: names.length }))
    .sort((one, other) => other.count - one.count || known.ageOf(one.id) - known.ageOf(other.id));
}

/**
 * By campaign that ends, the one that it becomes part of: the first of those that have grown together. A few domains that were sold, or registered anew by
 * others, connect campaigns that have nothing else in common.
 */
function planMerges(
  clusters: readonly Cluster[],
  known: KnownMemberships,
): ReadonlyMap<WatchlistId, WatchlistId> {
  const parts = new Map<WatchlistId, WatchlistId>();
  const rootOf = (id: WatchlistId): WatchlistId => {
    const parent = parts.get(id);
    return parent === undefined ? id : rootOf(parent);
  };
  const madeThenOldest = (one: WatchlistId, other: WatchlistId) =>
    Number(known.isMade(other)) - Number(known.isMade(one)) || known.ageOf(one) - known.ageOf(other);
  const campaigns = clusters.map((cluster) => campaignsIn(cluster, known));
  const clustered = new Map<WatchlistId, number>();
  for (const { id, count } of campaigns.flat()) clustered.set(id, (clustered.get(id) ?? 0) + count);
  for (const counts of campaigns) {
    const ids = counts.filter(({ id, count }) => 2 * count >= (clustered.get(id) ?? 0)).map(({ id }) => id);
    const [first, ...others] = ids.sort(madeThenOldest);
    for (const other of others) {
      const roots = [rootOf(first as WatchlistId), rootOf(other)];
      const [into, from] = roots.sort(madeThenOldest) as [WatchlistId, WatchlistId];
      if (into !== from && !known.isMade(from) && !known.areSeparated(into, from)) parts.set(from, into);
    }
  }
  return new Map([...parts.keys()].map((id) => [id, rootOf(id)]));
}

/** What was forgotten stays forgotten until twice as many domains belong together. */
function planNew(
  joining: readonly string[],
  known: KnownMemberships,
  membersMin: number,
): readonly PlannedCampaign[] {
  if (joining.length < membersMin) return [];
  const replaced = known.forgottenWith(joining);
  if (replaced.some(({ size }) => joining.length < 2 * size)) return [];
  const ids = replaced.map(({ id }) => id);
  return [{ id: undefined, joining, merged: [], replaced: ids, members: joining }];
}
