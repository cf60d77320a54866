/** `nameglass account provision` and `withdraw` change the products of an account; `enable` and `disable` switch it on and off. */
import { type Command, InvalidArgumentError } from 'commander';
import { type Account, type KeyedApi, keyedApis, type ProductGrant } from '../../model/account/account.ts';
import { isProductId, type ProductId, productIds } from '../../model/product-catalogue.ts';
import { collect, readDay, readWhole } from '../argument-readers.ts';
import type { CliNeeds } from '../needs.ts';
import { print } from '../output.ts';
import { withSettings } from '../settings-options.ts';
import { operator, withStores } from '../with-stores.ts';

/** What an account can be provisioned for. */
type Item = ProductId | KeyedApi;

export function addProvision(account: Command, needs: CliNeeds): void {
  withSettings(
    account.command('provision').description('grant products to an account, or change their limits'),
  )
    .argument('<account>', 'name of the account')
    .argument('<products...>', 'product ids, pdns, batch, or all', collect(readProducts))
    .option('--per-minute <n>', 'requests per minute', readWhole)
    .option('--per-hour <n>', 'requests per hour', readWhole)
    .option('--per-month <n>', 'requests per calendar month', readWhole)
    .option('--absolute <n>', 'requests in total', readWhole)
    .option('--expires <date>', 'last day, YYYY-MM-DD', readDay)
    .action((name: string, products: Item[][], options) =>
      withStores(options, needs, async ({ accounts }) => {
        const { perMinute, perHour, perMonth, absolute, expires: expirationDate } = options;
        const limits = { perMinute, perHour, perMonth, absolute, expirationDate };
        const own = Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
        const ids = products.flat().filter((item) => isProductId(item));
        const grants = ids.map((product): ProductGrant => ({ product, ...own }));
        const apis = keyedApis.filter((api) => products.flat().includes(api));
        if (apis.length > 0) await accounts.restoreApis(name, apis, operator(needs));
        report(await accounts.provision(name, grants, operator(needs)));
      }),
    );

  withSettings(account.command('withdraw').description('withdraw products from an account'))
    .argument('<account>', 'name of the account')
    .argument(
      '<products...>',
      'product ids, pdns (passive DNS), batch (channels), or all of these',
      collect(readProducts),
    )
    .action((name: string, products: Item[][], options) =>
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
  const withdrawn = account.withdrawn ? `; withdrawn: ${account.withdrawn.join(' ')}` : '';
  print(`${account.name} (${account.active ? 'active' : 'inactive'}): ${products}${withdrawn}`);
}

function readProducts(text: string): Item[] {
  const items: readonly Item[] = [...productIds, ...keyedApis];
  if (text === 'all') return [...items];
  const found = items.find((item) => item === text);
  if (!found) throw new InvalidArgumentError(`Expected all, or one or more of: ${items.join(' ')}`);
  return [found];
}
