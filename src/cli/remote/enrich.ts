/** `nameglass enrich`: the records of many domains, 100 a request. */
import type { Command } from 'commander';
import type { CliNeeds } from '../needs.ts';
import { givenValues, hostIn, inGroups } from './given-names.ts';
import { recordColumns } from './record-columns.ts';
import { type Remote, type RemoteOptions, remoteAction, withRemote } from './remote-command.ts';
import { exitCodes, RemoteFailure } from './remote-failure.ts';

const domainsPerRequest = 100;
const namesShown = 10;

interface Options extends RemoteOptions {
  readonly parsedWhois?: boolean;
  readonly parsedRdap?: boolean;
  readonly screenshots?: boolean;
}

interface EnrichAnswer {
  readonly response: { readonly results: readonly object[]; readonly missing_domains: readonly string[] };
}

const help = `
Names may be URLs or defanged (hxxps://evil[.]example). Those without a record are named on standard error; if there is none
at all, the exit code is 4.

Examples:
  nameglass enrich acme-login.example evil[.]example
  cut -d, -f3 alerts.csv | nameglass enrich --csv --fields domain,risk_score,registrar -o enriched.csv
`;

export function addEnrich(program: Command, needs: CliNeeds): void {
  const command = program
    .command('enrich')
    .argument('[names...]', 'domains; - or nothing reads standard input')
    .option('--parsed-whois', 'with the parsed WHOIS record')
    .option('--parsed-rdap', 'with the parsed RDAP record')
    .option('--screenshots', 'with a link to the latest screenshot');
  withRemote(command).addHelpText('after', help).action(remoteAction(needs, enrich));
}

async function enrich(remote: Remote, names: readonly string[]): Promise<void> {
  const options = remote.options as Options;
  const output = remote.listing(recordColumns);
  const missing: string[] = [];
  for await (const group of inGroups(givenValues(names, 'domains'), domainsPerRequest)) {
    const body = {
      domain: [...new Set(group.map(hostIn))],
      ...(options.parsedWhois ? { parsed_whois: true } : {}),
      ...(options.parsedRdap ? { parsed_domain_rdap: true } : {}),
      ...(options.screenshots ? { screenshots: true } : {}),
    };
    const { response } = await remote.client.json<EnrichAnswer>('/v1/intel-enrich/', { body });
    for (const record of response.results) await output.add(record);
    missing.push(...response.missing_domains);
  }
  await output.end();
  const sentence = missingSentence(missing);
  if (output.count === 0) throw new RemoteFailure(sentence, exitCodes.notFound);
  if (missing.length > 0) remote.note(sentence);
}

export function missingSentence(missing: readonly string[]): string {
  const more = missing.length > namesShown ? ` and ${missing.length - namesShown} more` : '';
  return `No record of ${missing.slice(0, namesShown).join(', ')}${more}.`;
}
