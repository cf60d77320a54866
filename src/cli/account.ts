/** `nameglass account`: accounts, their users, and what they are provisioned for. */
import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import type { Account, Caller, ChannelGrant, ProductGrant } from '../model/account.ts';
import { type Permission, permissions } from '../model/permission.ts';
import { Problem } from '../model/problem.ts';
import { isProductId, type ProductId, productIds } from '../model/product-catalogue.ts';
import { createUser } from '../product/account/operate.ts';
import type { CliNeeds, Stores } from './needs.ts';
import { print, printJson, printTable } from './output.ts';
import {
  type PdnsOptions,
  pdnsGrantOf,
  readAddressRange,
  readBurst,
  readInstant,
  readOffsetMax,
  readPositive,
  readQuota,
  readWhole,
} from './pdns-options.ts';
import { configOf, withSettings } from './settings-options.ts';

const listMax = 100_000;

interface CreateOptions extends PdnsOptions {
  readonly username: string;
  readonly account?: string;
  readonly key?: string;
  readonly keyExpires?: number;
  readonly batchKey?: string;
  readonly permissions?: readonly Permission[];
  readonly channels?: readonly number[];
  readonly json?: boolean;
}

export function addAccount(program: Command, needs: CliNeeds): void {
  const account = program.command('account').description('accounts, users and what they may use');
  addCreate(account, needs);
  addList(account, needs);
  addShow(account, needs);
  addProvision(account, needs);
  addActivation(account, needs);
  addAudit(account, needs);
}

function addCreate(account: Command, needs: CliNeeds): void {
  withSettings(account.command('create').description('make a user with its keys, which are shown once'))
    .requiredOption('--username <name>', 'API username')
    .option('--account <name>', 'account to join or to make; by default one of the same name as the user')
    .option('--key <key>', 'API key to use instead of a new one; - reads it from standard input')
    .option('--key-expires <time>', 'when the API key stops working', readInstant)
    .option('--batch-key <uuid>', 'batch key to use instead of a new one')
    .option(
      '--permissions <list...>',
      `${permissions.join(', ')}; read-only by default`,
      collect(readPermission),
    )
    .option(
      '--channels <list...>',
      'batch channels, as 204,212; by default all that are declared',
      collect(readChannel),
    )
    .option(
      '--pdns-quota <quota>',
      'unlimited (default), none, daily:N, hourly:N, 600s:N, block:N:EXPIRES',
      readQuota,
    )
    .option('--pdns-burst <size:seconds>', 'lookups at most within so many seconds', readBurst)
    .option('--pdns-results-max <n>', 'results of one lookup at most', readPositive)
    .option('--pdns-offset-max <n>', 'largest offset, or n/a for none', readOffsetMax)
    .option(
      '--pdns-allow <list...>',
      'client addresses or prefixes that may use the key',
      collect(readAddressRange),
    )
    .option('--pdns-versions <list...>', 'versions of the API that the key may query', collect(readPositive))
    .option('--json', 'print JSON')
    .action((options: CreateOptions) =>
      withStores(options, needs, async (stores) => {
        const request = {
          username: options.username,
          account: options.account,
          permissions: options.permissions ?? ['read' as const],
          apiKey: options.key === '-' ? readFileSync(0, 'utf8').trim() : options.key,
          batchKey: options.batchKey,
          keyExpiresMs: options.keyExpires,
          channels: options.channels ?? ('all' as ChannelGrant),
          pdns: pdnsGrantOf(options),
        };
        const { caller, apiKey, batchKey } = await createUser(request, { ...stores, clock: needs.clock });
        if (options.json) {
          printJson({ ...described(caller), api_key: apiKey, batch_key: batchKey });
          return;
        }
        print(
          `User ${caller.user.username} of account ${caller.account.name} was made. Keys are shown this once:`,
        );
        print(`  API key    ${apiKey}`);
        print(`  batch key  ${batchKey}`);
      }),
    );
}

function addList(account: Command, needs: CliNeeds): void {
  withSettings(account.command('list').description('all users'))
    .option('--json', 'print JSON')
    .action((options) =>
      withStores(options, needs, async ({ accounts }) => {
        const users = await accounts.listUsers({ limit: listMax });
        if (options.json) printJson(users.map(described));
        else if (users.length === 0) print('No users. Make one: nameglass account create --username NAME');
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

function addShow(account: Command, needs: CliNeeds): void {
  withSettings(account.command('show').description('one user and the account'))
    .argument('<username>')
    .option('--json', 'print JSON')
    .action((username: string, options) =>
      withStores(options, needs, async ({ accounts }) => {
        const caller = await accounts.findByUsername(username);
        if (!caller) throw new Problem('not-found', `there is no user ${username}`);
        const shown = described(caller);
        if (options.json) printJson(shown);
        else {
          const rows = Object.entries(shown).filter(([name]) => name !== 'products');
          printTable(
            ['', ''],
            rows.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
          );
          for (const grant of caller.account.products) print(`  product  ${JSON.stringify(grant)}`);
        }
      }),
    );
}

function addProvision(account: Command, needs: CliNeeds): void {
  withSettings(
    account.command('provision').description('let an account use products, or change their limits'),
  )
    .argument('<account>')
    .argument('<products...>', 'product ids, or all', collect(readProducts))
    .option('--per-minute <n>', 'requests a minute', readWhole)
    .option('--per-hour <n>', 'requests an hour', readWhole)
    .option('--per-month <n>', 'requests a calendar month', readWhole)
    .option('--absolute <n>', 'requests in all', readWhole)
    .option('--expires <date>', 'last day, YYYY-MM-DD', readDay)
    .action((name: string, products: ProductId[][], options) =>
      withStores(options, needs, async ({ accounts }) => {
        const { perMinute, perHour, perMonth, absolute, expires: expirationDate } = options;
        const limits = { perMinute, perHour, perMonth, absolute, expirationDate };
        const own = Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
        const grants = products.flat().map((product): ProductGrant => ({ product, ...own }));
        report(await accounts.provision(name, grants, author(needs)));
      }),
    );

  withSettings(account.command('withdraw').description('take products away from an account'))
    .argument('<account>')
    .argument('<products...>', 'product ids, or all', collect(readProducts))
    .action((name: string, products: ProductId[][], options) =>
      withStores(options, needs, async ({ accounts }) => {
        report(await accounts.withdraw(name, products.flat(), author(needs)));
      }),
    );
}

function addActivation(account: Command, needs: CliNeeds): void {
  for (const [word, active] of [
    ['enable', true],
    ['disable', false],
  ] as const) {
    withSettings(account.command(word).description(`${word} an account with all its keys`))
      .argument('<account>')
      .action((name: string, options) =>
        withStores(options, needs, async ({ accounts }) => {
          report(await accounts.setAccountActive(name, active, author(needs)));
        }),
      );
  }
}

function addAudit(account: Command, needs: CliNeeds): void {
  withSettings(account.command('audit').description('who changed what, newest first'))
    .argument('[account]')
    .option('--limit <n>', 'entries at most', readPositive, 100)
    .option('--json', 'print JSON')
    .action((name: string | undefined, options) =>
      withStores(options, needs, async ({ accounts }) => {
        const range = { limit: options.limit as number, ...(name === undefined ? {} : { account: name }) };
        const entries = await accounts.listAudit(range);
        if (options.json) printJson(entries);
        else {
          printTable(
            ['TIME', 'ACTOR', 'ACTION', 'ACCOUNT', 'USER', 'DETAIL'],
            entries.map((entry) => [
              new Date(entry.atMs).toISOString(),
              entry.actor,
              entry.action,
              entry.account,
              entry.username,
              JSON.stringify(entry.detail),
            ]),
          );
        }
      }),
    );
}

async function withStores(
  options: object,
  needs: CliNeeds,
  work: (stores: Stores) => Promise<void>,
): Promise<void> {
  const stores = await needs.openStores(configOf(options, needs).settings);
  try {
    await work(stores);
  } finally {
    await stores.close();
  }
}

function described({ user, account }: Caller) {
  return {
    username: user.username,
    account: account.name,
    active: account.active,
    permissions: user.permissions,
    api_owner: user.apiOwner,
    created: new Date(user.createdMs).toISOString(),
    key_expires: user.keyExpiresMs === undefined ? null : new Date(user.keyExpiresMs).toISOString(),
    batch_key: user.hasBatchKey ? 'set' : 'none',
    channels: user.channels,
    pdns: user.pdns ?? 'not authorized',
    products: account.products,
  };
}

function report(account: Account): void {
  const products = account.products.map((grant) => grant.product).join(' ') || 'no products';
  print(`${account.name} (${account.active ? 'active' : 'not active'}): ${products}`);
}

function author(needs: CliNeeds) {
  return { actor: 'operator', atMs: needs.clock.now() };
}

/** Lists are separated by spaces or commas: commander hands over each word, and this splits it further. */
function collect<Item>(read: (text: string) => Item) {
  return (text: string, before: readonly Item[] | undefined): Item[] => [
    ...(before ?? []),
    ...text.split(',').filter(Boolean).map(read),
  ];
}

function readPermission(text: string): Permission {
  const found = permissions.find((permission) => permission === text);
  if (!found) throw new InvalidArgumentError(`Say some of ${permissions.join(', ')}.`);
  return found;
}

function readChannel(text: string): number {
  const channel = readWhole(text);
  if (channel < 1 || channel > 255) throw new InvalidArgumentError('Channels are numbered 1 to 255.');
  return channel;
}

function readProducts(text: string): ProductId[] {
  if (text === 'all') return [...productIds];
  if (!isProductId(text)) throw new InvalidArgumentError(`Say all, or some of ${productIds.join(' ')}`);
  return [text];
}

function readDay(text: string): string {
  const form = /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
  if (!form) throw new InvalidArgumentError('Say a day as 2027-01-31.');
  return text;
}
