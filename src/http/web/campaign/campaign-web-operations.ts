/** Campaigns: the list, one with its members and timeline, and what people change. */
import { Type } from 'typebox';
import {
  type Campaign,
  type CampaignMember,
  campaignPageMax,
  memberPageMax,
} from '../../../model/campaign/campaign.ts';
import {
  campaignTimeline,
  type TimelineEvent,
  type TimelineNeeds,
} from '../../../product/campaigns/campaign-timeline.ts';
import {
  type CampaignNeeds,
  changeCampaign,
  changeMembers,
  forgetCampaign,
  getCampaign,
  listCampaigns,
  listMembers,
  makeCampaign,
} from '../../../product/campaigns/campaigns.ts';
import { defineWebOperation, type WebOperation } from '../web-operation.ts';
import { isoTime, isoTimeOrNull } from '../wire-values.ts';
import {
  CampaignBody,
  CampaignChangeBody,
  CampaignList,
  CampaignListQuery,
  CampaignMembers,
  CampaignMembersQuery,
  CampaignTimeline,
  CampaignView,
  MemberChangeBody,
} from './campaign-wire.ts';

export interface CampaignWebNeeds extends CampaignNeeds, TimelineNeeds {
  readonly campaigns: CampaignNeeds['campaigns'];
}

const common = { product: 'intel-detect-monitors', charge: 'page' } as const;
const IdParams = Type.Object({ id: Type.String({ maxLength: 100 }) });

export function campaignWebOperations(needs: CampaignWebNeeds): readonly WebOperation[] {
  return [...readOperations(needs), ...writeOperations(needs)];
}

function readOperations(needs: CampaignWebNeeds): readonly WebOperation[] {
  return [
    defineWebOperation({
      ...common,
      method: 'GET',
      path: '/campaigns',
      access: 'read',
      summary: 'Campaigns of the account',
      query: CampaignListQuery,
      answer: CampaignList,
      handle: async ({ caller: { account }, query }) => {
        const { followed, offset = 0, limit = campaignPageMax, ...filter } = query;
        const wanted = followed === undefined ? filter : { ...filter, followed: followed === 'true' };
        const { total, campaigns } = await listCampaigns(account, { ...wanted, offset, limit }, needs);
        return { total_count: total, campaigns: campaigns.map(campaignView) };
      },
    }),
    defineWebOperation({
      ...common,
      method: 'GET',
      path: '/campaigns/:id',
      access: 'read',
      summary: 'A campaign with what links its members',
      params: IdParams,
      answer: CampaignView,
      handle: async ({ caller: { account }, params: { id } }) =>
        campaignView(await getCampaign(account, id, needs)),
    }),
    defineWebOperation({
      ...common,
      method: 'GET',
      path: '/campaigns/:id/members',
      access: 'read',
      summary: 'The members of a campaign, the latest to join first',
      params: IdParams,
      query: CampaignMembersQuery,
      answer: CampaignMembers,
      handle: async ({
        caller: { account },
        params: { id },
        query: { offset = 0, limit = memberPageMax },
      }) => {
        const { total, members } = await listMembers(account, id, { offset, limit }, needs);
        return { total_count: total, members: members.map(memberView) };
      },
    }),
    defineWebOperation({
      ...common,
      method: 'GET',
      path: '/campaigns/:id/timeline',
      access: 'read',
      summary: 'What happened in a campaign, the oldest first',
      params: IdParams,
      answer: CampaignTimeline,
      handle: async ({ caller: { account }, params: { id } }) => {
        const { events, isTruncated } = await campaignTimeline(account, id, needs);
        return { events: events.map(eventView), truncated: isTruncated };
      },
    }),
  ];
}

function writeOperations(needs: CampaignWebNeeds): readonly WebOperation[] {
  return [
    defineWebOperation({
      ...common,
      method: 'POST',
      path: '/campaigns',
      access: 'triage',
      summary: 'Makes a campaign of domains on the lists',
      body: CampaignBody,
      answer: CampaignView,
      handle: async ({ caller, body, nowMs }) => campaignView(await makeCampaign(caller, body, needs, nowMs)),
    }),
    defineWebOperation({
      ...common,
      method: 'PATCH',
      path: '/campaigns/:id',
      access: 'triage',
      summary: 'Renames, annotates, follows or closes a campaign',
      params: IdParams,
      body: CampaignChangeBody,
      answer: CampaignView,
      handle: async ({ caller, params: { id }, body }) =>
        campaignView(await changeCampaign(caller, id, body, needs)),
    }),
    defineWebOperation({
      ...common,
      method: 'DELETE',
      path: '/campaigns/:id',
      access: 'triage',
      summary: 'Forgets a campaign',
      params: IdParams,
      answer: Type.Void(),
      handle: async ({ caller, params: { id } }) => forgetCampaign(caller, id, needs),
    }),
    defineWebOperation({
      ...common,
      method: 'POST',
      path: '/campaigns/:id/members',
      access: 'triage',
      summary: 'Adds domains to a campaign, or removes members',
      params: IdParams,
      body: MemberChangeBody,
      answer: CampaignView,
      handle: async ({ caller, params: { id }, body: { add = [], remove = [] }, nowMs }) =>
        campaignView(await changeMembers(caller, { id, add, remove }, needs, nowMs)),
    }),
  ];
}

function campaignView(campaign: Campaign): CampaignView {
  return {
    id: campaign.id,
    name: campaign.name,
    note: campaign.note,
    state: campaign.state,
    followed: campaign.isFollowed,
    origin: campaign.origin,
    created_date: isoTime(campaign.createdMs),
    created_by: campaign.createdBy ?? null,
    first_seen_date: isoTimeOrNull(campaign.firstSeenMs),
    last_joined_date: isoTime(campaign.lastJoinedMs),
    member_count: campaign.members,
    past_member_count: campaign.pastMembers,
    monitors: campaign.monitors.map(({ id, term }) => ({ id, term })),
    links: campaign.links.map(({ by, value, domains, known, firstMs, lastMs }) => ({
      by,
      value,
      domains,
      known,
      first_seen_date: isoTime(firstMs),
      last_seen_date: isoTime(lastMs),
    })),
    max_risk_score: campaign.maxRiskScore ?? null,
  };
}

function memberView(member: CampaignMember): CampaignMembers['members'][number] {
  return {
    domain: member.domain,
    domain_id: member.domainId ?? null,
    state: member.state,
    joined_date: isoTime(member.joinedMs),
    first_seen_date: isoTime(member.firstSeenMs),
    origin: member.origin,
    links: member.links.map(({ by, value }) => ({ by, value })),
    risk_score: member.riskScore ?? null,
  };
}

function eventView({ atMs, kind, domain, by, value }: TimelineEvent): CampaignTimeline['events'][number] {
  return {
    date: isoTime(atMs),
    kind,
    ...(domain === undefined ? {} : { domain }),
    ...(by === undefined || value === undefined ? {} : { by, value }),
  };
}
