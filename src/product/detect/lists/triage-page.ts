/**
 * Pages of a list as people work through it. The first page fixes the order for the pages that follow; the cursor names the list, the time
 * and the offset.
 */
import type { Caller } from '../../../model/account/account.ts';
import { fieldProblem } from '../../../model/problem.ts';
import type {
  TriageFilter,
  TriageList,
  TriagePage,
  TriageSort,
  TriageStore,
} from '../../../store/triage-store.ts';
import { noSuchMonitor } from '../monitors.ts';
import { queryDigest } from '../query-digest.ts';

export interface TriagePageNeeds {
  readonly triage: Pick<TriageStore, 'listTriage' | 'findVisitMs'>;
}

export interface TriagePageRequest {
  readonly filter: TriageFilter;
  readonly sort: TriageSort;
  readonly limit: number;
  readonly cursor: string | undefined;
}

export interface ReadPage extends TriagePage {
  /** For the next page; undefined after the last. */
  readonly cursor: string | undefined;
  readonly asOfMs: number;
  /** When the person last read the list. */
  readonly readMs: number | undefined;
}

/** What is most urgent first. */
export const usualSorts: Readonly<Record<TriageList, TriageSort>> = {
  new: 'risk',
  changed: 'changed',
  watched: 'newest',
  ignored: 'newest',
  blocked: 'newest',
};

/** Pages reach no further, as those of the API. */
const rowsMax = 100_000;

export async function readTriagePage(
  { account, user }: Caller,
  request: TriagePageRequest,
  { triage }: TriagePageNeeds,
  nowMs: number,
): Promise<ReadPage> {
  const { filter, sort, limit } = request;
  const digest = queryDigest({ ...filter, sort });
  const { asOfMs, offset } = readCursor(request.cursor, digest) ?? { asOfMs: nowMs, offset: 0 };
  const visit = { accountId: account.id, username: user.username, list: filter.list };
  const [monitorId] = filter.monitorIds?.length === 1 ? filter.monitorIds : [];
  const readMs = await triage.findVisitMs(monitorId === undefined ? visit : { ...visit, monitorId });
  const page = await triage.listTriage(
    account.id,
    { ...filter, sort, offset, limit, readMs: readMs ?? -1 },
    // The time distinguishes two readings of the same list, in two windows of one person.
    { username: user.username, query: `${digest} ${asOfMs}`, isFirstPage: offset === 0, rowsMax, nowMs },
  );
  if (page === 'unknown-monitor') throw noSuchMonitor();
  const next = offset + limit;
  const hasMore = next < Math.min(page.total, rowsMax);
  return { ...page, asOfMs, readMs, cursor: hasMore ? `${asOfMs}.${next}.${digest}` : undefined };
}

function readCursor(cursor: string | undefined, digest: string) {
  if (cursor === undefined) return undefined;
  const [, asOf, offset, of] = /^(\d{1,15})\.(\d{1,6})\.([\w-]+)$/.exec(cursor) ?? [];
  if (of !== digest)
    throw fieldProblem('invalid-parameters', 'cursor', 'belongs to another list or filter; leave it out');
  return { asOfMs: Number(asOf), offset: Number(offset) };
}
