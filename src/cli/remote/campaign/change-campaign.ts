/** `nameglass campaign make`, `follow`, `rename`, `add` and everything else that changes one. */
import type { Command } from 'commander';
import type { CliNeeds } from '../../needs.ts';
import { counted } from '../../output.ts';
import { collected, givenValues, hostIn } from '../given-names.ts';
import { type Remote, remoteAction, withRemote } from '../remote-command.ts';
import { showOne } from '../show-one.ts';
import { type Campaign, campaignsPath } from './campaign-wire.ts';
import { getCampaign } from './find-campaign.ts';

type ShowCampaign = (remote: Remote, campaign: Campaign) => Promise<void>;

interface Change {
  readonly name: string;
  readonly description: string;
  readonly body: object;
  readonly done: string;
}

const changes: readonly Change[] = [
  {
    name: 'follow',
    description: 'raise an alert when a domain joins the campaign',
    body: { followed: true },
    done: 'Followed: a domain that joins raises an alert.',
  },
  {
    name: 'unfollow',
    description: 'raise no more alerts',
    body: { followed: false },
    done: 'No longer followed.',
  },
  {
    name: 'close',
    description: 'the campaign is over: it raises no alerts',
    body: { state: 'closed' },
    done: 'Closed; nameglass campaign reopen undoes it.',
  },
  {
    name: 'reopen',
    description: 'make a closed campaign active',
    body: { state: 'active' },
    done: 'Active.',
  },
];

export function addChanges(campaign: Command, needs: CliNeeds, show: ShowCampaign): void {
  const make = campaign
    .command('make')
    .description('make a campaign of domains on the lists')
    .argument('<name>', 'its name')
    .argument('[domains...]', 'domains; - or nothing reads standard input');
  withRemote(make).action(
    remoteAction(needs, async (remote: Remote, name: string, names: readonly string[]) => {
      const domains = await hostsOf(names);
      await show(remote, await remote.client.json<Campaign>(campaignsPath, { body: { name, domains } }));
    }),
  );
  for (const { name, description, body, done } of changes)
    withRemote(campaign.command(name).description(description).argument('<campaign>', 'id or name')).action(
      remoteAction(needs, async (remote: Remote, given: string) => {
        await show(remote, await change(remote, given, body));
        remote.note(done);
      }),
    );
  addTexts(campaign, needs, show);
  addMemberChanges(campaign, needs, show);
  const forget = campaign
    .command('forget')
    .description('delete a campaign; it is found again only when twice as many domains belong together')
    .argument('<campaign>', 'id or name');
  withRemote(forget).action(remoteAction(needs, forgetCampaign));
}

function addTexts(campaign: Command, needs: CliNeeds, show: ShowCampaign): void {
  const rename = campaign
    .command('rename')
    .description('give a campaign another name')
    .argument('<campaign>', 'id or name')
    .argument('<new-name>');
  withRemote(rename).action(
    remoteAction(needs, async (remote: Remote, given: string, name: string) =>
      show(remote, await change(remote, given, { name })),
    ),
  );
  const note = campaign
    .command('note')
    .description('write the note of a campaign')
    .argument('<campaign>', 'id or name')
    .argument('<text>', 'an empty one removes the note');
  withRemote(note).action(
    remoteAction(needs, async (remote: Remote, given: string, text: string) =>
      show(remote, await change(remote, given, { note: text })),
    ),
  );
}

function addMemberChanges(campaign: Command, needs: CliNeeds, show: ShowCampaign): void {
  const kinds = [
    { name: 'add', description: 'add domains on the lists to a campaign; they leave others', done: 'added' },
    { name: 'remove', description: 'remove domains; they do not come back by themselves', done: 'removed' },
  ] as const;
  for (const { name, description, done } of kinds) {
    const command = campaign
      .command(name)
      .description(description)
      .argument('<campaign>', 'id or name')
      .argument('[domains...]', 'domains; - or nothing reads standard input');
    withRemote(command).action(
      remoteAction(needs, async (remote: Remote, given: string, names: readonly string[]) => {
        const domains = await hostsOf(names);
        const { id } = await getCampaign(remote, given);
        const body = { id, [name]: domains };
        await show(remote, await remote.client.json<Campaign>(`${campaignsPath}members/`, { body }));
        remote.note(`${counted(domains.length, 'domain')} ${done}.`);
      }),
    );
  }
}

async function hostsOf(names: readonly string[]): Promise<string[]> {
  return (await collected(givenValues(names, 'domains'))).map(hostIn);
}

async function change(remote: Remote, given: string, body: object): Promise<Campaign> {
  const { id } = await getCampaign(remote, given);
  return remote.client.json<Campaign>(campaignsPath, { method: 'PATCH', body: { id, ...body } });
}

async function forgetCampaign(remote: Remote, given: string): Promise<void> {
  const { id, name } = await getCampaign(remote, given);
  await remote.client.json(campaignsPath, { method: 'DELETE', query: { id } });
  const details = (row: { id: string; name: string }) => [
    { details: Object.entries(row).map(([key, value]) => ({ name: key, value })) },
  ];
  await showOne({ id, name }, { columns: [], sections: details }, remote);
  remote.note(`Forgot the campaign ${name}.`);
}
