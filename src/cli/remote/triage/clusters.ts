/** A list in clusters: its rows in groups, each below a heading that says what its domains share. */
import type { TriageCluster, TriageRow } from './triage-api.ts';

export interface Grouping {
  readonly shared: readonly NonNullable<TriageCluster['shared']>[];
  /** The position of its cluster, by id of the domain. */
  readonly clusterOf: ReadonlyMap<string, number>;
}

const words: Readonly<Record<string, string>> = {
  name_server: 'name server',
  certificate: 'certificate',
  picture: 'picture',
  ip: 'address',
  analytics: 'analytics code',
};

export function groupingOf(clusters: readonly TriageCluster[]): Grouping {
  const known = clusters.flatMap(({ shared, watchlist_domain_ids: ids }) =>
    shared ? [{ shared, ids }] : [],
  );
  return {
    shared: known.map(({ shared }) => shared),
    clusterOf: new Map(known.flatMap(({ ids }, at) => ids.map((id) => [id, at] as const))),
  };
}

/** Clusters first, in their order; what is in none of them after the last one. */
export function inClusters(
  rows: readonly TriageRow[],
  { shared, clusterOf }: Grouping,
): readonly TriageRow[] {
  const members = Map.groupBy(rows, ({ id }) => clusterOf.get(id));
  return [...shared.keys(), undefined].flatMap((at) => members.get(at) ?? []);
}

/** Headings by the position of the row that they stand above; none where no row is in a cluster. */
export function headingsOf(
  rows: readonly TriageRow[],
  { shared, clusterOf }: Grouping,
): ReadonlyMap<number, string> {
  const headings = new Map<number, string>();
  let from = 0;
  for (let at = 0; at < rows.length; at += 1) {
    const cluster = clusterOf.get(rows[at]?.id ?? '');
    const next = rows[at + 1];
    if (next && clusterOf.get(next.id) === cluster) continue;
    const count = (at + 1 - from).toLocaleString('en');
    const of = cluster === undefined ? undefined : shared[cluster];
    if (of) headings.set(from, `${count} share the ${words[of.attribute] ?? of.attribute} ${of.value}`);
    else if (from > 0) headings.set(from, `The other ${count}`);
    from = at + 1;
  }
  return headings;
}
