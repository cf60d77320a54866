/**
 * Changes of accounts: what they are provisioned for and which channels they own. All have the head of the audit log locked, so nothing that
 * they have read changes before they are committed.
 */
import type { Account, KeyedApi, ProductGrant } from '../../../model/account/account.ts';
import { newId } from '../../../model/account/api-key.ts';
import type { ProductId } from '../../../model/product-catalogue.ts';
import { grantRowOf, productEvents, similarAccount, withdrawnAfter } from '../../account/account-rows.ts';
import type { AuditEvent, Author } from '../../account-store.ts';
import type { Transaction } from '../postgres/database.ts';
import type { Append } from './audit-log.ts';

/** What a change works with. */
export interface AccountChanging {
  readonly sql: Transaction;
  readonly append: Append;
  readonly author: Author;
}

/** Throws `already-exists` for a name that differs from another by case alone. */
export async function insertAccount(
  name: string,
  products: readonly ProductId[],
  { sql, append, author }: AccountChanging,
): Promise<string> {
  const [similar] = await sql<{ name: string }[]>`
    select name from account where lower(name) = lower(${name} collate "C") limit 1`;
  if (similar) throw similarAccount(similar.name, name);
  const id = newId();
  await sql`insert into account (id, name, active, created_ms) values (${id}, ${name}, true, ${author.atMs})`;
  await putGrants(
    sql,
    id,
    products.map((product) => ({ product })),
  );
  append({ action: 'account.create', account: name, detail: { products } }, author);
  return id;
}

export async function provision(
  account: Account,
  grants: readonly ProductGrant[],
  changing: AccountChanging,
): Promise<void> {
  await putGrants(changing.sql, account.id, grants);
  appendAll(productEvents('product.provision', account, grants), changing);
}

export async function withdraw(
  account: Account,
  items: readonly (ProductId | KeyedApi)[],
  changing: AccountChanging,
): Promise<void> {
  const { sql } = changing;
  await sql`delete from product_grant where account_id = ${account.id} and product = any(${items}::text[])`;
  const left = await sql`select from product_grant where account_id = ${account.id} limit 1`;
  await setWithdrawn(sql, account.id, withdrawnAfter(account, items, left.length));
  const withdrawn = items.map((product) => ({ product }));
  appendAll(productEvents('product.withdraw', account, withdrawn), changing);
}

export async function restoreApis(
  account: Account,
  apis: readonly KeyedApi[],
  changing: AccountChanging,
): Promise<void> {
  const { id, withdrawn = [] } = account;
  await setWithdrawn(
    changing.sql,
    id,
    withdrawn.filter((api) => !apis.includes(api)),
  );
  const restored = apis.map((product) => ({ product }));
  appendAll(productEvents('product.provision', account, restored), changing);
}

export async function ownChannels(
  { id, name }: Account,
  channels: readonly number[],
  { sql, append, author }: AccountChanging,
): Promise<void> {
  await sql`insert into channel_owner (channel, account_id)
    select distinct channel, ${id} from unnest(${channels}::int[]) as channel
    on conflict (channel) do update set account_id = excluded.account_id`;
  append({ action: 'channel.own', account: name, detail: { channels } }, author);
}

export async function disownChannels(
  { id, name }: Account,
  channels: readonly number[],
  { sql, append, author }: AccountChanging,
): Promise<void> {
  await sql`delete from channel_owner where channel = any(${channels}::int[]) and account_id = ${id}`;
  append({ action: 'channel.disown', account: name, detail: { channels } }, author);
}

export async function setActive(
  { id, name }: Account,
  active: boolean,
  { sql, append, author }: AccountChanging,
): Promise<void> {
  await sql`update account set active = ${active} where id = ${id}`;
  append({ action: active ? 'account.enable' : 'account.disable', account: name }, author);
}

/** The last of several grants for one product counts. */
async function putGrants(
  sql: Transaction,
  accountId: string,
  grants: readonly ProductGrant[],
): Promise<void> {
  const rows = [...new Map(grants.map((grant) => [grant.product, grantRowOf(accountId, grant)])).values()];
  if (rows.length === 0) return;
  await sql`insert into product_grant ${sql(rows)} on conflict (account_id, product) do update set
    per_minute = excluded.per_minute, per_hour = excluded.per_hour, per_month = excluded.per_month,
    absolute = excluded.absolute, expiration_date = excluded.expiration_date`;
}

async function setWithdrawn(sql: Transaction, accountId: string, apis: readonly KeyedApi[]): Promise<void> {
  await sql`update account set withdrawn = ${JSON.stringify(apis)} where id = ${accountId}`;
}

function appendAll(events: readonly AuditEvent[], { append, author }: AccountChanging): void {
  for (const event of events) append(event, author);
}
