/** `nameglass account create`: creates a user, and the account if it does not exist. */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { createUser } from '../../product/account/operate.ts';
import type { CliNeeds } from '../needs.ts';
import { print, printJson } from '../output.ts';
import { pdnsGrantOf } from '../pdns-options.ts';
import { withSettings } from '../settings-options.ts';
import { withStores } from '../with-stores.ts';
import { describe } from './description.ts';
import {
  channelGrantOf,
  keyAddressesOf,
  keyProductsOf,
  type UserOptions,
  withUserOptions,
} from './user-options.ts';

interface CreateOptions extends UserOptions {
  readonly username: string;
  readonly account?: string;
  readonly key?: string;
  readonly batchKey?: string;
  readonly json?: boolean;
}

const defaults = `
Defaults: --permissions read, --channels all, --pdns-quota unlimited, and --account the username.
A new account has every product; change that with account provision and account withdraw.`;

export function addCreate(account: Command, needs: CliNeeds): void {
  const create = account.command('create').description('create a user; its keys are shown once');
  withUserOptions(withSettings(create))
    .requiredOption('--username <name>', 'API username')
    .option('--account <name>', 'account to join or create')
    .option('--key <key>', 'API key to use instead of a new one; - reads it from standard input')
    .option('--batch-key <uuid>', 'batch key to use instead of a new one')
    .option('--json', 'print JSON')
    .addHelpText('after', defaults)
    .action((options: CreateOptions) =>
      withStores(
        options,
        needs,
        async (stores, settings) => {
          const request = {
            username: options.username,
            account: options.account,
            permissions: options.permissions ?? (['read'] as const),
            channels: channelGrantOf(options.channels ?? ['all']),
            apiKey: options.key === '-' ? readFileSync(0, 'utf8').trim() : options.key,
            batchKey: options.batchKey,
            keyExpiresMs: options.keyExpires === 'never' ? undefined : options.keyExpires,
            keyAddresses: keyAddressesOf(options.keyAllow),
            products: keyProductsOf(options.keyProducts) ?? undefined,
            pdns: pdnsGrantOf(options),
            usersMax: settings.limits.usersPerAccountMax,
          };
          const made = await createUser(request, { ...stores, clock: needs.clock });
          if (options.json) {
            printJson({ ...describe(made.caller), api_key: made.apiKey, batch_key: made.batchKey });
            return;
          }
          print(
            `Created user ${options.username} in account ${made.caller.account.name}. The keys are shown only once:`,
          );
          print(`  API key    ${made.apiKey}`);
          print(`  batch key  ${made.batchKey}`);
        },
        { create: true },
      ),
    );
}
