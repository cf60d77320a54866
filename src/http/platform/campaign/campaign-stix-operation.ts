/** Downloads a campaign as a STIX 2.1 bundle. */
import { Type } from 'typebox';
import type { Settings } from '../../../model/settings/settings.ts';
import { type CampaignStixNeeds, sendCampaignStix } from '../../campaign/send-campaign-stix.ts';
import { generalCharge } from '../detect/charges.ts';
import { families } from '../families.ts';
import { defineOperation, type Operation } from '../operation/define-operation.ts';

export interface CampaignStixOperationNeeds extends CampaignStixNeeds {
  readonly settings: Settings;
}

export function campaignStixOperation(needs: CampaignStixOperationNeeds): Operation {
  return defineOperation({
    id: 'getDetectCampaignStix',
    family: families.campaign,
    route: 'GET /intel-detect/campaigns/stix/',
    product: 'intel-detect-monitors',
    permission: 'read',
    summary: 'Downloads a campaign as a STIX 2.1 bundle',
    description:
      'The campaign, its domains, their indicators and the addresses that link them, and one grouping of all of them. Domains that were ignored have no indicator.',
    parameters: Type.Object({ id: Type.String({ maxLength: 100, description: 'of the campaign' }) }),
    responses: {
      200: {
        description: 'A STIX 2.1 bundle',
        content: { 'application/stix+json': { schema: Type.String({ description: 'a bundle, as JSON' }) } },
      },
    },
    charge: (context) => generalCharge(context, needs.settings),
    parse: ({ caller: { account }, parameters: { id }, nowMs }) => ({ account, id, nowMs }),
    respond: (wanted, request, reply) => sendCampaignStix(wanted, needs, request, reply),
  });
}
