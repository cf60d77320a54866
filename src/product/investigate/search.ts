/** A search and its pages. The order of the results is kept for a day, so that pages hold together while records change. */
import { fieldProblem } from '../../model/problem.ts';
import type { RecordPart } from '../../model/record/attributes.ts';
import type { Condition } from '../../model/record/condition.ts';
import type { Settings } from '../../model/settings.ts';
import type { DomainId, DomainStore, SortOrder, StoredRecord } from '../../store/domain-store.ts';
import type { Position, Positions, WalkOwner } from './position.ts';
import { namesAskedFor, type SearchText } from './search-text.ts';
import { findHostName } from './value-rules.ts';

export interface SearchNeeds {
  readonly domains: Pick<DomainStore, 'findRecords' | 'findWalk' | 'getRecords' | 'keepWalk' | 'search'>;
  readonly positions: Positions;
  readonly settings: Settings;
}

export interface Search {
  readonly text: SearchText;
  readonly condition: Condition;
  readonly order: SortOrder;
  readonly owner: WalkOwner;
  /** Absent: the first page. */
  readonly position?: Position | undefined;
  readonly pageSize: number;
  /** What of the records is shown, and so counted. */
  readonly parts: readonly RecordPart[];
  /** Only how many there are. */
  readonly countOnly: boolean;
}

export interface SearchPage {
  readonly total: number;
  readonly records: readonly StoredRecord[];
  /** Where the next page begins, when there is one. */
  readonly next?: Position;
  /** Asked for by name, and without a record. */
  readonly missing: readonly string[];
}

const keptMs = 86_400_000;

/** `too-many`: the search must be refined, and gives nothing until it is. */
export async function findPage(
  search: Search,
  needs: SearchNeeds,
  nowMs: number,
): Promise<SearchPage | 'too-many'> {
  const { domains, settings } = needs;
  const walk = search.position
    ? await getWalk(search.position, needs, nowMs)
    : await domains.search(search.condition, search.order, settings.limits.investigate.matchesMax);
  if (walk.total === 'too-many') return 'too-many';
  const missing = await listMissing(namesAskedFor(search.text), needs);
  if (search.countOnly) return { total: walk.total, records: [], missing };
  const offset = search.position?.offset ?? 0;
  const end = offset + search.pageSize;
  const records = await domains.getRecords(walk.ids.slice(offset, end), search.parts);
  if (end >= walk.total) return { total: walk.total, records, missing };
  const name = search.position?.walk ?? (await keepWalk(walk.ids, search, needs, nowMs));
  return { total: walk.total, records, missing, next: { walk: name, offset: end } };
}

async function keepWalk(
  ids: readonly DomainId[],
  { owner }: Search,
  { domains, positions }: SearchNeeds,
  nowMs: number,
): Promise<string> {
  const walk = positions.walkOf(owner, ids);
  await domains.keepWalk(walkName(walk), ids, nowMs + keptMs);
  return walk;
}

async function getWalk({ walk }: Position, { domains }: SearchNeeds, nowMs: number) {
  const ids = await domains.findWalk(walkName(walk), nowMs);
  if (!ids) throw fieldProblem('invalid-parameters', 'position', 'has expired; start from the first page');
  return { total: ids.length, ids };
}

function walkName(walk: string): string {
  return `investigate-${walk}`;
}

/** By the names that were asked for. */
async function listMissing(written: readonly string[], { domains }: SearchNeeds): Promise<readonly string[]> {
  if (written.length === 0) return [];
  const names = written.map(findHostName);
  const wanted = names.filter((name) => name !== undefined);
  const records = await domains.findRecords(wanted);
  const known = new Set(wanted.filter((_, index) => records[index] !== undefined));
  return written.filter((_, index) => !known.has(names[index] ?? ''));
}
