/** A page of the domains on a watchlist, with their records where wanted. */
import type { Account } from '../../model/account/account.ts';
import type { WatchlistDomain } from '../../model/detect/watchlist.ts';
import type { DomainRecord } from '../../model/record/domain-record.ts';
import { normaliseText } from '../../model/record/normalise-text.ts';
import type { Settings } from '../../model/settings/settings.ts';
import type { DomainStore } from '../../store/domain-store.ts';
import type { ListPaging } from '../../store/paging/list-paging.ts';
import type { DomainQuery, DomainSort, WatchlistStore } from '../../store/watchlist-store.ts';
import { noSuchMonitor } from './monitors.ts';
import { getLimit } from './page-limit.ts';

export interface DomainListNeeds {
  readonly watchlist: Pick<WatchlistStore, 'listDomains'>;
  readonly domains: Pick<DomainStore, 'findRecords'>;
}

export const domainSorts = [
  'discovered_date',
  'changed_date',
  'risk_score',
] as const satisfies readonly DomainSort[];

export const riskRanges = ['0-0', '1-39', '40-69', '70-99', '100-100'] as const;
export type RiskRange = (typeof riskRanges)[number];

export interface DomainPage {
  readonly total: number;
  readonly domains: readonly WatchlistDomain[];
  /** In the order of the domains; undefined where not requested. */
  readonly records: readonly (DomainRecord | undefined)[] | undefined;
}

/** The limit is lower with records, and lower still for a preview. */
export function getDomainLimit(
  page: { readonly limit: number | undefined; readonly withData: boolean; readonly preview: boolean },
  { limits: { detect } }: Pick<Settings, 'limits'>,
): number {
  const limit = getLimit(page.limit, page.withData ? detect.domainsLimitWithDataMax : detect.domainsLimitMax);
  return page.preview ? Math.min(limit, detect.previewDomainsMax) : limit;
}

export function boundsOf(range: RiskRange): readonly [from: number, to: number] {
  const [from = 0, to = 0] = range.split('-').map(Number);
  return [from, to];
}

/** In punycode, as stored. Text that is not a name is left as it is and matches nothing. */
export function tldAsStored(text: string): string {
  const made = normaliseText('host', text.trim().replace(/^\./, ''));
  return 'text' in made ? made.text : text;
}

/** Without `paging`, the list as it is now. */
export async function listDomains(
  account: Account,
  query: DomainQuery,
  { withData, paging }: { readonly withData: boolean; readonly paging: ListPaging | undefined },
  { watchlist, domains }: DomainListNeeds,
): Promise<DomainPage> {
  const found = await watchlist.listDomains(account.id, query, paging);
  if (found === 'unknown-monitor') throw noSuchMonitor();
  const records = withData ? await domains.findRecords(found.domains.map(({ domain }) => domain)) : undefined;
  return { ...found, records };
}
