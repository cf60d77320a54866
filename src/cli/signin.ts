/** `nameglass signin`: prints a link that signs a person in to the web UI once. */
import type { Command } from 'commander';
import { createPrintedLink, getPersonToSignIn } from '../product/people/operate-people.ts';
import type { CliNeeds } from './needs.ts';
import { print, printJson } from './output.ts';
import { withSettings } from './settings-options.ts';
import { withStores } from './with-stores.ts';

const help = `
The link works once and for 10 minutes, and replaces an earlier one. On a server that listens on a loopback address it works on
this machine only. Without a name it is for the only person or API user there is. An API user who has not used the web UI yet
gets the same permissions there.
`;

export function addSignin(program: Command, needs: CliNeeds): void {
  withSettings(program.command('signin'))
    .argument('[name]', 'person or API user')
    .option('--port <number>', 'port that the server was started with (http.port)')
    .option('--json', 'print JSON')
    .addHelpText('after', help)
    .action((name: string | undefined, options) =>
      withStores(options, needs, async (stores, settings) => {
        const given = { ...stores, clock: needs.clock };
        const found = await getPersonToSignIn(name, given);
        const url = await createPrintedLink(found, settings, given);
        if (options.json) printJson({ name: found.person.name, url });
        else print(`Open ${url}  (signs in ${found.person.name}; works once, 10 minutes)`);
      }),
    );
}
