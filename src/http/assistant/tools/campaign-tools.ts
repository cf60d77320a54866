/** Campaigns: the list, and one with its members and what links them. Changing them is for people. */
import { Type } from 'typebox';
import { campaignStates } from '../../../model/campaign/campaign.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import { campaignRow, linkRows, memberRow } from '../../../product/assistant/campaign-rows.ts';
import { type Detail, thirdParties } from '../../../product/assistant/third-parties.ts';
import {
  type CampaignNeeds,
  getCampaign,
  listCampaigns,
  listMembers,
} from '../../../product/campaigns/campaigns.ts';
import { fitAnswer, rowsAnswer } from '../answer.ts';
import { type ChargeCallNeeds, chargeCall } from '../charge-call.ts';
import { getDossierDomain } from '../gather-dossier.ts';
import { defineTool, type Tool } from '../tool.ts';
import { Cursor, choiceOf, Domain, input, limitOf } from './inputs.ts';
import { offsetOf } from './lookalike-tools.ts';

export interface CampaignToolNeeds extends CampaignNeeds, ChargeCallNeeds {
  readonly settings: ChargeCallNeeds['settings'] & Pick<Settings, 'assistant'>;
}

const product = 'intel-detect-monitors';
const linksShown = 10;

export function campaignTools(needs: CampaignToolNeeds): readonly Tool[] {
  return [listTool(needs), oneTool(needs)];
}

function listTool(needs: CampaignToolNeeds): Tool {
  return defineTool({
    name: 'campaigns',
    title: 'Campaigns',
    description:
      'Campaigns: lookalikes that belong together because they share a registrant, server, certificate or page, the latest activity first. With a domain, the one that it belongs to. Then use campaign for its members.',
    input: input({
      domain: Type.Optional(Domain),
      state: Type.Optional(choiceOf(campaignStates, 'active: not closed by a person')),
      followed: Type.Optional(Type.Boolean({ description: 'only those whose new members raise an alert' })),
      search: Type.Optional(
        Type.String({ minLength: 1, maxLength: 200, description: 'part of a name, member or shared value' }),
      ),
      limit: limitOf(10, 50),
      cursor: Cursor,
    }),
    products: [product],
    permission: 'read',
    call: async ({ domain, state, followed, search, limit = 10, cursor }, context) => {
      const offset = offsetOf(cursor);
      const query = {
        ...(domain === undefined ? {} : { domain: getDossierDomain('domain', domain) }),
        ...(state === undefined ? {} : { state }),
        ...(followed === undefined ? {} : { followed }),
        ...(search === undefined ? {} : { search }),
        offset,
        limit,
      };
      await chargeCall(context, { product, permission: 'read' }, needs);
      const { total, campaigns } = await listCampaigns(context.caller.account, query, needs);
      const answer = {
        head: { total_count: total },
        name: 'campaigns',
        rowsIn: (detail: Detail) => campaigns.map((campaign) => campaignRow(campaign, detail)),
      };
      return { data: pageOf(answer, { offset, total }, needs) };
    },
  });
}

function oneTool(needs: CampaignToolNeeds): Tool {
  return defineTool({
    name: 'campaign',
    title: 'One campaign with its members',
    description:
      'A campaign with the values that link its members, when they were in use, and the members, the latest to join first.',
    input: input({
      campaign_id: Type.String({ pattern: '^[A-Za-z0-9_-]{1,100}$', description: 'of campaigns' }),
      limit: limitOf(20, 50),
      cursor: Cursor,
    }),
    products: [product],
    permission: 'read',
    call: async ({ campaign_id: id, limit = 20, cursor }, context) => {
      const offset = offsetOf(cursor);
      await chargeCall(context, { product, permission: 'read' }, needs);
      const { account } = context.caller;
      const campaign = await getCampaign(account, id, needs);
      const { total, members } = await listMembers(account, id, { offset, limit }, needs);
      const { from_third_parties: _named, more_values: _more, ...own } = campaignRow(campaign);
      const head = {
        ...own,
        ...thirdParties({ name: campaign.name, note: campaign.note }),
        link_count: campaign.links.length,
        links: linkRows(campaign, linksShown),
      };
      const answer = {
        head,
        name: 'members',
        rowsIn: (detail: Detail) => members.map((member) => memberRow(member, detail)),
      };
      return { data: pageOf(answer, { offset, total }, needs) };
    },
  });
}

interface PageAnswer {
  readonly head: object;
  readonly name: string;
  readonly rowsIn: (detail: Detail) => readonly object[];
}

function pageOf(
  answer: PageAnswer,
  { offset, total }: { readonly offset: number; readonly total: number },
  { settings }: CampaignToolNeeds,
): object {
  const fitted = fitAnswer(answer, settings.assistant.answerBytesMax);
  const next = offset + fitted.rows.length;
  return rowsAnswer(answer, fitted, {
    more: Math.max(0, total - next),
    cursor: next < total && fitted.rows.length > 0 ? String(next) : undefined,
  });
}
