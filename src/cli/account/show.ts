/** `nameglass account show`: a user, the account, and the limits in force for each of its products. */
import type { Command } from 'commander';
import { Problem } from '../../model/problem.ts';
import { limitsOf } from '../../model/product-catalogue.ts';
import type { CliNeeds } from '../needs.ts';
import { print, printJson, printTable } from '../output.ts';
import { withSettings } from '../settings-options.ts';
import { withStores } from '../with-stores.ts';
import { describe } from './description.ts';

export function addShow(account: Command, needs: CliNeeds): void {
  withSettings(account.command('show').description('one user and the account'))
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
        const { products, ...rest } = describe(caller);
        const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
        printTable(
          ['WHAT', 'VALUE'],
          Object.entries(rest).map(([name, value]) => [name, text(value)]),
        );
        print();
        printTable(
          ['PRODUCT', 'A MINUTE', 'AN HOUR', 'A MONTH', 'IN ALL', 'LAST DAY'],
          products.map((grant) => {
            const { perMinute, perHour, perMonth, absolute } = limitsOf(grant, settings);
            return [grant.product, perMinute, perHour, perMonth, absolute, grant.expirationDate];
          }),
        );
      }),
    );
}
