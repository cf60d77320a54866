/** `nameglass export`: writes data of an account to files that other programs read. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { blockedSelection } from '../../model/detect/blocklist/selection.ts';
import { Problem } from '../../model/problem.ts';
import { MispFeeds } from '../../product/detect/blocklist/misp-feed.ts';
import { SelectedTags } from '../../product/detect/blocklist/selected-tags.ts';
import type { CliNeeds } from '../needs.ts';
import { print, printJson } from '../output.ts';
import { withSettings } from '../settings-options.ts';
import { withStores } from '../with-stores.ts';
import { writeFeedDirectory } from './feed-directory.ts';

interface MispOptions {
  readonly username: string;
  readonly list: string;
  readonly json?: boolean;
}

const help = `
Examples:
  nameglass export misp /srv/feeds/acme --username alice
  nameglass export misp /srv/feeds/acme-hot --username alice --list hot

Run it again, such as every five minutes, to bring the directory up to date: files that have not changed are left alone, and the manifest
is replaced last. MISP reads the directory as a local feed, or over HTTP from any web server.
`;

export function addExport(program: Command, needs: CliNeeds): void {
  const command = program.command('export').addHelpText('after', help);
  withSettings(command.command('misp').description('write a blocklist as the directory of a MISP feed'))
    .argument('<directory>', 'a new directory, or one that this command has made')
    .requiredOption('--username <name>', 'API username of the account')
    .option('--list <name>', 'name of the blocklist', blockedSelection)
    .option('--json', 'print JSON')
    .addHelpText('after', help)
    .action((directory: string, options: MispOptions) => exportMisp(resolve(directory), options, needs));
}

function exportMisp(directory: string, options: MispOptions, needs: CliNeeds): Promise<void> {
  const { username, list, json } = options;
  return withStores(options, needs, async (stores, settings) => {
    const caller = await stores.accounts.findByUsername(username);
    if (!caller) throw new Problem('not-found', `there is no user ${username}`);
    const selectedTags = new SelectedTags(stores);
    const feeds = new MispFeeds({ ...stores, selectedTags, settings });
    const feed = await feeds.open(caller.account, list, needs.clock.now());
    const { written, removed } = await writeFeedDirectory(directory, feed);
    const events = feed.events.size;
    if (json) printJson({ directory, events, written, removed, serial: feed.serial });
    else print(`${directory}: ${events} events, ${written} files written, ${removed} events removed.`);
  });
}
