/** `nameglass account list`: lists all users. */
import type { Command } from 'commander';
import { productIds } from '../../model/product-catalogue.ts';
import { commandName } from '../command-name.ts';
import { printSelection, withSelection } from '../listing/selected-columns.ts';
import type { CliNeeds } from '../needs.ts';
import { print, printJson, printTable } from '../output.ts';
import { withSettings } from '../settings-options.ts';
import { withStores } from '../with-stores.ts';
import { describe } from './description.ts';

const listMax = 100_000;

export function addList(account: Command, needs: CliNeeds): void {
  withSelection(withSettings(account.command('list').description('list all users'))).action((options) =>
    withStores(options, needs, async ({ accounts }) => {
      const users = await accounts.listUsers({ limit: listMax });
      if (await printSelection(users.map(describe), options, needs)) return;
      if (options.json) printJson(users.map(describe));
      else if (users.length === 0)
        print(`No users. Create one: ${commandName} account create --username NAME`);
      else {
        printTable(
          ['USERNAME', 'ACCOUNT', 'ACTIVE', 'PERMISSIONS', 'OWNER', 'PRODUCTS'],
          users.map(({ user, account: of }) => [
            user.username,
            of.name,
            of.active ? 'yes' : 'no',
            user.permissions.join(','),
            user.apiOwner ? 'yes' : 'no',
            of.products.length === productIds.length ? 'all' : of.products.length,
          ]),
        );
      }
    }),
  );
}
