/** The lines of a list: domains that are still in it, those that belong together below a heading of their own. */

import type { TriageList } from '../../../../src/http/web/detect/filter-wire.ts';
import { leaves } from '../../../../src/model/triage/triage-lists.ts';
import type { Cluster, Domain } from '../../data/detect.ts';
import type { Moves } from '../../data/moves.ts';

export interface Group {
  readonly ids: ReadonlySet<string>;
  /** What its domains share, if that is known. */
  readonly shared: Cluster['shared'];
}

/** Groups come first, in this order; no domain is in two of them. */
export interface Grouping {
  readonly groups: readonly Group[];
  /** Members that have not been loaded with the list. */
  readonly others: readonly Domain[];
}

export type Line =
  | { readonly kind: 'domain'; readonly domain: Domain; readonly index: number }
  /** Without a group: what comes after the last one. */
  | { readonly kind: 'heading'; readonly of: Group | undefined; readonly count: number };

/** In the order of the screen, each once. */
export function listRows(
  loaded: readonly Domain[],
  list: TriageList,
  moves: Moves,
  grouping: Grouping | undefined,
): readonly Domain[] {
  const seen = new Set<string>();
  const isIn = ({ id }: Domain) => {
    const move = moves.get(id);
    if (seen.has(id) || (move && !move.fading && leaves(list, move.to))) return false;
    seen.add(id);
    return true;
  };
  const rows = loaded.filter(isIn);
  if (!grouping) return rows;
  const others = grouping.others.filter(isIn);
  const groupOf = groupsById(grouping);
  const members = Map.groupBy([...rows, ...others], ({ id }) => groupOf.get(id));
  const ungrouped = rows.filter(({ id }) => !groupOf.has(id));
  return [...grouping.groups.flatMap((group) => members.get(group) ?? []), ...ungrouped];
}

const groupsById = ({ groups }: Grouping): ReadonlyMap<string, Group> =>
  new Map(groups.flatMap((group) => [...group.ids].map((id) => [id, group] as const)));

export function listLines(rows: readonly Domain[], grouping: Grouping | undefined): readonly Line[] {
  const lines: Line[] = rows.map((domain, index) => ({ kind: 'domain', domain, index }));
  if (!grouping) return lines;
  const counts = grouping.groups.map(({ ids }) => rows.filter(({ id }) => ids.has(id)).length);
  if (counts.every((count) => count === 0)) return lines;
  let at = 0;
  const grouped = grouping.groups.flatMap((group, index): readonly Line[] => {
    const count = counts[index] ?? 0;
    at += count;
    return count === 0 ? [] : [{ kind: 'heading', of: group, count }, ...lines.slice(at - count, at)];
  });
  const rest = lines.slice(at);
  return rest.length === 0
    ? grouped
    : [...grouped, { kind: 'heading', of: undefined, count: rest.length }, ...rest];
}

/** Otherwise in the same order: a screen of missing pictures helps nobody. */
export function picturesFirst(rows: readonly Domain[]): readonly Domain[] {
  const hasPicture = ({ picture }: Domain) => picture.state === 'taken';
  return [...rows.filter(hasPicture), ...rows.filter((row) => !hasPicture(row))];
}
