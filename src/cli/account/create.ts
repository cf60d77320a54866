/** `nameglass account create`: a user, and the account when there is none of that name. */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { createUser } from '../../product/account/operate.ts';
import type { CliNeeds } from '../needs.ts';
import { print, printJson } from '../output.ts';
import { pdnsGrantOf } from '../pdns-options.ts';
import { withSettings } from '../settings-options.ts';
import { withStores } from '../with-stores.ts';
import { describe } from './description.ts';
import { channelGrantOf, type UserOptions, withUserOptions } from './user-options.ts';

interface CreateOptions extends UserOptions {
  readonly username: string;
  readonly account?: string;
  readonly key?: string;
  readonly batchKey?: string;
  readonly json?: boolean;
}

const defaults = `
Left out: --permissions is read, --channels all that are declared, --pdns-quota unlimited, --account the username.
A new account has every product; change that with account provision and account withdraw.`;

export function addCreate(account: Command, needs: CliNeeds): void {
  const create = account.command('create').description('make a user with its keys, which are shown once');
  withUserOptions(withSettings(create))
    .requiredOption('--username <name>', 'API username')
    .option('--account <name>', 'account to join or to make')
    .option('--key <key>', 'API key to use instead of a new one; - reads it from standard input')
    .option('--batch-key <uuid>', 'batch key to use instead of a new one')
    .option('--json', 'print JSON')
    .addHelpText('after', defaults)
    .action((options: CreateOptions) =>
      withStores(
        options,
        needs,
        async (stores) => {
          const request = {
            username: options.username,
            account: options.account,
            permissions: options.permissions ?? (['read'] as const),
            channels: channelGrantOf(options.channels ?? ['all']),
            apiKey: options.key === '-' ? readFileSync(0, 'utf8').trim() : options.key,
            batchKey: options.batchKey,
            keyExpiresMs: options.keyExpires === 'never' ? undefined : options.keyExpires,
            pdns: pdnsGrantOf(options),
          };
          const made = await createUser(request, { ...stores, clock: needs.clock });
          if (options.json) {
            printJson({ ...describe(made.caller), api_key: made.apiKey, batch_key: made.batchKey });
            return;
          }
          print(
            `User ${options.username} of account ${made.caller.account.name} was made. Its keys are shown this once:`,
          );
          print(`  API key    ${made.apiKey}`);
          print(`  batch key  ${made.batchKey}`);
        },
        { create: true },
      ),
    );
}
