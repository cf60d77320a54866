/** `nameglass detect list` and `show`. */
import { type Command, Option } from 'commander';
import { type DomainState, domainStates } from '../../../model/detect/watchlist.ts';
import { collect, readWhole } from '../../argument-readers.ts';
import type { CliNeeds } from '../../needs.ts';
import { counted } from '../../output.ts';
import { givenValues } from '../given-names.ts';
import { readPastTime } from '../past-time.ts';
import { type Remote, type RemoteOptions, remoteAction, withRemote } from '../remote-command.ts';
import { showAll } from '../show-one.ts';
import { type DomainFilter, getDomains, matchingDomains } from './find-domains.ts';
import { type RiskBounds, readRisk } from './risk-bounds.ts';
import { domainSections, listColumns } from './watchlist-domain.ts';

export interface FilterOptions extends RemoteOptions {
  readonly state?: DomainState | 'all';
  readonly risk?: RiskBounds;
  readonly monitor?: string;
  readonly tld?: readonly string[];
  readonly search?: string;
  readonly since?: number;
  readonly changedSince?: number;
  readonly escalated?: string;
  readonly resolvedByUs?: boolean;
}

/** What fits a terminal; a pipe gets all. */
const rowsOnTerminal = 50;

export function withFilter(command: Command): Command {
  return command
    .optionsGroup('Which domains:')
    .addOption(new Option('--state <state>', 'list (default: new)').choices([...domainStates, 'all']))
    .addOption(new Option('--risk <scores>', "such as '>90', '<40' or 70-99").argParser(readRisk))
    .option('--monitor <id>', 'found by this monitor')
    .option('--tld <tlds...>', 'with one of these top-level domains', collect(String))
    .option('--search <text>', 'with this in the name')
    .option('--since <time>', 'discovered since: 7d, 12h, a date', readPastTime)
    .option('--changed-since <time>', 'whose DNS or registration changed since', readPastTime)
    .addOption(
      new Option('--escalated <type>', 'escalated in this way').choices(['blocked', 'external_safe']),
    )
    .option('--resolved-by-us', 'that our own sensors saw resolved')
    .option('--no-resolved-by-us', 'that they did not see resolved');
}

export function filterOf(options: FilterOptions): DomainFilter {
  const {
    state = 'new',
    risk,
    monitor,
    tld,
    search,
    since,
    changedSince,
    escalated,
    resolvedByUs,
    sort,
  } = options;
  const order = sort && serverSorts[sort.field];
  return {
    states: state === 'all' ? domainStates : [state],
    risk,
    query: {
      monitor_id: monitor,
      'tlds[]': tld,
      search,
      discovered_since: instant(since),
      changed_since: instant(changedSince),
      'escalation_types[]': escalated,
      resolved_by_us: resolvedByUs,
      ...(order ? { 'sort[]': order, order: sort.descending ? 'desc' : 'asc' } : {}),
    },
  };
}

export function hasFilter({
  state,
  risk,
  monitor,
  tld,
  search,
  since,
  changedSince,
  escalated,
  resolvedByUs,
}: FilterOptions): boolean {
  return [state, risk, monitor, tld, search, since, changedSince, escalated, resolvedByUs].some(
    (each) => each !== undefined,
  );
}

/** The lists that are cut begin with the right ones. */
const serverSorts: Readonly<Record<string, string>> = {
  risk_score: 'risk_score',
  discovered: 'discovered_date',
  discovered_date: 'discovered_date',
  changed_date: 'changed_date',
};

function instant(seconds: number | undefined): string | undefined {
  if (seconds === undefined) return undefined;
  return seconds < 0 ? String(seconds) : new Date(seconds * 1000).toISOString();
}

export function addList(detect: Command, needs: CliNeeds): void {
  const command = detect
    .command('list')
    .description('list lookalikes: new ones, watched ones or ignored ones')
    .option('-l, --limit <n>', 'at most so many; 0: all (default: 50 on a terminal, else all)', readWhole);
  withRemote(withFilter(command)).action(remoteAction(needs, list));
}

async function list(remote: Remote): Promise<void> {
  const options = remote.options as FilterOptions & { limit?: number };
  const output = remote.listing(listColumns);
  const limit = options.limit ?? (output.format === 'table' ? rowsOnTerminal : 0);
  let isCut = false;
  for await (const domain of matchingDomains(remote.client, filterOf(options))) {
    isCut = limit > 0 && output.count === limit;
    if (isCut) break;
    await output.add(domain);
  }
  await output.end();
  if (isCut) remote.note(`The first ${counted(limit, 'domain')}; --limit 0 lists all.`);
  else remote.total(`${counted(output.count, 'domain')}.`);
}

export function addShow(detect: Command, needs: CliNeeds): void {
  const command = detect
    .command('show')
    .description('show domains of the watchlist, and why they are there')
    .argument('[domains...]', 'domains or ids; - or nothing reads standard input');
  withRemote(command).action(remoteAction(needs, show));
}

async function show(remote: Remote, given: readonly string[]): Promise<void> {
  const values = givenValues(given, 'domains');
  const domains = await getDomains(remote.client, values, { include_domain_data: true });
  const rows = (async function* () {
    yield* domains;
  })();
  await showAll(rows, { columns: listColumns, sections: domainSections }, remote);
}
