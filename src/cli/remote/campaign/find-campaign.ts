/** The campaign that somebody means: by its id, or by its name. */
import { NameglassError } from '../../../client/nameglass-error.ts';
import type { Remote } from '../remote-command.ts';
import { exitCodes, RemoteFailure } from '../remote-failure.ts';
import { allCampaigns, type Campaign, campaignsPath } from './campaign-wire.ts';

/** Longer texts are not searched for. */
const searchMax = 200;

export async function getCampaign(remote: Remote, given: string): Promise<Campaign> {
  try {
    return await remote.client.json<Campaign>(`${campaignsPath}details/`, { query: { id: given } });
  } catch (error) {
    if (!(error instanceof NameglassError) || !['not-found', 'invalid'].includes(error.code)) throw error;
  }
  const found: Campaign[] = [];
  if (given !== '' && given.length <= searchMax)
    for await (const campaign of allCampaigns(remote, { search: given }))
      if (campaign.name.toLowerCase() === given.toLowerCase()) found.push(campaign);
  const [only, ...others] = found;
  if (!only) throw new RemoteFailure(`there is no campaign ${given}`, exitCodes.notFound);
  if (others.length > 0)
    throw new RemoteFailure(
      `${found.length} campaigns have this name; give the id: ${found.map(({ id }) => id).join(', ')}`,
    );
  return remote.client.json<Campaign>(`${campaignsPath}details/`, { query: { id: only.id } });
}
