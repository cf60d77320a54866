/**
 * Campaigns: domains of an account's lists that belong together by what they share, followed over time. A domain is a member of one campaign of
 * the account at most, and stays one when it leaves the lists.
 */
import type { DomainState, WatchlistId } from '../detect/watchlist.ts';

/** The strongest first. */
export const campaignLinkKinds = [
  'certificate',
  'analytics',
  'registrant',
  'soa_email',
  'name_server',
  'ip',
  'picture',
  'page',
  'naming',
] as const;
export type CampaignLinkKind = (typeof campaignLinkKinds)[number];

export interface LinkValue {
  readonly by: CampaignLinkKind;
  readonly value: string;
}

/** A value that a domain has, or had. */
export interface DomainLink extends LinkValue {
  /** Under which the domain store counts it; empty where it does not. */
  readonly attribute: string;
  readonly firstMs: number;
  readonly lastMs: number;
}

/** A value that several members share, or shared. */
export interface CampaignLink extends LinkValue {
  /** How many members had it. */
  readonly domains: number;
  /** How many of all known domains have it. */
  readonly known: number;
  readonly firstMs: number;
  readonly lastMs: number;
}

export const campaignStates = ['active', 'closed'] as const;
export type CampaignState = (typeof campaignStates)[number];

export interface Campaign {
  readonly id: WatchlistId;
  readonly name: string;
  readonly note: string;
  /** A closed one still gathers members, so that they make no campaign of their own, and raises no alert. */
  readonly state: CampaignState;
  /** A new member raises an alert. */
  readonly isFollowed: boolean;
  readonly origin: 'found' | 'made';
  readonly createdMs: number;
  /** Undefined where it was found. */
  readonly createdBy: string | undefined;
  /** When its first member was discovered; undefined without members. */
  readonly firstSeenMs: number | undefined;
  readonly lastJoinedMs: number;
  /** Those that have left the lists included. */
  readonly members: number;
  readonly pastMembers: number;
  readonly maxRiskScore: number | undefined;
  /** That report its members. */
  readonly monitors: readonly { readonly id: WatchlistId; readonly term: string }[];
  /** The strongest first. */
  readonly links: readonly CampaignLink[];
}

export interface CampaignMember {
  /** Punycode. */
  readonly domain: string;
  /** On the watchlist; undefined where it has left it. */
  readonly domainId: WatchlistId | undefined;
  readonly state: DomainState | 'past';
  readonly origin: 'found' | 'added';
  readonly joinedMs: number;
  /** When it was discovered. */
  readonly firstSeenMs: number;
  /** What linked it to the others when it joined; empty where a person added it. */
  readonly links: readonly LinkValue[];
  readonly riskScore: number | undefined;
}

/** What is known of the past of a member; undefined where it did not happen, or the domain has left the lists. */
export interface MemberHistory extends Pick<CampaignMember, 'domain' | 'joinedMs' | 'firstSeenMs'> {
  readonly decided: { readonly state: 'watched' | 'ignored'; readonly atMs: number } | undefined;
  readonly escalatedMs: number | undefined;
  /** When one of our own sensors first saw it resolved. */
  readonly sightedMs: number | undefined;
}

export const campaignNameMax = 200;
export const campaignNoteMax = 4000;
/** Domains that one request may name. */
export const campaignDomainsMax = 1000;
export const campaignsMax = 5000;
/** Campaigns, and members, of one page. */
export const campaignPageMax = 100;
export const memberPageMax = 500;

/** What happens in a campaign. */
export const timelineEventKinds = [
  'registered',
  'discovered',
  'joined',
  'link_first_seen',
  'link_last_seen',
  'sighted',
  'escalated',
  'ignored',
  'watched',
] as const;
