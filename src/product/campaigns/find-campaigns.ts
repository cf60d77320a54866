/** Finds the campaigns of an account: reads what links the domains on its lists, clusters them, and writes what has changed. */
import { createHash } from 'node:crypto';
import { campaignNameMax, type LinkValue } from '../../model/campaign/campaign.ts';
import { linksOfDomain } from '../../model/campaign/links-of-domain.ts';
import { dayMs } from '../../model/durations.ts';
import type {
  CampaignStore,
  FoundLink,
  FoundMember,
  LinkedDomain,
  Membership,
} from '../../store/detect/campaign-store.ts';
import type { DomainStore } from '../../store/domain-store.ts';
import type { MonitorStore } from '../../store/monitor-store.ts';
import { clusterDomains, strongestFirst } from './cluster-domains.ts';
import { KnownMemberships } from './known-memberships.ts';
import { type PlannedCampaign, planCampaigns } from './plan-campaigns.ts';
import { linkKey, type WeighedDomain, type WeighNeeds, weighDomains } from './shared-values.ts';

export interface FindCampaignsNeeds extends WeighNeeds {
  readonly monitors: Pick<MonitorStore, 'listOwnDomains'>;
  readonly domains: WeighNeeds['domains'] & Pick<DomainStore, 'findRecords'>;
  readonly campaigns: Pick<CampaignStore, 'listLinkedDomains' | 'listMemberships' | 'applyFound'>;
}

export interface FindOptions {
  readonly membersMin: number;
  /** A value that more domains share links nothing. */
  readonly sharedMax: number;
  readonly nowMs: number;
  /** What was last written about the links of each campaign, so that nothing is written again. */
  readonly written?: Map<string, string>;
}

export interface FindCounts {
  readonly domains: number;
  /** New campaigns. */
  readonly found: number;
  readonly joined: number;
  readonly merged: number;
}

/** The latest discovered of each account: campaigns are about what happens now. */
const linkedDomainsMax = 20_000;
const membershipsMax = 200_000;
const ownDomainsMax = 1000;
const [domainsPerPage, membershipsPerPage] = [250, 1000];
/** A transaction has at most so many new members. */
const membersAtOnce = 500;
const linksOfMember = 5;
const linksOfCampaign = 100;

export async function findCampaigns(
  accountId: string,
  options: FindOptions,
  needs: FindCampaignsNeeds,
): Promise<FindCounts> {
  const known = new KnownMemberships(await readMemberships(accountId, needs));
  const listed = await readLinkedDomains(accountId, needs);
  const considered = listed.filter(({ domain }) => !known.isRemoved(domain));
  const own = await readOwnValues(accountId, needs);
  const domains = await weighDomains(considered, { sharedMax: options.sharedMax, own }, needs);
  const clusters = await clusterDomains(domains);
  const linksOf = new Map(domains.map((one) => [one.domain, one]));
  const counts = { domains: domains.length, found: 0, joined: 0, merged: 0 };
  for (const planned of planCampaigns(clusters, known, options.membersMin)) {
    const applied = await apply(accountId, { planned, linksOf }, options, needs);
    if (applied === undefined) continue;
    counts.found += planned.id === undefined ? 1 : 0;
    counts.joined += applied;
    counts.merged += planned.merged.length;
  }
  return counts;
}

async function readLinkedDomains(
  accountId: string,
  { campaigns }: FindCampaignsNeeds,
): Promise<readonly LinkedDomain[]> {
  const all: LinkedDomain[] = [];
  let after: string | undefined;
  do {
    const page = await campaigns.listLinkedDomains(accountId, { after, limit: domainsPerPage });
    all.push(...page.domains);
    after = page.next;
  } while (after !== undefined && all.length < linkedDomainsMax);
  return all;
}

/** Who copies a page copies its tracker codes: what the account's own domains have says nothing about who copied it. */
async function readOwnValues(
  accountId: string,
  { monitors, domains }: FindCampaignsNeeds,
): Promise<ReadonlySet<string>> {
  const names = (await monitors.listOwnDomains(accountId)).slice(0, ownDomainsMax);
  const values = new Set<string>();
  for (let at = 0; at < names.length; at += domainsPerPage) {
    const records = await domains.findRecords(names.slice(at, at + domainsPerPage));
    for (const record of records)
      if (record)
        for (const link of linksOfDomain({ domain: record.domain, record, perceptualHash: undefined }))
          values.add(linkKey(link));
  }
  return values;
}

async function readMemberships(
  accountId: string,
  { campaigns }: FindCampaignsNeeds,
): Promise<readonly Membership[]> {
  const all: Membership[] = [];
  let after: string | undefined;
  do {
    const page = await campaigns.listMemberships(accountId, { after, limit: membershipsPerPage });
    all.push(...page.memberships);
    after = page.next;
  } while (after !== undefined && all.length < membershipsMax);
  return all;
}

interface Found {
  readonly planned: PlannedCampaign;
  readonly linksOf: ReadonlyMap<string, WeighedDomain>;
}

/** How many joined; undefined if nothing was written. */
async function apply(
  accountId: string,
  { planned, linksOf }: Found,
  { membersMin, nowMs, written }: FindOptions,
  { campaigns }: FindCampaignsNeeds,
): Promise<number | undefined> {
  const links = sharedLinks(planned.members.flatMap((name) => linksOf.get(name) ?? []));
  const shared = new Set(links.map(linkKey));
  const members = planned.joining.map((domain): FoundMember => {
    const own = (linksOf.get(domain)?.links ?? [])
      .map((link) => link.shared)
      .filter((one) => shared.has(linkKey(one)));
    const strongest = own.toSorted(strongestFirst).slice(0, linksOfMember);
    return { domain, links: strongest.map(({ by, value }) => ({ by, value })) };
  });
  const kept = links.slice(0, linksOfCampaign);
  const digest = digestOf(kept);
  const isKnown = planned.id !== undefined && written?.get(planned.id) === digest;
  if (members.length === 0 && planned.merged.length === 0 && isKnown) return undefined;
  let { id } = planned;
  let joined = 0;
  for (let at = 0; at === 0 || at < members.length; at += membersAtOnce) {
    const isFirst = at === 0;
    const applied = await campaigns.applyFound(
      accountId,
      {
        id,
        name: nameOf(kept[0], planned.members.length),
        members: members.slice(at, at + membersAtOnce),
        membersMin: Math.min(membersMin, membersAtOnce),
        links: isFirst ? kept : [],
        merged: isFirst ? planned.merged : [],
        replaced: isFirst ? planned.replaced : [],
      },
      nowMs,
    );
    if (!applied) return undefined;
    id = applied.id;
    joined += applied.joined;
  }
  if (id !== undefined) written?.set(id, digest);
  return joined;
}

/** What at least two members share, the strongest first. */
function sharedLinks(members: readonly WeighedDomain[]): readonly FoundLink[] {
  const found = new Map<string, FoundLink>();
  for (const { links } of members) {
    for (const { shared, firstMs, lastMs } of links) {
      const { by, value, known, weight } = shared;
      const before = found.get(linkKey(shared));
      found.set(linkKey(shared), {
        by,
        value,
        known,
        weight,
        domains: (before?.domains ?? 0) + 1,
        firstMs: Math.min(before?.firstMs ?? firstMs, firstMs),
        lastMs: Math.max(before?.lastMs ?? lastMs, lastMs),
      });
    }
  }
  return [...found.values()].filter(({ domains }) => domains > 1).sort(strongestFirst);
}

/** Until the next day a value that is still used is the same. */
function digestOf(links: readonly FoundLink[]): string {
  const rows = links.map(({ by, value, known, domains, firstMs, lastMs }) =>
    [by, value, known, domains, firstMs, Math.floor(lastMs / dayMs)].join(' '),
  );
  return createHash('sha256').update(rows.join('\n')).digest('base64');
}

function nameOf(link: LinkValue | undefined, members: number): string {
  const name = link ? `${link.by.replaceAll('_', ' ')} ${link.value}` : `${members} domains`;
  return name.toWellFormed().slice(0, campaignNameMax);
}
