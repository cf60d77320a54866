/** Rows of campaigns, as both kinds of databases have them. */
import type {
  Campaign,
  CampaignLink,
  CampaignLinkKind,
  CampaignMember,
  DomainLink,
  LinkValue,
  MemberHistory,
} from '../../../model/campaign/campaign.ts';
import type { DomainState, WatchlistEvent } from '../../../model/detect/watchlist.ts';
import type { CampaignStore } from '../campaign-store.ts';
import type { StoredFlag } from './stored-json.ts';

/** Links that are shown of a campaign in a list, and of one alone. */
export const linksInList = 5;
export const linksOfOne = 100;
/** Monitors that are shown of a campaign. */
export const monitorsOfOne = 20;

export interface CampaignRow {
  readonly number: number;
  readonly id: string;
  readonly name: string;
  readonly note: string;
  readonly state: Campaign['state'];
  readonly followed: StoredFlag;
  readonly origin: Campaign['origin'];
  readonly created_by: string | null;
  readonly created_ms: number;
  readonly last_joined_ms: number;
}

export interface MemberCountRow {
  readonly members: number;
  readonly past: number | null;
  readonly first_seen_ms: number | null;
  readonly max_risk: number | null;
}

export interface LinkRow {
  readonly kind: CampaignLinkKind;
  readonly value: string;
  readonly domains: number;
  readonly known: number;
  readonly first_ms: number;
  readonly last_ms: number;
}

export function campaignOf(
  row: CampaignRow,
  count: MemberCountRow,
  monitors: Campaign['monitors'],
  links: readonly LinkRow[],
): Campaign {
  return {
    id: row.id,
    name: row.name,
    note: row.note,
    state: row.state,
    isFollowed: Boolean(row.followed),
    origin: row.origin,
    createdMs: row.created_ms,
    createdBy: row.created_by ?? undefined,
    firstSeenMs: count.first_seen_ms ?? undefined,
    lastJoinedMs: row.last_joined_ms,
    members: count.members,
    pastMembers: count.past ?? 0,
    maxRiskScore: count.max_risk ?? undefined,
    monitors,
    links: links.map(linkOf),
  };
}

function linkOf({ kind, value, domains, known, first_ms, last_ms }: LinkRow): CampaignLink {
  return { by: kind, value, domains, known, firstMs: first_ms, lastMs: last_ms };
}

export interface MemberRow {
  readonly domain: string;
  readonly origin: CampaignMember['origin'];
  readonly joined_ms: number;
  readonly first_seen_ms: number;
  readonly links: string;
  readonly domain_id: string | null;
  readonly domain_state: DomainState | null;
  readonly risk_score: number | null;
}

export function memberOf(row: MemberRow): CampaignMember {
  return {
    domain: row.domain,
    domainId: row.domain_id ?? undefined,
    state: row.domain_state ?? 'past',
    origin: row.origin,
    joinedMs: row.joined_ms,
    firstSeenMs: row.first_seen_ms,
    links: JSON.parse(row.links) as LinkValue[],
    riskScore: row.risk_score ?? undefined,
  };
}

export interface HistoryRow {
  readonly domain: string;
  readonly joined_ms: number;
  readonly first_seen_ms: number;
  readonly domain_state: DomainState | null;
  readonly assigned_ms: number | null;
  readonly escalated_ms: number | null;
  readonly sighted_seconds: number | null;
}

export function historyOf(row: HistoryRow): MemberHistory {
  const { domain_state: state, assigned_ms: atMs } = row;
  const isDecided = (state === 'watched' || state === 'ignored') && atMs !== null;
  return {
    domain: row.domain,
    joinedMs: row.joined_ms,
    firstSeenMs: row.first_seen_ms,
    decided: isDecided ? { state, atMs } : undefined,
    escalatedMs: row.escalated_ms ?? undefined,
    sightedMs: row.sighted_seconds === null ? undefined : row.sighted_seconds * 1000,
  };
}

type StoredLink = readonly [
  by: CampaignLinkKind,
  attribute: string,
  value: string,
  firstMs: number,
  lastMs: number,
];

/** Short, because every domain on a list has a dozen of them. */
export function storedLinks(links: readonly DomainLink[]): string {
  const rows = links.map(
    ({ by, attribute, value, firstMs, lastMs }): StoredLink => [by, attribute, value, firstMs, lastMs],
  );
  return JSON.stringify(rows).toWellFormed();
}

export function domainLinksOf(stored: string): readonly DomainLink[] {
  return (JSON.parse(stored) as StoredLink[]).map(([by, attribute, value, firstMs, lastMs]) => ({
    by,
    attribute,
    value,
    firstMs,
    lastMs,
  }));
}

/** What the event of a new member says. */
export function joinedDetail(
  campaign: Pick<CampaignRow, 'id' | 'name'>,
  links: readonly LinkValue[],
): WatchlistEvent['detail'] {
  return {
    campaign: campaign.name,
    links: links.map(({ by, value }) => `${by.replaceAll('_', ' ')} ${value}`),
    campaignId: campaign.id,
  };
}

/** Of `domain_link`. */
export interface UnreadRow {
  readonly domain: string;
  readonly version: number;
  readonly links: string;
}

/** A listed domain with its links. */
export interface LinkedRow {
  readonly number: number;
  readonly domain: string;
  readonly discovered_ms: number;
  readonly links: string;
}

export type LinkedPage = Awaited<ReturnType<CampaignStore['listLinkedDomains']>>;

export function linkedPage(rows: readonly LinkedRow[], limit: number): LinkedPage {
  const last = rows.at(-1);
  return {
    domains: rows.map(({ domain, discovered_ms, links }) => ({
      domain,
      discoveredMs: discovered_ms,
      links: domainLinksOf(links),
    })),
    next: last && rows.length === limit ? `${last.discovered_ms} ${last.number}` : undefined,
  };
}
