/** Reads what a dossier is made of from all products that know something about a domain; it alone is charged. */
import { type Caller, isWithdrawn } from '../../model/account/account.ts';
import type { WatchlistDomain } from '../../model/detect/watchlist.ts';
import { fieldProblem } from '../../model/problem.ts';
import { notDomainName } from '../../model/record/requested-domains.ts';
import { findWrittenDomain } from '../../model/record/written-domain.ts';
import type { Settings } from '../../model/settings/settings.ts';
import type { DossierSection } from '../../product/assistant/dossier/dossier.ts';
import type { DossierFacts } from '../../product/assistant/dossier/dossier-facts.ts';
import { parameterOfColumn } from '../../product/investigate/catalogue/columns.ts';
import { type HistoryNeeds, listHistory } from '../../product/investigate/history.ts';
import { listPivots, type PivotNeeds } from '../../product/investigate/pivots.ts';
import { listTags, type TagNeeds } from '../../product/investigate/tags.ts';
import { listDomainRows } from '../../product/pdns/domain-rows.ts';
import type { RowStore } from '../../product/pdns/lookup.ts';
import {
  type AssessNeeds,
  type ExplainedAssessment,
  explain,
  getScoredDomain,
} from '../../product/risk/assess.ts';
import {
  findPictures,
  type PictureNeeds,
  type PictureState,
} from '../../product/screenshot/picture-state.ts';
import type { MonitorStore } from '../../store/monitor-store.ts';
import type { WatchlistStore } from '../../store/watchlist-store.ts';

export interface DossierNeeds extends AssessNeeds, PictureNeeds {
  readonly domains: AssessNeeds['domains'] &
    PivotNeeds['domains'] &
    HistoryNeeds['domains'] &
    TagNeeds['domains'];
  readonly watchlist: Pick<WatchlistStore, 'findDomainNamed'>;
  readonly monitors: Pick<MonitorStore, 'findMonitor' | 'listOwnDomains'>;
  readonly rrsets: RowStore;
  readonly settings: AssessNeeds['settings'] & PictureNeeds['settings'] & Pick<Settings, 'limits' | 'web'>;
  /** Where clients reach this server, mount prefix included. */
  readonly serverUrl: () => string;
}

export interface DossierQuery {
  /** A registrable domain in punycode. */
  readonly domain: string;
  readonly sections: readonly DossierSection[];
}

const changesRead = 50;
const termsMax = 8;

/** The registrable domain of a name, a URL or an e-mail address, defanged or not. */
export function getDossierDomain(field: string, written: string): string {
  const name = findWrittenDomain(written);
  if (name === undefined) throw fieldProblem('invalid-parameters', field, notDomainName(written));
  return getScoredDomain(field, name);
}

export async function gatherDossier(
  { domain, sections }: DossierQuery,
  caller: Caller,
  needs: DossierNeeds,
  { nowMs, signal }: { readonly nowMs: number; readonly signal: AbortSignal },
): Promise<DossierFacts> {
  const { domains, monitors, settings } = needs;
  const wants = (section: DossierSection) => sections.includes(section);
  const [record] = await domains.findRecords([domain]);
  const [assessment] = await explain([domain], needs, nowMs);
  const own = await monitors.listOwnDomains(caller.account.id);
  const { tagged } = await listTags(caller, [domain], needs, nowMs);
  const threshold = settings.limits.investigate.guidedPivotDomainsMax;
  return {
    domain,
    nowMs,
    record,
    isOwn: own.some((one) => domain === one || domain.endsWith(`.${one}`)),
    tags: (tagged[0]?.tags ?? []).map(({ label }) => label),
    assessment: assessment as ExplainedAssessment,
    ...(wants('watchlist') ? { listed: await findListed(domain, caller, needs) } : {}),
    ...(wants('pivots') ? { pivots: await findPivots(domain, threshold, needs) } : {}),
    ...(wants('history') ? { history: await listHistory({ domain, limit: changesRead }, needs) } : {}),
    ...(wants('passive_dns') ? { passiveDns: await findRows(domain, caller, needs, { nowMs, signal }) } : {}),
    ...(wants('website') ? { picture: pictureOf((await findPictures([domain], needs))[0]) } : {}),
    ...(settings.web.enabled ? { webUrl: `${needs.serverUrl()}/ui/domain/${domain}` } : {}),
  };
}

async function findPivots(
  domain: string,
  threshold: number,
  needs: DossierNeeds,
): Promise<NonNullable<DossierFacts['pivots']>> {
  const { pivots = [] } = await listPivots(domain, threshold, needs);
  return pivots.map((pivot) => ({ ...pivot, parameter: parameterOfColumn(pivot.attribute) }));
}

async function findListed(
  domain: string,
  { account }: Caller,
  { watchlist, monitors }: DossierNeeds,
): Promise<NonNullable<DossierFacts['listed']>> {
  const listed: WatchlistDomain | undefined = await watchlist.findDomainNamed(account.id, domain);
  const terms = new Map<string, string>();
  for (const { monitorId } of (listed?.matches ?? []).slice(0, termsMax)) {
    const monitor = await monitors.findMonitor(account.id, monitorId);
    if (monitor) terms.set(monitorId, monitor.term);
  }
  return { domain: listed, terms };
}

/** With a key that has passive DNS. Not counted as a lookup: the dossier is. */
async function findRows(
  domain: string,
  { account, user }: Caller,
  { rrsets }: DossierNeeds,
  { nowMs, signal }: { readonly nowMs: number; readonly signal: AbortSignal },
): Promise<NonNullable<DossierFacts['passiveDns']>> {
  if (!user.pdns || isWithdrawn(account, 'pdns')) return { found: undefined };
  const from = { rrsets, nowSeconds: Math.floor(nowMs / 1000) };
  return { found: await listDomainRows(domain, 'names', from, signal) };
}

function pictureOf(picture: PictureState = { state: 'none' }): NonNullable<DossierFacts['picture']> {
  if (picture.state !== 'taken') return { state: picture.state };
  const { capturedMs, perceptualHash } = picture.screenshot;
  return {
    state: 'taken',
    atMs: capturedMs,
    ...(perceptualHash === undefined ? {} : { hash: perceptualHash }),
  };
}
