/** Searches page by page. The result of a search is kept as a snapshot for a day, so that pages stay consistent while records change. */
import { dayMs } from '../../model/durations.ts';
import { fieldProblem } from '../../model/problem.ts';
import type { RecordPart } from '../../model/record/attributes.ts';
import type { Condition } from '../../model/record/condition.ts';
import type { RequestedDomain } from '../../model/record/requested-domains.ts';
import type { Settings } from '../../model/settings/settings.ts';
import type { DomainId, DomainStore, SortOrder, StoredRecord } from '../../store/domain-store.ts';
import type { Position, PositionCodec, PositionOwner } from './position.ts';
import { domainsOfSearch, type SearchText } from './search-text.ts';

export interface SearchNeeds {
  readonly domains: Pick<
    DomainStore,
    'countMatches' | 'findRecords' | 'findResultSnapshot' | 'getRecords' | 'saveResultSnapshot' | 'search'
  >;
  readonly positions: PositionCodec;
  readonly settings: Pick<Settings, 'limits'>;
}

export interface Search {
  readonly text: SearchText;
  readonly condition: Condition;
  readonly order: SortOrder;
  readonly owner: PositionOwner;
  /** Absent: the first page. */
  readonly position?: Position | undefined;
  readonly pageSize: number;
  /** The parts of records that are shown, and whose values are counted. */
  readonly parts: readonly RecordPart[];
  /** Returns the total without records. */
  readonly countOnly: boolean;
}

export interface SearchPage<Found = StoredRecord> {
  readonly total: number;
  readonly records: readonly Found[];
  /** The start of the next page, if there is one. */
  readonly next?: Position;
  /** With `next`: keeps its results for a day from then on, where the same page is sent again. */
  readonly keepResults?: (nowMs: number) => Promise<unknown>;
  /** Requested by name, and without a record. */
  readonly missing: readonly string[];
}

const snapshotMs = dayMs;

/** `too-many`: the search must be refined. */
export function findPage(
  search: Search,
  needs: SearchNeeds,
  nowMs: number,
): Promise<SearchPage | 'too-many'> {
  return findPageOf(search, needs, nowMs, (ids, parts) => needs.domains.getRecords(ids, parts));
}

/** The same with records in another form: `getRecords` answers as the store of domains does. */
export async function findPageOf<Found>(
  search: Search,
  needs: SearchNeeds,
  nowMs: number,
  getRecords: (ids: readonly DomainId[], parts: readonly RecordPart[]) => Promise<readonly Found[]>,
): Promise<SearchPage<Found> | 'too-many'> {
  const { domains, settings } = needs;
  if (search.countOnly) return countMatches(search, needs);
  const result = search.position
    ? await getSnapshot(search.position, needs, nowMs)
    : await domains.search(search.condition, search.order, settings.limits.investigate.matchesMax);
  if (result.total === 'too-many') return 'too-many';
  const missing = await listMissing(domainsOfSearch(search.text), needs);
  const offset = search.position?.offset ?? 0;
  const end = offset + search.pageSize;
  const { total, ids } = result;
  const records = await getRecords(ids.slice(offset, end), search.parts);
  if (end >= total) return { total, records, missing };
  const keepResults = (fromMs: number) => saveSnapshot(ids, search, needs, fromMs);
  const snapshot = search.position?.snapshot ?? (await keepResults(nowMs));
  return { total, records, missing, next: { snapshot, offset: end }, keepResults };
}

/** A count is not limited: it returns no records. */
async function countMatches({ text, condition }: Search, needs: SearchNeeds): Promise<SearchPage<never>> {
  const total = await needs.domains.countMatches(condition);
  return { total, records: [], missing: await listMissing(domainsOfSearch(text), needs) };
}

async function saveSnapshot(
  ids: readonly DomainId[],
  { owner }: Search,
  { domains, positions }: SearchNeeds,
  nowMs: number,
): Promise<string> {
  const snapshot = positions.snapshotIdOf(owner, ids);
  await domains.saveResultSnapshot(snapshotName(snapshot), ids, nowMs + snapshotMs);
  return snapshot;
}

async function getSnapshot({ snapshot }: Position, { domains }: SearchNeeds, nowMs: number) {
  const ids = await domains.findResultSnapshot(snapshotName(snapshot), nowMs);
  if (!ids) throw fieldProblem('invalid-parameters', 'position', 'has expired; start from the first page');
  return { total: ids.length, ids };
}

function snapshotName(snapshot: string): string {
  return `investigate-${snapshot}`;
}

async function listMissing(
  requested: readonly RequestedDomain[],
  { domains }: SearchNeeds,
): Promise<readonly string[]> {
  if (requested.length === 0) return [];
  const names = requested.flatMap(({ name }) => name ?? []);
  const records = await domains.findRecords(names);
  const known = new Set(names.filter((_, index) => records[index] !== undefined));
  return requested.filter(({ name = '' }) => !known.has(name)).map(({ written }) => written);
}
