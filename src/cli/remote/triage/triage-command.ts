/** `nameglass triage`: the lookalikes of a watchlist on the whole terminal, with the keys of the web UI. */
import { type Command, Option } from 'commander';
import { type TriageList, triageLists } from '../../../model/triage/triage-lists.ts';
import { collect } from '../../argument-readers.ts';
import { wantsColour } from '../../listing/colour.ts';
import type { CliNeeds } from '../../needs.ts';
import { type RiskBounds, readRisk } from '../detect/risk-bounds.ts';
import { type Remote, type RemoteOptions, remoteAction, withServer } from '../remote-command.ts';
import { explainFailure, usageFailure } from '../remote-failure.ts';
import { TerminalScreen } from './terminal-screen.ts';
import { TriageApi } from './triage-api.ts';
import { TriageSession } from './triage-session.ts';

interface Options extends RemoteOptions {
  readonly list: TriageList;
  readonly search?: string;
  readonly risk?: RiskBounds;
  readonly monitor?: string;
  readonly tld?: readonly string[];
}

const help = `
j and k move, x selects, w watches, i ignores, b blocks, e submits to safe browsing, u undoes, o opens the card, / filters by name,
f by facets, Shift-C groups by cluster, ? shows all keys, q quits. They are the keys of Triage in the web UI. What is decided shows at once; what the server refuses comes back.
In scripts, nameglass detect does the same without a terminal.

Examples:
  nameglass triage
  nameglass triage --risk '>=70' --tld com net
  nameglass triage --list changed --profile work
`;

export function addTriage(program: Command, needs: CliNeeds): void {
  const command = program
    .command('triage')
    .addOption(new Option('--list <list>', 'list to begin with').choices(triageLists).default('new'))
    .addOption(
      new Option('--risk <scores>', "in the ranges of the API that have '>90', '<40' or 70-99").argParser(
        readRisk,
      ),
    )
    .option('--monitor <id>', 'found by this monitor')
    .option('--tld <tlds...>', 'with one of these top-level domains', collect(String))
    .option('--search <text>', 'with this in the name')
    .option('--no-color', 'no colours; the variable NO_COLOR does the same');
  withServer(command).addHelpText('after', help).action(remoteAction(needs, triage));
}

async function triage(remote: Remote): Promise<void> {
  const { client, target, needs } = remote;
  const options = remote.options as Options;
  const { stdin, stdout } = process;
  if (!stdin.isTTY || !stdout.isTTY || needs.environment['TERM'] === 'dumb')
    throw usageFailure(
      'triage needs a terminal; in a script, nameglass detect list, watch, ignore and block do the same',
    );
  const filter = {
    monitor_id: options.monitor,
    'tlds[]': options.tld,
    ...(options.risk ? { 'risk_score_ranges[]': options.risk.ranges } : {}),
  };
  const explain = (error: unknown) => {
    const explained = explainFailure(error, target.server, needs.clock.now());
    if (!explained) throw error;
    return explained.sentence;
  };
  const session = new TriageSession(
    {
      api: new TriageApi(client, filter),
      screen: new TerminalScreen(stdin, stdout, wantsColour(options, needs.environment)),
      server: target.server,
      nowMs: () => needs.clock.now(),
      explain,
    },
    options.list,
    options.search ?? '',
  );
  process.exitCode = await session.run();
}
