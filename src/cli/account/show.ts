/** `nameglass account show`: prints a user, its account, and the effective limits of each product. */
import type { Command } from 'commander';
import { Problem } from '../../model/problem.ts';
import { limitsOf } from '../../model/product-catalogue.ts';
import type { CliNeeds } from '../needs.ts';
import { print, printJson, printTable } from '../output.ts';
import { withSettings } from '../settings-options.ts';
import { withStores } from '../with-stores.ts';
import { describe } from './description.ts';
import { userRows } from './user-rows.ts';

export function addShow(account: Command, needs: CliNeeds): void {
  withSettings(account.command('show').description('show a user and its account'))
    .argument('<username>', 'API username')
    .option('--json', 'print JSON')
    .action((username: string, options) =>
      withStores(options, needs, async ({ accounts }, settings) => {
        const caller = await accounts.findByUsername(username);
        if (!caller) throw new Problem('not-found', `there is no user ${username}`);
        if (options.json) {
          printJson(describe(caller));
          return;
        }
        const { products } = caller.account;
        printTable(['NAME', 'VALUE'], userRows(caller));
        print();
        printTable(
          ['PRODUCT', 'PER MINUTE', 'PER HOUR', 'PER MONTH', 'TOTAL', 'LAST DAY'],
          products.map((grant) => {
            const { perMinute, perHour, perMonth, absolute } = limitsOf(grant, settings);
            return [grant.product, perMinute, perHour, perMonth, absolute, grant.expirationDate];
          }),
        );
      }),
    );
}
