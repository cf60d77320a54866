/** What changed in a record, newest first. Changes of one moment stay on one page. */
import type { DomainStore, FieldChange } from '../../store/domain-store.ts';

export interface HistoryNeeds {
  readonly domains: Pick<DomainStore, 'listChanges'>;
}

export interface HistoryPage {
  readonly changes: readonly FieldChange[];
  readonly more: boolean;
}

/** More members than a record has, so no moment has more changes of one domain. */
const momentMax = 200;

export async function listHistory(
  question: { readonly domain: string; readonly beforeMs?: number | undefined; readonly limit: number },
  { domains }: HistoryNeeds,
): Promise<HistoryPage> {
  const { domain, beforeMs, limit } = question;
  const changes = await domains.listChanges(domain, {
    ...(beforeMs === undefined ? {} : { beforeMs }),
    limit: limit + momentMax,
  });
  const lastMs = changes[limit - 1]?.atMs;
  const shown = changes.filter(({ atMs }, index) => index < limit || atMs === lastMs);
  return { changes: shown, more: shown.length < changes.length };
}
