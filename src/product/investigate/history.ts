/** The change history of a record, newest first. Changes made at the same time are never split between pages. */
import type { DomainStore, FieldChange } from '../../store/domain-store.ts';

export interface HistoryNeeds {
  readonly domains: Pick<DomainStore, 'listChanges'>;
}

export interface HistoryPage {
  readonly changes: readonly FieldChange[];
  readonly more: boolean;
}

/** More than a record has members, and so more changes than one update makes. */
const changesPerUpdateMax = 200;

export async function listHistory(
  query: { readonly domain: string; readonly beforeMs?: number | undefined; readonly limit: number },
  { domains }: HistoryNeeds,
): Promise<HistoryPage> {
  const { domain, beforeMs, limit } = query;
  const changes = await domains.listChanges(domain, {
    ...(beforeMs === undefined ? {} : { beforeMs }),
    limit: limit + changesPerUpdateMax,
  });
  const lastMs = changes[limit - 1]?.atMs;
  const shown = changes.filter(({ atMs }, index) => index < limit || atMs === lastMs);
  return { changes: shown, more: shown.length < changes.length };
}
