/**
 * The last counted query of each list of an account. Whoever turns its pages asks nothing new, and is shown what was there when
 * it began: otherwise whatever comes meanwhile would push entries from one page to the next.
 */
import { createHash } from 'node:crypto';
import type { DomainState } from '../../model/detect/watchlist.ts';
import type { Draw, UsageStore } from '../../store/usage-store.ts';

export interface ListQuery {
  readonly accountId: string;
  readonly list: DomainState;
  /** All that the answer depends on but for the place in it. Times stay as they were written: seconds ago move on. */
  readonly asked: Readonly<Record<string, unknown>>;
}

/** What the draw of a counted query leaves behind. */
export function markOf(query: ListQuery, nowMs: number): NonNullable<Draw['mark']> {
  return { name: markName(query), text: `${digestOf(query)} ${nowMs}` };
}

/** When the last counted query was made, where this is the same; undefined where it is another. */
export async function findBeginningMs(
  query: ListQuery,
  { usage }: { readonly usage: Pick<UsageStore, 'findMark'> },
): Promise<number | undefined> {
  const [digest, beganMs] = (await usage.findMark(markName(query)))?.split(' ') ?? [];
  return digest === digestOf(query) ? Number(beganMs) : undefined;
}

function markName({ accountId, list }: ListQuery): string {
  return `account:${accountId}/detect-${list}`;
}

function digestOf({ asked }: ListQuery): string {
  const members = Object.entries(asked)
    .filter(([, value]) => value !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(members)).digest('base64url');
}
