/** `nameglass campaign members` and `timeline`. */
import type { Command } from 'commander';
import { readPositive } from '../../argument-readers.ts';
import { type Column, member } from '../../listing/column.ts';
import type { CliNeeds } from '../../needs.ts';
import { minute } from '../detect/watchlist-domain.ts';
import { type Remote, type RemoteOptions, remoteAction, withRemote } from '../remote-command.ts';
import { type CampaignMember, campaignsPath, linkText, type TimelineEvent } from './campaign-wire.ts';
import { getCampaign } from './find-campaign.ts';

const memberColumns: readonly Column<CampaignMember>[] = [
  member('domain', { keep: true }),
  member('risk_score', { title: 'RISK', right: true }),
  member('state', { title: 'LIST' }),
  { name: 'joined_date', title: 'JOINED', value: ({ joined_date: date }) => minute(date) },
  { name: 'first_seen_date', title: 'FIRST SEEN', value: ({ first_seen_date: date }) => minute(date) },
  { name: 'links', value: ({ origin, links }) => (origin === 'added' ? 'added' : links.map(linkText)) },
];

const timelineColumns: readonly Column<TimelineEvent>[] = [
  { name: 'date', value: ({ date }) => minute(date) },
  { name: 'kind', value: ({ kind }) => kind.replaceAll('_', ' ') },
  { name: 'subject', keep: true, value: subjectText },
];

function subjectText({ domain, by, value }: TimelineEvent): string | undefined {
  return domain ?? (by !== undefined && value !== undefined ? linkText({ by, value }) : undefined);
}

export function addMembers(campaign: Command, needs: CliNeeds): void {
  const members = campaign
    .command('members')
    .description('list the domains of a campaign, the latest to join first')
    .argument('<campaign>', 'id or name')
    .option('-l, --limit <n>', 'at most so many', readPositive, 1000);
  withRemote(members).action(remoteAction(needs, listMembers));
  const timeline = campaign
    .command('timeline')
    .description('list what happened in a campaign, the oldest first')
    .argument('<campaign>', 'id or name');
  withRemote(timeline).action(remoteAction(needs, showTimeline));
}

async function listMembers(remote: Remote, given: string): Promise<void> {
  const { limit } = remote.options as RemoteOptions & { readonly limit: number };
  const { id } = await getCampaign(remote, given);
  const output = remote.listing(memberColumns);
  const query = { id, limit: Math.min(limit, 500) };
  for await (const one of remote.client.pages<CampaignMember>(`${campaignsPath}members/`, { query })) {
    await output.add(one);
    if (output.count >= limit) break;
  }
  await output.end();
}

async function showTimeline(remote: Remote, given: string): Promise<void> {
  const { id } = await getCampaign(remote, given);
  const { events, truncated } = await remote.client.json<{
    readonly events: readonly TimelineEvent[];
    readonly truncated: boolean;
  }>(`${campaignsPath}timeline/`, { query: { id } });
  const output = remote.listing(timelineColumns);
  for (const event of events) await output.add(event);
  await output.end();
  if (truncated) remote.note('The campaign has more members than the timeline shows.');
}
