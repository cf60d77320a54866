/**
 * The last charged query of each list of an account. Its further pages are not charged again, and show the list as it was at the first page:
 * otherwise new entries would shift others from one page to the next.
 */
import { createHash } from 'node:crypto';
import type { DomainState } from '../../model/detect/watchlist.ts';
import type { Charge, UsageStore } from '../../store/usage-store.ts';

export interface ListQuery {
  readonly accountId: string;
  readonly list: DomainState;
  /** Everything the result depends on except the page. Times as written, because relative ones move. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** The mark that the charge of a query leaves behind. */
export function markOf(query: ListQuery, nowMs: number): NonNullable<Charge['savedText']> {
  return { name: markName(query), text: `${digestOf(query)} ${nowMs}` };
}

/** When the last charged query was made, if this is a page of it; undefined for another query. */
export async function findQueryStartMs(
  query: ListQuery,
  { usage }: { readonly usage: Pick<UsageStore, 'findSavedText'> },
): Promise<number | undefined> {
  const [digest, beganMs] = (await usage.findSavedText(markName(query)))?.split(' ') ?? [];
  return digest === digestOf(query) ? Number(beganMs) : undefined;
}

function markName({ accountId, list }: ListQuery): string {
  return `account:${accountId}/detect-${list}`;
}

function digestOf({ parameters }: ListQuery): string {
  const members = Object.entries(parameters)
    .filter(([, value]) => value !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(members)).digest('base64url');
}
