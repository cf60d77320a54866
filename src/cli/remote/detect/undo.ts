/** `nameglass detect undo`: reverts a decision, by default the last one of the user. */
import type { Command } from 'commander';
import { type Column, member } from '../../listing/column.ts';
import type { CliNeeds } from '../../needs.ts';
import { counted } from '../../output.ts';
import { type Remote, type RemoteOptions, remoteAction, withRemote } from '../remote-command.ts';
import { exitCodes, RemoteFailure } from '../remote-failure.ts';
import { minute } from './watchlist-domain.ts';

interface Options extends RemoteOptions {
  readonly list?: boolean;
  readonly dryRun?: boolean;
  readonly skipConflicts?: boolean;
}

interface Decision {
  readonly id: string;
  readonly decision: string;
  readonly created_by: string;
  readonly created_date: string;
  readonly domain_count: number;
  readonly domains: readonly string[];
  readonly can_undo: boolean;
}

interface Undone {
  readonly watchlist_domains: readonly {
    readonly id: string;
    readonly domain: string;
    readonly state: string;
  }[];
  readonly kept: readonly { readonly id: string; readonly reason: string }[];
}

const path = '/v1/intel-detect/decisions/';

const decisionColumns: readonly Column<Decision>[] = [
  { name: 'created', value: ({ created_date: date }) => minute(date) },
  member('created_by', { title: 'BY' }),
  member('decision'),
  member('domain_count', { title: 'COUNT', right: true }),
  { name: 'can_undo', title: 'CAN BE UNDONE', value: ({ can_undo: can }) => (can ? 'yes' : 'no') },
  member('id', { keep: true }),
  member('domains'),
];

export function addUndo(detect: Command, needs: CliNeeds): void {
  const command = detect
    .command('undo')
    .description('revert a decision: domains are as they were before, and off the blocklists')
    .argument('[decision]', 'id of a decision (default: your last one that can be undone)')
    .option('--list', 'list the last decisions of all users')
    .option('--dry-run', 'only show which decision would be undone')
    .option('--skip-conflicts', 'leave domains alone about which somebody has decided since');
  withRemote(command).action(remoteAction(needs, undo));
}

async function undo(remote: Remote, id: string | undefined): Promise<void> {
  const options = remote.options as Options;
  if (options.list) return writeDecisions(await listDecisions(remote, {}), remote);
  if (options.dryRun && id === undefined) return writeDecisions([await getLast(remote)], remote);
  const decisionId = id ?? (await getLast(remote)).id;
  const body = { decision_id: decisionId, ...(options.skipConflicts ? { skip_conflicts: true } : {}) };
  const { watchlist_domains: domains, kept } = await remote.client.json<Undone>(`${path}undo/`, { body });
  const output = remote.listing([member<object>('domain'), member<object>('state'), member<object>('id')]);
  for (const domain of domains) await output.add(domain);
  await output.end();
  for (const { id: keptId, reason } of kept) remote.note(`${keptId}: ${reason}`);
  remote.note(`Undone: ${counted(domains.length, 'domain')} as before.`);
}

async function getLast(remote: Remote): Promise<Decision> {
  const { response } = await remote.client.json<{ response: { user: { username: string } } }>(
    '/v1/account/user/',
  );
  const own = await listDecisions(remote, { by: response.user.username });
  const last = own.find((decision) => decision.can_undo);
  if (!last) throw new RemoteFailure('there is no decision of yours that can be undone', exitCodes.notFound);
  return last;
}

async function listDecisions({ client }: Remote, query: { by?: string }): Promise<readonly Decision[]> {
  const answer = await client.json<{ decisions: readonly Decision[] }>(path, {
    query: { ...query, limit: 50 },
  });
  return answer.decisions;
}

async function writeDecisions(decisions: readonly Decision[], { listing }: Remote): Promise<void> {
  const output = listing(decisionColumns);
  for (const decision of decisions) await output.add(decision);
  await output.end();
}
