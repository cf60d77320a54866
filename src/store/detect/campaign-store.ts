/**
 * Campaigns of accounts, and what links the domains on watchlists. Every operation is scoped to one account unless it says otherwise; an id of
 * another account is treated as unknown. A new member of a followed campaign and its event become durable together.
 */
import type {
  Campaign,
  CampaignLink,
  CampaignMember,
  CampaignState,
  DomainLink,
  LinkValue,
  MemberHistory,
} from '../../model/campaign/campaign.ts';
import type { WatchlistId } from '../../model/detect/watchlist.ts';
import type { Actor } from '../decision-store.ts';

/** A domain of any account whose links are to be read. */
export interface UnreadDomain {
  readonly domain: string;
  /** Of what is to be read: it rises with every change of the record. */
  readonly version: number;
  /** As they were read last. */
  readonly links: readonly DomainLink[];
}

export interface ReadDomain extends UnreadDomain {
  /** Whether they are others than before: then campaigns are to be found anew. */
  readonly isChanged: boolean;
}

/** A new or watched domain on a list of the account. */
export interface LinkedDomain {
  readonly domain: string;
  readonly discoveredMs: number;
  readonly links: readonly DomainLink[];
}

/** What a campaign has to do with a domain. `removed`: a person removed it. `forgotten`: a person forgot the campaign. */
export interface Membership {
  readonly campaignId: WatchlistId;
  readonly campaignOrigin: Campaign['origin'];
  readonly domain: string;
  readonly kind: 'member' | 'removed' | 'forgotten';
}

export interface FoundMember {
  readonly domain: string;
  readonly links: readonly LinkValue[];
}

/** By their weights links are ordered. */
export interface FoundLink extends CampaignLink {
  readonly weight: number;
}

export interface FoundCampaign {
  /** The campaign that has grown; undefined for a new one. */
  readonly id: WatchlistId | undefined;
  /** Of a new one. */
  readonly name: string;
  /** Only those that are not members of it yet. */
  readonly members: readonly FoundMember[];
  /** A new one with fewer members that may still join is not made. */
  readonly membersMin: number;
  /** Those of its members now; earlier ones stay. */
  readonly links: readonly FoundLink[];
  /** Campaigns that have grown together with it: their members become its own. */
  readonly merged: readonly WatchlistId[];
  /** Forgotten campaigns that it replaces. */
  readonly replaced: readonly WatchlistId[];
}

export interface CampaignQuery {
  readonly followed?: boolean;
  readonly state?: CampaignState;
  /** Punycode. */
  readonly domain?: string;
  /** A substring of the name, a member or a value, in lower case. */
  readonly search?: string;
  readonly offset: number;
  readonly limit: number;
}

/** Members that are absent stay as they are. */
export interface CampaignChange {
  readonly name?: string;
  readonly note?: string;
  readonly followed?: boolean;
  readonly state?: CampaignState;
}

export type MemberChangeOutcome =
  | { readonly campaign: Campaign }
  /** Not on a list of the account, or no members: nothing was changed. */
  | { readonly unknownDomains: readonly string[] }
  | 'unknown-campaign'
  | 'too-many';

export interface CampaignStore {
  /** Of all accounts: those whose record has changed, then those that were read before the time. */
  listUnreadDomains(limit: number, readBeforeMs: number): Promise<readonly UnreadDomain[]>;

  /** Of all accounts. A domain whose record has changed meanwhile is read again. */
  saveDomainLinks(read: readonly ReadDomain[], nowMs: number): Promise<void>;

  /** Accounts whose domains, links or members have changed since campaigns were last found, with the version of the last change. */
  listChangedAccounts(
    limit: number,
  ): Promise<readonly { readonly accountId: string; readonly version: number }[]>;

  noteFound(accountId: string, version: number): Promise<void>;

  /** The latest discovered first. `after` is that of the previous page. */
  listLinkedDomains(
    accountId: string,
    page: { readonly after?: string | undefined; readonly limit: number },
  ): Promise<{ readonly domains: readonly LinkedDomain[]; readonly next: string | undefined }>;

  /** Of all campaigns, the oldest campaign first, after the position of the previous page. */
  listMemberships(
    accountId: string,
    page: { readonly after?: string | undefined; readonly limit: number },
  ): Promise<{ readonly memberships: readonly Membership[]; readonly next: string | undefined }>;

  /**
   * Idempotent, in one transaction. Domains that have left the lists, were ignored, joined another campaign or were removed by a person meanwhile do
   * not join. Returns the id of the campaign, and how many joined; undefined if it is gone, or a new one would be too small.
   */
  applyFound(
    accountId: string,
    found: FoundCampaign,
    nowMs: number,
  ): Promise<{ readonly id: WatchlistId; readonly joined: number } | undefined>;

  /** The one that a member joined last first. With the five strongest links of each. */
  listCampaigns(
    accountId: string,
    query: CampaignQuery,
  ): Promise<{ readonly total: number; readonly campaigns: readonly Campaign[] }>;

  /** With a hundred links at most. */
  findCampaign(accountId: string, id: WatchlistId): Promise<Campaign | undefined>;

  /** Domains that are members of other campaigns leave them. `too-many` where the account has `campaignsMax`. */
  createCampaign(
    accountId: string,
    made: { readonly name: string; readonly domains: readonly string[] },
    by: Actor,
  ): Promise<MemberChangeOutcome>;

  updateCampaign(accountId: string, id: WatchlistId, change: CampaignChange): Promise<Campaign | undefined>;

  /** What it consisted of is remembered, so that it is not found again. False if there is none. */
  forgetCampaign(accountId: string, id: WatchlistId): Promise<boolean>;

  /** The latest first. Undefined if there is no such campaign. */
  listMembers(
    accountId: string,
    id: WatchlistId,
    page: { readonly offset: number; readonly limit: number },
  ): Promise<{ readonly total: number; readonly members: readonly CampaignMember[] } | undefined>;

  /** Added domains leave other campaigns; removed ones never come back by themselves. */
  changeMembers(
    accountId: string,
    id: WatchlistId,
    change: { readonly add: readonly string[]; readonly remove: readonly string[] },
    by: Actor,
  ): Promise<MemberChangeOutcome>;

  /** The first to join first, at most `limit`. Undefined if there is no such campaign. */
  listMemberHistory(
    accountId: string,
    id: WatchlistId,
    limit: number,
  ): Promise<readonly MemberHistory[] | undefined>;
}
