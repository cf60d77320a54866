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
import { campaignJson, memberJson, timelineEventJson } from '../../campaign/campaign-json.ts';
import { defineWebOperation, type WebOperation } from '../web-operation.ts';
import { isoTime } from '../wire-values.ts';
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

const campaignView = (campaign: Campaign): CampaignView => campaignJson(campaign, isoTime);

const memberView = (member: CampaignMember): CampaignMembers['members'][number] =>
  memberJson(member, isoTime);

const eventView = (event: TimelineEvent): CampaignTimeline['events'][number] =>
  timelineEventJson(event, isoTime);
