/** What happened in a campaign, in order: when its domains were registered, found, joined and decided about, and when each shared value was used. */
import type { Account } from '../../model/account/account.ts';
import type {
  Campaign,
  LinkValue,
  MemberHistory,
  timelineEventKinds,
} from '../../model/campaign/campaign.ts';
import { registeredMsOf } from '../../model/campaign/links-of-domain.ts';
import type { WatchlistId } from '../../model/detect/watchlist.ts';
import type { CampaignStore } from '../../store/detect/campaign-store.ts';
import type { DomainStore } from '../../store/domain-store.ts';
import { getCampaign } from './campaigns.ts';

export interface TimelineEvent extends Partial<LinkValue> {
  readonly kind: (typeof timelineEventKinds)[number];
  readonly atMs: number;
  /** Punycode; absent for those of a link. */
  readonly domain?: string;
}

export interface TimelineNeeds {
  readonly campaigns: Pick<CampaignStore, 'findCampaign' | 'listMemberHistory'>;
  readonly domains: Pick<DomainStore, 'findRecords'>;
}

/** The first to join are shown: with them everything began. */
const timelineMembersMax = 1000;
const recordsAtOnce = 100;

export async function campaignTimeline(
  account: Pick<Account, 'id'>,
  id: WatchlistId,
  needs: TimelineNeeds,
): Promise<{ readonly events: readonly TimelineEvent[]; readonly isTruncated: boolean }> {
  const campaign = await getCampaign(account, id, needs);
  const members = (await needs.campaigns.listMemberHistory(account.id, id, timelineMembersMax)) ?? [];
  const events = [
    ...(await registrations(members, needs)),
    ...members.flatMap(eventsOfMember),
    ...eventsOfLinks(campaign),
  ];
  return {
    events: events.sort((one, other) => one.atMs - other.atMs),
    isTruncated: campaign.members > members.length,
  };
}

async function registrations(
  members: readonly MemberHistory[],
  { domains }: TimelineNeeds,
): Promise<readonly TimelineEvent[]> {
  const events: TimelineEvent[] = [];
  for (let at = 0; at < members.length; at += recordsAtOnce) {
    const names = members.slice(at, at + recordsAtOnce).map(({ domain }) => domain);
    const records = await domains.findRecords(names);
    for (const [index, domain] of names.entries()) {
      const atMs = registeredMsOf(records[index]);
      if (atMs !== undefined) events.push({ kind: 'registered', atMs, domain });
    }
  }
  return events;
}

function eventsOfMember(member: MemberHistory): readonly TimelineEvent[] {
  const { domain, firstSeenMs, joinedMs, decided, escalatedMs, sightedMs } = member;
  return [
    { kind: 'discovered', atMs: firstSeenMs, domain },
    { kind: 'joined', atMs: joinedMs, domain },
    ...(decided ? [{ kind: decided.state, atMs: decided.atMs, domain }] : []),
    ...(escalatedMs === undefined ? [] : [{ kind: 'escalated', atMs: escalatedMs, domain } as const]),
    ...(sightedMs === undefined ? [] : [{ kind: 'sighted', atMs: sightedMs, domain } as const]),
  ];
}

function eventsOfLinks({ links }: Campaign): readonly TimelineEvent[] {
  return links.flatMap(({ by, value, firstMs, lastMs }) => [
    { kind: 'link_first_seen', atMs: firstMs, by, value } as const,
    { kind: 'link_last_seen', atMs: lastMs, by, value } as const,
  ]);
}
