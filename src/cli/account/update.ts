/** `nameglass account update` and `remove`: what a user may do, and whether there is such a user. */
import { type Command, InvalidArgumentError } from 'commander';
import type { PdnsGrant } from '../../model/account.ts';
import { isBatchKeyForm } from '../../model/api-key.ts';
import { fieldProblem } from '../../model/problem.ts';
import type { UserChange } from '../../store/account-store.ts';
import type { CliNeeds } from '../needs.ts';
import { print, printJson } from '../output.ts';
import { pdnsGrantOf } from '../pdns-options.ts';
import { withSettings } from '../settings-options.ts';
import { operator, withStores } from '../with-stores.ts';
import { describe } from './description.ts';
import { channelGrantOf, type UserOptions, withUserOptions } from './user-options.ts';

interface UpdateOptions extends UserOptions {
  /** A UUID, or `none`. */
  readonly batchKey?: string;
  readonly apiOwner?: true;
  readonly json?: boolean;
}

export function addUpdate(account: Command, needs: CliNeeds): void {
  const update = account.command('update').description('change what a user may do; what is left out stays');
  withUserOptions(withSettings(update))
    .argument('<username>', 'API username')
    .option('--batch-key <uuid>', 'another batch key, or none to withdraw it', readBatchKey)
    .option('--api-owner', 'make this user the one who may reset the keys of the account')
    .option('--json', 'print JSON')
    .action((username: string, options: UpdateOptions) =>
      withStores(options, needs, async ({ accounts }) => {
        const change = changeOf(options, (await accounts.findByUsername(username))?.user.pdns);
        if (Object.values(change).every((value) => value === undefined)) {
          throw fieldProblem(
            'invalid-parameters',
            'account update',
            'say what to change; --help shows what can be',
          );
        }
        const caller = await accounts.updateUser(username, change, operator(needs));
        if (options.json) printJson(describe(caller));
        else print(`User ${username} was changed; account show ${username} tells how it stands.`);
      }),
    );
}

export function addRemove(account: Command, needs: CliNeeds): void {
  withSettings(account.command('remove').description('remove a user for good; its keys are dead at once'))
    .argument('<username>', 'API username')
    .action((username: string, options) =>
      withStores(options, needs, async ({ accounts }) => {
        await accounts.removeUser(username, operator(needs));
        print(`User ${username} was removed.`);
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
    batchKey: batchKey === 'none' ? null : batchKey,
    apiOwner,
    pdns: aboutPdns ? (pdnsGrantOf(options, pdnsBefore) ?? null) : undefined,
  };
}

function readBatchKey(text: string): string {
  if (text !== 'none' && !isBatchKeyForm(text)) throw new InvalidArgumentError('Say a UUID, or none.');
  return text;
}
