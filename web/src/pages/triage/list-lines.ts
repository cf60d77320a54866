/** The lines of a list: domains that are still in it, those of a cluster first and below a heading. */

import type { TriageList } from '../../../../src/http/web/detect/filter-wire.ts';
import type { Domain } from '../../data/detect.ts';
import { leaves, type Moves } from '../../data/moves.ts';

export interface Grouping {
  readonly ids: ReadonlySet<string>;
  /** Members that have not been loaded with the list. */
  readonly others: readonly Domain[];
}

export type Line =
  | { readonly kind: 'domain'; readonly domain: Domain; readonly index: number }
  | { readonly kind: 'heading'; readonly of: 'cluster' | 'rest'; readonly count: number };

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
  const inCluster = ({ id }: Domain) => grouping.ids.has(id);
  return [...rows.filter(inCluster), ...others, ...rows.filter((row) => !inCluster(row))];
}

export function listLines(rows: readonly Domain[], grouping: Grouping | undefined): readonly Line[] {
  const lines: Line[] = rows.map((domain, index) => ({ kind: 'domain', domain, index }));
  if (!grouping) return lines;
  const count = rows.filter(({ id }) => grouping.ids.has(id)).length;
  if (count === 0) return lines;
  const rest: Line[] =
    count < rows.length ? [{ kind: 'heading', of: 'rest', count: rows.length - count }] : [];
  return [
    { kind: 'heading', of: 'cluster', count },
    ...lines.slice(0, count),
    ...rest,
    ...lines.slice(count),
  ];
}

/** Otherwise in the same order: a screen of missing pictures helps nobody. */
export function picturesFirst(rows: readonly Domain[]): readonly Domain[] {
  const hasPicture = ({ picture }: Domain) => picture.state === 'taken';
  return [...rows.filter(hasPicture), ...rows.filter((row) => !hasPicture(row))];
}
