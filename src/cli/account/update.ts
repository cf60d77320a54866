/** `nameglass account update` changes a user; `remove` deletes one. */
import { type Command, InvalidArgumentError } from 'commander';
import type { PdnsGrant } from '../../model/account/account.ts';
import { isBatchKeyForm } from '../../model/account/api-key.ts';
import { fieldProblem } from '../../model/problem.ts';
import type { UserChange } from '../../store/account-store.ts';
import type { CliNeeds } from '../needs.ts';
import { print, printJson } from '../output.ts';
import { pdnsGrantOf } from '../pdns-options.ts';
import { withSettings } from '../settings-options.ts';
import { operator, withStores } from '../with-stores.ts';
import { describe } from './description.ts';
import {
  channelGrantOf,
  keyAddressesOf,
  keyProductsOf,
  type UserOptions,
  withUserOptions,
} from './user-options.ts';

interface UpdateOptions extends UserOptions {
  /** A UUID, or `none`. */
  readonly batchKey?: string;
  readonly apiOwner?: true;
  readonly json?: boolean;
}

export function addUpdate(account: Command, needs: CliNeeds): void {
  const update = account
    .command('update')
    .description('change a user; options that are not given stay unchanged');
  withUserOptions(withSettings(update))
    .argument('<username>', 'API username')
    .option('--batch-key <uuid>', 'new batch key, or none to revoke it', readBatchKey)
    .option('--api-owner', 'make this user the API owner, who may reset the keys of the account')
    .option('--json', 'print JSON')
    .action((username: string, options: UpdateOptions) =>
      withStores(options, needs, async ({ accounts }) => {
        const change = changeOf(options, (await accounts.findByUsername(username))?.user.pdns);
        if (Object.values(change).every((value) => value === undefined)) {
          throw fieldProblem(
            'invalid-parameters',
            'account update',
            'nothing to change; --help lists the options',
          );
        }
        const caller = await accounts.updateUser(username, change, operator(needs));
        if (options.json) printJson(describe(caller));
        else print(`Updated user ${username}; account show ${username} prints the result.`);
      }),
    );
}

export function addRemove(account: Command, needs: CliNeeds): void {
  withSettings(
    account.command('remove').description('remove a user permanently; its keys are revoked immediately'),
  )
    .argument('<username>', 'API username')
    .action((username: string, options) =>
      withStores(options, needs, async ({ accounts }) => {
        await accounts.removeUser(username, operator(needs));
        print(`Removed user ${username}.`);
      }),
    );
}

function changeOf(options: UpdateOptions, pdnsBefore: PdnsGrant | undefined): UserChange {
  const { permissions, channels, keyExpires, batchKey, apiOwner } = options;
  const aboutPdns = Object.keys(options).some((name) => name.startsWith('pdns'));
  return {
    permissions,
    channels: channels && channelGrantOf(channels),
    keyExpiresMs: keyExpires === 'never' ? null : keyExpires,
    keyAddresses: keyAddressesOf(options.keyAllow),
    products: keyProductsOf(options.keyProducts),
    batchKey: batchKey === 'none' ? null : batchKey,
    apiOwner,
    pdns: aboutPdns ? (pdnsGrantOf(options, pdnsBefore) ?? null) : undefined,
  };
}

function readBatchKey(text: string): string {
  if (text !== 'none' && !isBatchKeyForm(text)) throw new InvalidArgumentError('Expected a UUID, or none.');
  return text;
}
