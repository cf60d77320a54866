/** `nameglass domain`: what is known about a domain, on one page. */
import { spawn } from 'node:child_process';
import type { Command } from 'commander';
import type { Dossier } from '../../../product/assistant/dossier/dossier.ts';
import { riskColour } from '../../listing/colour.ts';
import { type Column, member } from '../../listing/column.ts';
import type { CliNeeds } from '../../needs.ts';
import { givenValues, hostIn } from '../given-names.ts';
import { type Remote, type RemoteOptions, remoteAction, withRemote } from '../remote-command.ts';
import { exitCodes, RemoteFailure } from '../remote-failure.ts';
import { showAll } from '../show-one.ts';
import { dossierText } from './dossier-text.ts';

const help = `
The name may be a URL or defanged (hxxps://evil[.]example/login). Everything that third parties wrote, such as titles and names of
registrants, is shortened. A domain without a record is judged by its name; if no domain has a record, the exit code is 4.

Examples:
  nameglass domain acme-login.example
  nameglass domain --open acme-login.example
  nameglass domain a.example b.example --fields domain,risk.score,registration.created
`;

const columns: readonly Column<Dossier>[] = [
  member('domain', { keep: true }),
  { name: 'risk_score', title: 'RISK', value: ({ risk }) => risk?.score, colour: riskColour, right: true },
  { name: 'created', value: ({ registration }) => registration?.created },
  { name: 'state', value: ({ watchlist }) => watchlist?.state },
  member('summary'),
];

export function addDomain(program: Command, needs: CliNeeds): void {
  const command = program
    .command('domain')
    .argument('[names...]', 'domains; - or nothing reads standard input')
    .option('--open', 'open the page of the domain in the web UI');
  withRemote(command).addHelpText('after', help).action(remoteAction(needs, domain));
}

async function domain(remote: Remote, names: readonly string[]): Promise<void> {
  const { open = false } = remote.options as RemoteOptions & { open?: boolean };
  let known = 0;
  const dossiers = async function* () {
    for await (const name of givenValues(names, 'domains')) {
      const query = { domain: hostIn(name) };
      const { response } = await remote.client.json<{ response: Dossier }>('/v1/domain-dossier/', { query });
      if (response.known) known += 1;
      if (open) openPage(response, remote);
      yield response;
    }
  };
  await showAll(dossiers(), { columns, sections: dossierText }, remote);
  if (known === 0)
    throw new RemoteFailure('there is no record; the risk is by the name alone', exitCodes.notFound);
}

/** In the browser of the desktop; without one the address is printed. */
function openPage({ domain: name, links }: Dossier, { target, note }: Remote): void {
  // Only a web page is handed to the desktop, whatever the server says.
  const own = `${target.server}/ui/domain/${encodeURIComponent(name)}`;
  const url = links.web && /^https?:\/\//.test(links.web) ? links.web : own;
  const program = process.platform === 'darwin' ? 'open' : 'xdg-open';
  const child = spawn(program, [url], { detached: true, stdio: 'ignore' });
  child.once('error', () => note(`No browser was found; the page is ${url}`));
  child.unref();
}
