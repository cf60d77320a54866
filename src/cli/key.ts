/** `nameglass key reset`: replaces a lost or leaked API key. */
import type { Command } from 'commander';
import { replaceKey } from '../product/account/operate.ts';
import type { CliNeeds } from './needs.ts';
import { print, printJson } from './output.ts';
import { withSettings } from './settings-options.ts';
import { withStores } from './with-stores.ts';

export function addKey(program: Command, needs: CliNeeds): void {
  const key = program.command('key');
  withSettings(
    key.command('reset').description('replace the API key of a user; the old key stops working immediately'),
  )
    .argument('<username>', 'API username')
    .option('--json', 'print JSON')
    .action((username: string, options) =>
      withStores(options, needs, async (stores) => {
        const apiKey = await replaceKey(username, { ...stores, clock: needs.clock });
        if (options.json) printJson({ username, api_key: apiKey });
        else
          print(
            `The old key of ${username} no longer works. The new key is shown only once:\n  API key    ${apiKey}`,
          );
      }),
    );
}
