/** Campaigns for answers. People of the account named them; what links their members is from third parties. */
import type { Campaign, CampaignMember, LinkValue } from '../../model/campaign/campaign.ts';
import { defined, instantOfMs } from './plain-values.ts';
import { type Detail, fullDetail, thirdParties } from './third-parties.ts';

/** `ip 192.0.2.1` */
const linkTexts = (links: readonly LinkValue[]): readonly string[] =>
  links.map(({ by, value }) => `${by} ${value}`);

export function campaignRow(campaign: Campaign, detail: Detail = fullDetail) {
  const { members, pastMembers, maxRiskScore, firstSeenMs, lastJoinedMs } = campaign;
  return {
    campaign_id: campaign.id,
    state: campaign.state,
    followed: campaign.isFollowed,
    origin: campaign.origin,
    member_count: members,
    past_member_count: pastMembers,
    ...defined({
      max_risk_score: maxRiskScore,
      first_seen: firstSeenMs === undefined ? undefined : instantOfMs(firstSeenMs),
    }),
    last_joined: instantOfMs(lastJoinedMs),
    monitors: campaign.monitors.map(({ term }) => term),
    // A found one is named after its domains, which strangers chose.
    ...thirdParties({ name: campaign.name, links: linkTexts(campaign.links) }, detail),
  };
}

/** Its links with their times, for the answer about one campaign. */
export function linkRows(campaign: Campaign, max: number, detail: Detail = fullDetail) {
  return campaign.links.slice(0, max).map(({ by, value, domains, known, firstMs, lastMs }) => ({
    by,
    domains,
    known_domains: known,
    first_seen: instantOfMs(firstMs),
    last_seen: instantOfMs(lastMs),
    ...thirdParties({ value }, detail),
  }));
}

export function memberRow(member: CampaignMember, detail: Detail = fullDetail) {
  const { domain, domainId, state, origin, joinedMs, firstSeenMs, riskScore, links } = member;
  return {
    domain,
    ...defined({ id: domainId, risk_score: riskScore }),
    state,
    origin,
    joined: instantOfMs(joinedMs),
    first_seen: instantOfMs(firstSeenMs),
    ...thirdParties({ links: linkTexts(links) }, detail),
  };
}
