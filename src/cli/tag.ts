/** `nameglass tag`: adds, removes and prints tags of a domain on behalf of a user. */
import type { Command } from 'commander';
import { Problem } from '../model/problem.ts';
import { getDomainName } from '../product/investigate/requested-domain.ts';
import { changeTags, listTags, readLabels } from '../product/investigate/tags.ts';
import type { Stores } from '../stores.ts';
import { collect } from './argument-readers.ts';
import type { CliNeeds } from './needs.ts';
import { print, printJson, printTable } from './output.ts';
import { withSettings } from './settings-options.ts';
import { withStores } from './with-stores.ts';

interface Options {
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
  readonly user: string;
  readonly team?: boolean;
  readonly json?: boolean;
}

const help = `
Examples:
  nameglass tag acme-login.example --add phishing,acme --user alice
  nameglass tag acme-login.example --remove acme --user alice --team
  nameglass tag acme-login.example --user alice

Without --add and --remove it prints the tags that are visible to the user.
`;

export function addTag(program: Command, needs: CliNeeds): void {
  const label = (text: string) => text.trim();
  withSettings(program.command('tag'))
    .argument('<domain>', 'a domain that has a record')
    .requiredOption('--user <username>', 'API username to act as')
    .option('--add <labels>', 'tags to add, separated by commas', collect(label))
    .option('--remove <labels>', 'tags to remove, separated by commas', collect(label))
    .option('--team', 'tags of the whole account instead of the user')
    .option('--json', 'print JSON')
    .addHelpText('after', help)
    .action((domain: string, options: Options) =>
      withStores(options, needs, (stores) => tag(domain, options, stores, needs)),
    );
}

async function tag(
  domain: string,
  { add = [], remove = [], user, team, json }: Options,
  { accounts, domains }: Pick<Stores, 'accounts' | 'domains'>,
  { clock }: Pick<CliNeeds, 'clock'>,
): Promise<void> {
  const name = getDomainName('domain', domain);
  const caller = await accounts.findByUsername(user);
  if (!caller) throw new Problem('not-found', `there is no user ${user}`);
  const scope = team ? 'team' : 'own';
  const change = {
    names: [name],
    add: readLabels('--add', add),
    remove: readLabels('--remove', remove),
    scope,
  } as const;
  const { tagged } =
    add.length + remove.length === 0
      ? await listTags(caller, [name], { domains }, clock.now())
      : await changeTags(caller, change, { domains }, clock.now());
  const [found] = tagged;
  if (!found) throw new Problem('not-found', `there is no record of ${name}`);
  if (json) printJson(found);
  else if (found.tags.length === 0) print(`${name} has no tags.`);
  else
    printTable(
      ['TAG', 'SCOPE', 'SINCE'],
      found.tags.map((one) => [one.label, one.scope, new Date(one.taggedMs).toISOString()]),
    );
}
