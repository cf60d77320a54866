/** Campaigns, beyond the contract: domains that belong together, followed over time. */
import { Type } from 'typebox';
import {
  campaignDomainsMax,
  campaignNameMax,
  campaignNoteMax,
  campaignPageMax,
  campaignStates,
  memberPageMax,
} from '../../../model/campaign/campaign.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import { campaignTimeline, type TimelineNeeds } from '../../../product/campaigns/campaign-timeline.ts';
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
import { generalCharge } from '../detect/charges.ts';
import { choice, definedMembers, limit, offset } from '../detect/detect-parameters.ts';
import { families } from '../families.ts';
import { defineOperation, type Operation } from '../operation/define-operation.ts';
import {
  CampaignMemberOnWire,
  CampaignOnWire,
  campaignOnWire,
  memberOnWire,
  TimelineEventOnWire,
  timelineEventOnWire,
} from './campaign-wire.ts';

export interface CampaignOperationNeeds extends CampaignNeeds, TimelineNeeds {
  readonly campaigns: CampaignNeeds['campaigns'];
  readonly settings: Settings;
}

const offsetMax = 1_000_000;
const usualPage = 50;
const nameLengthMax = 2048;

const CampaignId = Type.String({ maxLength: 100, description: 'of the campaign' });
const Names = (description: string) =>
  Type.Array(Type.String({ maxLength: nameLengthMax }), {
    maxItems: campaignDomainsMax,
    commas: true,
    description: `${description}: names, also as one text separated by commas`,
  });

const page = {
  total_count: Type.Integer(),
  count: Type.Integer(),
  offset: Type.Integer(),
  limit: Type.Integer(),
};
const shared = { family: families.campaign, product: 'intel-detect-monitors' } as const;

export function campaignOperations(needs: CampaignOperationNeeds): readonly Operation[] {
  return [...readOperations(needs), ...writeOperations(needs)];
}

function readOperations(needs: CampaignOperationNeeds): readonly Operation[] {
  const { settings } = needs;

  const getDetectCampaigns = defineOperation({
    ...shared,
    id: 'getDetectCampaigns',
    route: 'GET /intel-detect/campaigns/',
    permission: 'read',
    summary: 'Lists campaigns: domains of the lists that belong together by what they share',
    description: 'The one that a member joined last first.',
    parameters: Type.Object({
      followed: Type.Optional(Type.Boolean({ description: 'only those that are followed, or are not' })),
      state: Type.Optional(choice(campaignStates, 'only those of this state')),
      domain: Type.Optional(
        Type.String({ maxLength: nameLengthMax, description: 'only the one it is a member of' }),
      ),
      search: Type.Optional(
        Type.String({ maxLength: 200, description: 'part of the name, of a member or of a shared value' }),
      ),
      offset: offset(offsetMax),
      limit: limit(campaignPageMax, `by default ${usualPage}`),
    }),
    response: Type.Object({ ...page, campaigns: Type.Array(CampaignOnWire) }),
    charge: (context) => generalCharge(context, settings),
    handle: async ({ caller, parameters: { offset: from = 0, limit: max = usualPage, ...given } }) => {
      const query = { ...definedMembers(given), offset: from, limit: max };
      const { total, campaigns } = await listCampaigns(caller.account, query, needs);
      return {
        total_count: total,
        count: campaigns.length,
        offset: from,
        limit: max,
        campaigns: campaigns.map(campaignOnWire),
      };
    },
  });

  const getDetectCampaign = defineOperation({
    ...shared,
    id: 'getDetectCampaign',
    route: 'GET /intel-detect/campaigns/details/',
    permission: 'read',
    summary: 'A campaign with what links its members',
    parameters: Type.Object({ id: CampaignId }),
    response: CampaignOnWire,
    charge: (context) => generalCharge(context, settings),
    handle: async ({ caller, parameters: { id } }) =>
      campaignOnWire(await getCampaign(caller.account, id, needs)),
  });

  const getDetectCampaignMembers = defineOperation({
    ...shared,
    id: 'getDetectCampaignMembers',
    route: 'GET /intel-detect/campaigns/members/',
    permission: 'read',
    summary: 'Lists the members of a campaign',
    description: 'The latest to join first.',
    parameters: Type.Object({
      id: CampaignId,
      offset: offset(offsetMax),
      limit: limit(memberPageMax, `by default ${usualPage}`),
    }),
    response: Type.Object({ ...page, members: Type.Array(CampaignMemberOnWire) }),
    charge: (context) => generalCharge(context, settings),
    handle: async ({ caller, parameters: { id, offset: from = 0, limit: max = usualPage } }) => {
      const { total, members } = await listMembers(caller.account, id, { offset: from, limit: max }, needs);
      return {
        total_count: total,
        count: members.length,
        offset: from,
        limit: max,
        members: members.map(memberOnWire),
      };
    },
  });

  const getDetectCampaignTimeline = defineOperation({
    ...shared,
    id: 'getDetectCampaignTimeline',
    route: 'GET /intel-detect/campaigns/timeline/',
    permission: 'read',
    summary: 'What happened in a campaign, the oldest first',
    parameters: Type.Object({ id: CampaignId }),
    response: Type.Object({
      events: Type.Array(TimelineEventOnWire),
      truncated: Type.Boolean({ description: 'only the first thousand members are shown' }),
    }),
    charge: (context) => generalCharge(context, settings),
    handle: async ({ caller, parameters: { id } }) => {
      const { events, isTruncated } = await campaignTimeline(caller.account, id, needs);
      return { events: events.map(timelineEventOnWire), truncated: isTruncated };
    },
  });

  return [getDetectCampaigns, getDetectCampaign, getDetectCampaignMembers, getDetectCampaignTimeline];
}

function writeOperations(needs: CampaignOperationNeeds): readonly Operation[] {
  const { settings } = needs;

  const postDetectCampaign = defineOperation({
    ...shared,
    id: 'postDetectCampaign',
    route: 'POST /intel-detect/campaigns/',
    permission: 'triage',
    summary: 'Makes a campaign of domains on the lists',
    description: 'Domains that are members of another campaign leave it.',
    parameters: Type.Object({
      name: Type.String({ maxLength: campaignNameMax }),
      domains: Names('its members'),
    }),
    response: CampaignOnWire,
    charge: (context) => generalCharge(context, settings),
    handle: async ({ caller, parameters, nowMs }) =>
      campaignOnWire(await makeCampaign(caller, parameters, needs, nowMs)),
  });

  const patchDetectCampaign = defineOperation({
    ...shared,
    id: 'patchDetectCampaign',
    route: 'PATCH /intel-detect/campaigns/',
    permission: 'triage',
    summary: 'Renames, annotates, follows or closes a campaign',
    parameters: Type.Object({
      id: CampaignId,
      name: Type.Optional(Type.String({ maxLength: campaignNameMax })),
      note: Type.Optional(Type.String({ maxLength: campaignNoteMax })),
      followed: Type.Optional(Type.Boolean({ description: 'whether a new member raises an alert' })),
      state: Type.Optional(choice(campaignStates, 'a closed one raises no alerts')),
    }),
    response: CampaignOnWire,
    charge: (context) => generalCharge(context, settings),
    handle: async ({ caller, parameters: { id, ...change } }) =>
      campaignOnWire(await changeCampaign(caller, id, definedMembers(change), needs)),
  });

  const deleteDetectCampaign = defineOperation({
    ...shared,
    id: 'deleteDetectCampaign',
    route: 'DELETE /intel-detect/campaigns/',
    permission: 'triage',
    summary: 'Forgets a campaign',
    description: 'It is not found again until twice as many domains belong together.',
    parameters: Type.Object({ id: CampaignId }),
    response: Type.Object({ id: Type.String() }),
    charge: (context) => generalCharge(context, settings),
    handle: async ({ caller, parameters: { id } }) => {
      await forgetCampaign(caller, id, needs);
      return { id };
    },
  });

  const postDetectCampaignMembers = defineOperation({
    ...shared,
    id: 'postDetectCampaignMembers',
    route: 'POST /intel-detect/campaigns/members/',
    permission: 'triage',
    summary: 'Adds domains of the lists to a campaign, or removes members',
    description: 'Added domains leave other campaigns. Removed ones never come back by themselves.',
    parameters: Type.Object({
      id: CampaignId,
      add: Type.Optional(Names('become members')),
      remove: Type.Optional(Names('no longer are')),
    }),
    response: CampaignOnWire,
    charge: (context) => generalCharge(context, settings),
    handle: async ({ caller, parameters: { id, add = [], remove = [] }, nowMs }) =>
      campaignOnWire(await changeMembers(caller, { id, add, remove }, needs, nowMs)),
  });

  return [postDetectCampaign, patchDetectCampaign, deleteDetectCampaign, postDetectCampaignMembers];
}
