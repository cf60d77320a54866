/** `nameglass campaign export`: a campaign as one STIX 2.1 bundle. */
import { type Command, Option } from 'commander';
import { openSink } from '../../listing/sink.ts';
import type { CliNeeds } from '../../needs.ts';
import { type Remote, type RemoteOptions, remoteAction, withServer } from '../remote-command.ts';
import { campaignsPath } from './campaign-wire.ts';
import { getCampaign } from './find-campaign.ts';

export function addExport(campaign: Command, needs: CliNeeds): void {
  const command = campaign
    .command('export')
    .description('write a campaign, its domains and indicators as one STIX 2.1 bundle')
    .argument('<campaign>', 'id or name')
    .addOption(new Option('--stix', 'as a STIX 2.1 bundle, the only format').default(true))
    .option('--out <file>', 'file to write (default: standard output)');
  withServer(command).action(remoteAction(needs, exportCampaign));
}

async function exportCampaign(remote: Remote, given: string): Promise<void> {
  const { out } = remote.options as RemoteOptions & { readonly out?: string };
  const { id } = await getCampaign(remote, given);
  const response = await remote.client.request(`${campaignsPath}stix/`, { query: { id } });
  const sink = await openSink(out);
  for await (const chunk of response.body ?? []) await sink.write(chunk);
  await sink.end();
}
