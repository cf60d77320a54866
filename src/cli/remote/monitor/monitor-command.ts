/** `nameglass monitor`: the terms that an account protects. */
import type { Command } from 'commander';
import { collect, readPositive } from '../../argument-readers.ts';
import { type Column, member } from '../../listing/column.ts';
import type { CliNeeds } from '../../needs.ts';
import { counted } from '../../output.ts';
import { type Remote, type RemoteOptions, remoteAction, withRemote } from '../remote-command.ts';
import { exitCodes, RemoteFailure } from '../remote-failure.ts';
import { showOne } from '../show-one.ts';
import { allMonitors } from './all-monitors.ts';
import { addApply } from './apply-files.ts';
import { addExport } from './export-files.ts';
import type { Monitor } from './monitor-wire.ts';
import { addLearning } from './suggestions.ts';
import { addTest } from './test-names.ts';

interface SettingsOptions extends RemoteOptions {
  readonly substringVariations?: boolean;
  readonly passiveOnly?: boolean;
  readonly excludeText?: readonly string[];
  readonly excludeNameserver?: readonly string[];
}

const columns: readonly Column<Monitor>[] = [
  member('term', { keep: true }),
  member('state'),
  member('status'),
  {
    name: 'variations',
    value: ({ match_substring_variations: inside }) => (inside ? 'inside names too' : 'whole labels'),
  },
  { name: 'excluded', value: (monitor) => [...monitor.text_exclusions, ...monitor.nameserver_exclusions] },
  { name: 'created', value: ({ created_date: date }) => date.slice(0, 10) },
  member('created_by', { title: 'BY' }),
  member('id', { keep: true }),
];

const help = `
Examples:
  nameglass monitor preview acmebank
  nameglass monitor add acmebank --exclude-text acmebankingforum
  nameglass monitor test new-domains.txt
  nameglass monitor export monitors/
  nameglass monitor test monitors/
  nameglass monitor apply monitors/ --plan
  nameglass monitor suggestions --back-test
`;

export function addMonitor(program: Command, needs: CliNeeds): void {
  const monitor = program.command('monitor').addHelpText('after', help);
  withRemote(monitor.command('list').description('list the monitors')).action(remoteAction(needs, list));
  const add = monitor
    .command('add')
    .description('protect a term')
    .argument('<term>', 'at least 3 characters');
  withRemote(withMonitorSettings(add)).action(remoteAction(needs, addTerm));
  const preview = monitor
    .command('preview')
    .description('what a monitor of a term would have found in the last 90 days; stores nothing')
    .argument('<term>', 'at least 3 characters')
    .option('-l, --limit <n>', 'at most so many domains', readPositive, 100);
  withRemote(withMonitorSettings(preview)).action(remoteAction(needs, previewTerm));
  const remove = monitor
    .command('remove')
    .description('delete a monitor; domains that no other one matches leave the lists')
    .argument('<monitor>', 'id or term')
    .option('--forget', 'also forget what was decided about its domains, and unblock them');
  withRemote(remove).action(remoteAction(needs, removeMonitor));
  addTest(monitor, needs);
  addApply(monitor, needs);
  addExport(monitor, needs);
  addLearning(monitor, needs);
}

function withMonitorSettings(command: Command): Command {
  return command
    .option('--substring-variations', 'also find variations inside longer names')
    .option('--passive-only', 'ask nothing of the servers of what it finds')
    .option('--exclude-text <texts...>', 'leave out names that contain one of these', collect(String))
    .option(
      '--exclude-nameserver <hosts...>',
      'leave out domains whose name servers all match; * is any text',
      collect(String),
    );
}

function bodyOf(term: string, options: SettingsOptions): object {
  return {
    term,
    match_substring_variations: options.substringVariations ?? false,
    ...(options.passiveOnly ? { passive_only: true } : {}),
    ...(options.excludeText ? { text_exclusions: options.excludeText } : {}),
    ...(options.excludeNameserver ? { nameserver_exclusions: options.excludeNameserver } : {}),
  };
}

async function list(remote: Remote): Promise<void> {
  const output = remote.listing(columns);
  for await (const monitor of allMonitors(remote)) await output.add(monitor);
  await output.end();
  if (output.count === 0) remote.note('There are no monitors; nameglass monitor add TERM makes one.');
}

async function addTerm(remote: Remote, term: string): Promise<void> {
  const body = bodyOf(term, remote.options);
  const { monitor } = await remote.client.json<{ monitor: Monitor }>('/v1/intel-detect/monitors/', { body });
  const details = (row: Monitor) => [
    {
      details: [
        { name: 'term', value: row.term, colour: 'bold' as const },
        { name: 'id', value: row.id },
        { name: 'status', value: row.status },
      ],
    },
  ];
  await showOne(monitor, { columns, sections: details }, remote);
  remote.note('All known names are searched now; nameglass detect list shows what is found.');
}

interface Preview {
  readonly total_count: number;
  readonly searched_names: number;
  readonly complete: boolean;
  readonly days: number;
  readonly domains: readonly object[];
}

const previewColumns: readonly Column<object>[] = [
  member('domain', { keep: true }),
  member('first_seen'),
  { name: 'class', value: member<object>('match.class').value },
  { name: 'explanation', value: member<object>('match.explanation').value },
];

async function previewTerm(remote: Remote, term: string): Promise<void> {
  const options = remote.options as SettingsOptions & { limit: number };
  const body = { ...bodyOf(term, options), limit: Math.min(options.limit, 100) };
  const found = await remote.client.json<Preview>('/v1/intel-detect/monitors/preview/', { body });
  const output = remote.listing(previewColumns);
  for (const domain of found.domains) await output.add(domain);
  await output.end();
  const names = `${counted(found.searched_names, 'name')} of the last ${found.days} days`;
  const cut = found.complete ? '' : ' The search stopped at its limit of time or results.';
  remote.note(`${counted(found.total_count, 'domain')} among ${names}.${cut}`);
}

async function removeMonitor(remote: Remote, given: string): Promise<void> {
  const { forget = false } = remote.options as RemoteOptions & { forget?: boolean };
  const { id, term } = await getMonitor(remote, given);
  const query = { monitor_id: id, ...(forget ? { forget: true } : {}) };
  const answer = await remote.client.json<{ domains: Record<string, number> }>('/v1/intel-detect/monitors/', {
    method: 'DELETE',
    query,
  });
  const { removed = 0, remembered = 0, blocked = 0 } = answer.domains;
  await showOne(
    { id, term, removed, remembered, blocked },
    {
      columns: [],
      sections: (row) => [{ details: Object.entries(row).map(([name, value]) => ({ name, value })) }],
    },
    remote,
  );
  remote.note(`Deleted the monitor of ${term}.`);
}

async function getMonitor(remote: Remote, given: string): Promise<Monitor> {
  const found: Monitor[] = [];
  for await (const monitor of allMonitors(remote))
    if (monitor.id === given || monitor.term.toLowerCase() === given.toLowerCase()) found.push(monitor);
  const [only, ...others] = found;
  if (!only) throw new RemoteFailure(`there is no monitor ${given}`, exitCodes.notFound);
  if (others.length > 0)
    throw new RemoteFailure(
      `${found.length} monitors have this term; give the id: ${found.map(({ id }) => id).join(', ')}`,
    );
  return only;
}
