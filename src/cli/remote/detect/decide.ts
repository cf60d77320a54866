/** `nameglass detect watch`, `ignore` and `block`: decisions about domains that are named, or that match a filter. */
import type { Command } from 'commander';
import { type Column, member } from '../../listing/column.ts';
import type { CliNeeds } from '../../needs.ts';
import { counted } from '../../output.ts';
import { collected, givenValues, inGroups } from '../given-names.ts';
import { confirm } from '../prompt.ts';
import { type Remote, remoteAction, withRemote } from '../remote-command.ts';
import { exitCodes, RemoteFailure, usageFailure } from '../remote-failure.ts';
import { getDomains, matchingDomains } from './find-domains.ts';
import { type FilterOptions, filterOf, hasFilter, withFilter } from './list.ts';
import type { WatchlistDomain } from './watchlist-domain.ts';

interface Decision {
  readonly verb: string;
  readonly about: string;
  readonly to: string;
  readonly perRequest: number;
  readonly isDone: (domain: WatchlistDomain) => boolean;
  readonly request: (ids: readonly string[]) => { path: string; method: 'PATCH' | 'POST'; body: object };
}

const triage = (verb: string, state: 'watched' | 'ignored', about: string): Decision => ({
  verb,
  about,
  to: state,
  perRequest: 1000,
  isDone: (domain) => domain.state === state,
  request: (ids) => ({
    path: '/v1/intel-detect/domains/',
    method: 'PATCH',
    body: { watchlist_domain_ids: ids, state },
  }),
});

const decisions: readonly Decision[] = [
  triage('watch', 'watched', 'watch domains: they are probed daily, and their changes are reported'),
  triage('ignore', 'ignored', 'ignore domains: nothing more is reported about them'),
  {
    verb: 'block',
    about: 'put domains on the blocklists, and watch them',
    to: 'blocked',
    perRequest: 100,
    isDone: ({ escalations }) => escalations.some((each) => each.escalation_type === 'blocked'),
    request: (ids) => ({
      path: '/v1/intel-detect/escalations/',
      method: 'POST',
      body: { watchlist_domain_ids: ids, escalation_type: 'blocked' },
    }),
  },
];

interface Options extends FilterOptions {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

interface Row {
  readonly domain: string;
  readonly id: string;
  readonly risk_score: number | null;
  readonly from: string;
  readonly to: string;
}

const columns: readonly Column<Row>[] = [
  member('domain', { keep: true }),
  member('risk_score', { title: 'RISK', right: true }),
  member('from'),
  member('to'),
  member('id', { keep: true }),
];

export function addDecisions(detect: Command, needs: CliNeeds): void {
  for (const decision of decisions) {
    const command = detect
      .command(decision.verb)
      .description(decision.about)
      .argument('[domains...]', 'domains or ids; - or nothing reads standard input')
      .option('--dry-run', 'only show what would change')
      .option('-y, --yes', 'do not ask before domains that a filter selects are changed');
    withRemote(withFilter(command)).action(
      remoteAction(needs, (remote: Remote, given: readonly string[]) => decide(decision, given, remote)),
    );
  }
}

async function decide(decision: Decision, given: readonly string[], remote: Remote): Promise<void> {
  const options = remote.options as Options;
  const isFiltered = hasFilter(options);
  if (isFiltered && given.length > 0) throw usageFailure('give domains or a filter, not both');
  const found = isFiltered
    ? await collected(matchingDomains(remote.client, filterOf(options)))
    : await getDomains(remote.client, givenValues(given, 'domains'));
  const open = found.filter((domain) => !decision.isDone(domain));
  const done = found.length - open.length;
  if (done > 0)
    remote.note(`${counted(done, 'domain')} ${done === 1 ? 'is' : 'are'} ${decision.to} already.`);
  if (options.dryRun) {
    await write(open, decision, remote);
    return remote.note(`${counted(open.length, 'domain')} would be ${decision.to}; nothing was changed.`);
  }
  if (isFiltered && open.length > 0 && !options.yes) await getConsent(decision, open.length);
  for await (const group of inGroups(asyncly(open), decision.perRequest)) {
    const { path, ...request } = decision.request(group.map(({ id }) => id));
    await remote.client.request(path, request);
  }
  await write(open, decision, remote);
  if (open.length > 0)
    remote.note(
      `${counted(open.length, 'domain')} ${open.length === 1 ? 'is' : 'are'} ${decision.to} now; nameglass detect undo reverts it.`,
    );
}

async function getConsent({ verb }: Decision, count: number): Promise<void> {
  if (!process.stdin.isTTY)
    throw usageFailure(`${counted(count, 'domain')} would change: --yes does it, --dry-run shows which`);
  if (!(await confirm(`${verb} ${counted(count, 'domain')}?`)))
    throw new RemoteFailure('nothing was changed', exitCodes.error);
}

async function write(
  domains: readonly WatchlistDomain[],
  { to }: Decision,
  { listing }: Remote,
): Promise<void> {
  const output = listing(columns);
  for (const { domain, id, risk_score, state } of domains)
    await output.add({ domain, id, risk_score, from: state, to });
  await output.end();
}

async function* asyncly<Value>(values: readonly Value[]): AsyncGenerator<Value> {
  yield* values;
}
