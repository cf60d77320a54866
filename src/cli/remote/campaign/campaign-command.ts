/** `nameglass campaign`: domains that belong together by what they share, over time. */
import type { Command } from 'commander';
import { readPositive } from '../../argument-readers.ts';
import { type Column, member } from '../../listing/column.ts';
import type { CliNeeds } from '../../needs.ts';
import { hostIn } from '../given-names.ts';
import { type Remote, type RemoteOptions, remoteAction, withRemote } from '../remote-command.ts';
import { showOne } from '../show-one.ts';
import { allCampaigns, type Campaign, linkText } from './campaign-wire.ts';
import { addChanges } from './change-campaign.ts';
import { addExport } from './export-campaign.ts';
import { getCampaign } from './find-campaign.ts';
import { addMembers } from './list-members.ts';

const help = `
A campaign is given by its id, or by its name in quotation marks. A new member of a followed campaign raises an alert.

Examples:
  nameglass campaign list --followed
  nameglass campaign show 'acme parcels'
  nameglass campaign follow 'acme parcels'
  nameglass campaign add 'acme parcels' acme-parcel.example
  nameglass campaign export 'acme parcels' --stix --out parcels.stix.json
`;

const linksShown = 3;

const campaignColumns: readonly Column<Campaign>[] = [
  member('name', { keep: true }),
  member('member_count', { title: 'DOMAINS', right: true }),
  member('max_risk_score', { title: 'RISK', right: true }),
  { name: 'last_joined_date', title: 'LATEST', value: ({ last_joined_date: date }) => date.slice(0, 10) },
  { name: 'followed', value: ({ followed }) => (followed ? 'yes' : '') },
  member('state'),
  { name: 'links', value: ({ links }) => links.slice(0, linksShown).map(linkText) },
  member('id', { keep: true }),
];

interface ListOptions extends RemoteOptions {
  readonly followed?: boolean;
  readonly closed?: boolean;
  readonly domain?: string;
  readonly search?: string;
  readonly limit: number;
}

export function addCampaign(program: Command, needs: CliNeeds): void {
  const campaign = program.command('campaign').addHelpText('after', help);
  const list = campaign
    .command('list')
    .description('list the campaigns, those with the latest members first')
    .option('--followed', 'only those that are followed')
    .option('--closed', 'closed ones instead of active ones')
    .option('--domain <name>', 'only the one that it is a member of', hostIn)
    .option('--search <text>', 'only with it in the name, a member or a shared value')
    .option('-l, --limit <n>', 'at most so many', readPositive, 1000);
  withRemote(list).action(remoteAction(needs, listCampaigns));
  const show = campaign.command('show').description('show a campaign and what links its domains');
  withRemote(show.argument('<campaign>', 'id or name')).action(
    remoteAction(needs, async (remote: Remote, given: string) =>
      showCampaign(remote, await getCampaign(remote, given)),
    ),
  );
  addMembers(campaign, needs);
  addChanges(campaign, needs, showCampaign);
  addExport(campaign, needs);
}

async function listCampaigns(remote: Remote): Promise<void> {
  const { followed = false, closed = false, domain, search, limit } = remote.options as ListOptions;
  const query = {
    ...(followed ? { followed: true } : {}),
    ...(domain === undefined ? { state: closed ? 'closed' : 'active' } : { domain }),
    ...(search === undefined ? {} : { search }),
  };
  const output = remote.listing(campaignColumns);
  for await (const campaign of allCampaigns(remote, query)) {
    await output.add(campaign);
    if (output.count >= limit) break;
  }
  await output.end();
  if (output.count === 0)
    remote.note('There are none: it takes three domains on the lists that share rare values.');
}

function showCampaign(remote: Remote, campaign: Campaign): Promise<void> {
  const sections = (row: Campaign) => [
    {
      details: [
        { name: 'name', value: row.name, colour: 'bold' as const },
        { name: 'state', value: row.followed ? `${row.state}, followed` : row.state },
        { name: 'domains', value: row.member_count },
        { name: 'past domains', value: row.past_member_count === 0 ? '' : row.past_member_count },
        { name: 'highest risk', value: row.max_risk_score },
        { name: 'latest member', value: day(row.last_joined_date) },
        { name: row.origin, value: originText(row) },
        { name: 'monitors', value: row.monitors.map(({ term }) => term) },
        { name: 'note', value: row.note },
        { name: 'id', value: row.id },
      ],
    },
    {
      title: 'Shared values',
      details: row.links.map((link) => ({ name: link.by.replaceAll('_', ' '), value: useText(link) })),
    },
  ];
  return showOne(campaign, { columns: campaignColumns, sections }, remote);
}

const day = (date: string): string => date.slice(0, 10);

function originText({ created_date: date, created_by: by }: Campaign): string {
  return by === null ? day(date) : `${day(date)} by ${by}`;
}

function useText({
  value,
  domains,
  known,
  first_seen_date: first,
  last_seen_date: last,
}: Campaign['links'][number]) {
  return `${value}  (${domains} of its domains, ${known} known, ${day(first)} to ${day(last)})`;
}
