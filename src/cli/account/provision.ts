/** `nameglass account provision` and `withdraw` change the products of an account; `enable` and `disable` switch it on and off. */
import { type Command, InvalidArgumentError } from 'commander';
import type { Account, ProductGrant } from '../../model/account/account.ts';
import { isProductId, type ProductId, productIds } from '../../model/product-catalogue.ts';
import { collect, readDay, readWhole } from '../argument-readers.ts';
import type { CliNeeds } from '../needs.ts';
import { print } from '../output.ts';
import { withSettings } from '../settings-options.ts';
import { operator, withStores } from '../with-stores.ts';

export function addProvision(account: Command, needs: CliNeeds): void {
  withSettings(
    account.command('provision').description('grant products to an account, or change their limits'),
  )
    .argument('<account>', 'name of the account')
    .argument('<products...>', 'product ids, or all', collect(readProducts))
    .option('--per-minute <n>', 'requests per minute', readWhole)
    .option('--per-hour <n>', 'requests per hour', readWhole)
    .option('--per-month <n>', 'requests per calendar month', readWhole)
    .option('--absolute <n>', 'requests in total', readWhole)
    .option('--expires <date>', 'last day, YYYY-MM-DD', readDay)
    .action((name: string, products: ProductId[][], options) =>
      withStores(options, needs, async ({ accounts }) => {
        const { perMinute, perHour, perMonth, absolute, expires: expirationDate } = options;
        const limits = { perMinute, perHour, perMonth, absolute, expirationDate };
        const own = Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
        const grants = products.flat().map((product): ProductGrant => ({ product, ...own }));
        report(await accounts.provision(name, grants, operator(needs)));
      }),
    );

  withSettings(account.command('withdraw').description('withdraw products from an account'))
    .argument('<account>', 'name of the account')
    .argument('<products...>', 'product ids, or all', collect(readProducts))
    .action((name: string, products: ProductId[][], options) =>
      withStores(options, needs, async ({ accounts }) => {
        report(await accounts.withdraw(name, products.flat(), operator(needs)));
      }),
    );
}

export function addActivation(account: Command, needs: CliNeeds): void {
  for (const [word, active] of [
    ['enable', true],
    ['disable', false],
  ] as const) {
    withSettings(account.command(word).description(`${word} an account and all its keys`))
      .argument('<account>', 'name of the account')
      .action((name: string, options) =>
        withStores(options, needs, async ({ accounts }) => {
          report(await accounts.setAccountActive(name, active, operator(needs)));
        }),
      );
  }
}

function report(account: Account): void {
  const all = account.products.length === productIds.length;
  const products = all
    ? 'all products'
    : account.products.map((grant) => grant.product).join(' ') || 'no products';
  print(`${account.name} (${account.active ? 'active' : 'inactive'}): ${products}`);
}

function readProducts(text: string): ProductId[] {
  if (text === 'all') return [...productIds];
  if (!isProductId(text))
    throw new InvalidArgumentError(`Expected all, or one or more of: ${productIds.join(' ')}`);
  return [text];
}
