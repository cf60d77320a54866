/** `nameglass key`: replacing a key that was lost or leaked. */
import type { Command } from 'commander';
import { replaceKey } from '../product/account/operate.ts';
import type { CliNeeds } from './needs.ts';
import { print, printJson } from './output.ts';
import { withSettings } from './settings-options.ts';
import { withStores } from './with-stores.ts';

export function addKey(program: Command, needs: CliNeeds): void {
  const key = program.command('key').description('keys of users');
  withSettings(
    key.command('reset').description('put a new key in place of the old one, which is dead at once'),
  )
    .argument('<username>', 'API username')
    .option('--json', 'print JSON')
    .action((username: string, options) =>
      withStores(options, needs, async (stores) => {
        const apiKey = await replaceKey(username, { ...stores, clock: needs.clock });
        if (options.json) printJson({ username, api_key: apiKey });
        else
          print(
            `The old key of ${username} is dead. The new one is shown this once:\n  API key    ${apiKey}`,
          );
      }),
    );
}
