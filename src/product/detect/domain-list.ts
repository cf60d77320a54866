/** Which domains of a list are shown, and with what of their records. */
import type { Account } from '../../model/account.ts';
import type { WatchlistDomain } from '../../model/detect/watchlist.ts';
import type { DomainRecord } from '../../model/record/domain-record.ts';
import { inForm } from '../../model/record/text-forms.ts';
import type { Settings } from '../../model/settings.ts';
import type { DomainStore } from '../../store/domain-store.ts';
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
  /** In the order of the domains, where they were wanted. */
  readonly records: readonly (DomainRecord | undefined)[] | undefined;
}

/** Records make an answer long, and a preview is short whatever was asked. */
export function getDomainLimit(
  asked: { readonly limit: number | undefined; readonly withData: boolean; readonly preview: boolean },
  { limits: { detect } }: Pick<Settings, 'limits'>,
): number {
  const limit = getLimit(
    asked.limit,
    asked.withData ? detect.domainsLimitWithDataMax : detect.domainsLimitMax,
  );
  return asked.preview ? Math.min(limit, detect.previewDomainsMax) : limit;
}

export function boundsOf(range: RiskRange): readonly [from: number, to: number] {
  const [from = 0, to = 0] = range.split('-').map(Number);
  return [from, to];
}

/** As names end with it: in punycode. What is no name stays as it is, and matches nothing. */
export function tldAsStored(text: string): string {
  const made = inForm('host', text.trim().replace(/^\./, ''));
  return 'text' in made ? made.text : text;
}

export async function listDomains(
  account: Account,
  query: DomainQuery,
  withData: boolean,
  { watchlist, domains }: DomainListNeeds,
): Promise<DomainPage> {
  const found = await watchlist.listDomains(account.id, query);
  if (found === 'unknown-monitor') throw noSuchMonitor();
  const records = withData ? await domains.findRecords(found.domains.map(({ domain }) => domain)) : undefined;
  return { ...found, records };
}
