/** Campaigns as both APIs show them; each has its own form of times. */
import type { Campaign, CampaignMember } from '../../model/campaign/campaign.ts';
import type { TimelineEvent } from '../../product/campaigns/campaign-timeline.ts';

type TimeText = (ms: number) => string;

export function campaignJson(campaign: Campaign, time: TimeText) {
  const { firstSeenMs } = campaign;
  return {
    id: campaign.id,
    name: campaign.name,
    note: campaign.note,
    state: campaign.state,
    followed: campaign.isFollowed,
    origin: campaign.origin,
    created_date: time(campaign.createdMs),
    created_by: campaign.createdBy ?? null,
    first_seen_date: firstSeenMs === undefined ? null : time(firstSeenMs),
    last_joined_date: time(campaign.lastJoinedMs),
    member_count: campaign.members,
    past_member_count: campaign.pastMembers,
    monitors: campaign.monitors.map(({ id, term }) => ({ id, term })),
    links: campaign.links.map(({ by, value, domains, known, firstMs, lastMs }) => ({
      by,
      value,
      domains,
      known,
      first_seen_date: time(firstMs),
      last_seen_date: time(lastMs),
    })),
    max_risk_score: campaign.maxRiskScore ?? null,
  };
}

export function memberJson(member: CampaignMember, time: TimeText) {
  return {
    domain: member.domain,
    domain_id: member.domainId ?? null,
    state: member.state,
    joined_date: time(member.joinedMs),
    first_seen_date: time(member.firstSeenMs),
    origin: member.origin,
    links: member.links.map(({ by, value }) => ({ by, value })),
    risk_score: member.riskScore ?? null,
  };
}

export function timelineEventJson({ atMs, kind, domain, by, value }: TimelineEvent, time: TimeText) {
  return {
    date: time(atMs),
    kind,
    ...(domain === undefined ? {} : { domain }),
    ...(by === undefined || value === undefined ? {} : { by, value }),
  };
}
