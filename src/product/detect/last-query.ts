/** The last charged query of each list of an account. Its further pages are not charged again. */
import type { DomainState } from '../../model/detect/watchlist.ts';
import type { Charge, UsageStore } from '../../store/usage-store.ts';

export interface ListQuery {
  readonly accountId: string;
  readonly list: DomainState;
  readonly digest: string;
}

/** The mark that the charge of a query leaves behind. */
export function markOf(query: ListQuery, nowMs: number): NonNullable<Charge['savedText']> {
  return { name: markName(query), text: `${query.digest} ${nowMs}` };
}

/** When the last charged query was made, if this is a page of it; undefined for another query. */
export async function findQueryStartMs(
  query: ListQuery,
  { usage }: { readonly usage: Pick<UsageStore, 'findSavedText'> },
): Promise<number | undefined> {
  const [digest, beganMs] = (await usage.findSavedText(markName(query)))?.split(' ') ?? [];
  return digest === query.digest ? Number(beganMs) : undefined;
}

function markName({ accountId, list }: ListQuery): string {
  return `account:${accountId}/detect-${list}`;
}
