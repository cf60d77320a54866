/** A campaign as a STIX 2.1 bundle, for the web UI. */
import { Type } from 'typebox';
import { type CampaignStixNeeds, sendCampaignStix } from '../../campaign/send-campaign-stix.ts';
import { defineWebOperation, type WebOperation } from '../web-operation.ts';

export function campaignStixWebOperation(needs: CampaignStixNeeds): WebOperation {
  return defineWebOperation({
    method: 'GET',
    path: '/campaigns/:id/stix',
    access: 'read',
    product: 'intel-detect-monitors',
    charge: 'page',
    summary: 'A campaign as a STIX 2.1 bundle',
    params: Type.Object({ id: Type.String({ maxLength: 100 }) }),
    respond: ({ caller: { account }, params: { id }, nowMs, request, reply }) =>
      sendCampaignStix({ account, id, nowMs }, needs, request, reply),
  });
}
