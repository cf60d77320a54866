/** Sends a campaign as a STIX 2.1 bundle. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Account } from '../../model/account/account.ts';
import { Problem } from '../../model/problem.ts';
import type { Settings } from '../../model/settings/settings.ts';
import { getCampaign } from '../../product/campaigns/campaigns.ts';
import { bundleMembersMax, campaignBundle, scanMembers } from '../../product/campaigns/stix-bundle.ts';
import type { CampaignStore } from '../../store/detect/campaign-store.ts';
import { acceptsGzip } from '../compression.ts';
import type { LogRequest } from '../request-log.ts';
import { sendChunks } from '../send-chunks.ts';

export interface CampaignStixNeeds {
  readonly campaigns: Pick<CampaignStore, 'findCampaign' | 'listMembers'>;
  readonly settings: Pick<Settings, 'feeds' | 'sharing'>;
  readonly logAbandoned: LogRequest;
}

export async function sendCampaignStix(
  wanted: { readonly account: Account; readonly id: string; readonly nowMs: number },
  needs: CampaignStixNeeds,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { account, id, nowMs } = wanted;
  const campaign = await getCampaign(account, id, needs);
  if (campaign.members > bundleMembersMax)
    throw new Problem(
      'request-too-large',
      `The campaign has ${campaign.members} domains, and a bundle holds at most ${bundleMembersMax}.`,
    );
  const options = {
    status: 200,
    headers: {
      'content-type': 'application/stix+json;version=2.1',
      'content-disposition': `attachment; filename="${fileName(id)}"`,
      'cache-control': 'private, no-store',
    },
    gzip: acceptsGzip(request.headers['accept-encoding']),
    stalledSeconds: needs.settings.feeds.stalledSeconds,
    startsWithChunk: true,
    logAbandoned: needs.logAbandoned,
  };
  const members = scanMembers(account.id, campaign, needs.campaigns);
  const context = { account, marking: needs.settings.sharing.tlp, nowMs };
  await sendChunks(request, reply, options, campaignBundle(campaign, members, context));
  return reply;
}

const fileName = (id: string): string => `campaign-${id.replaceAll(/[^\w-]/g, '').slice(0, 40)}.stix.json`;
