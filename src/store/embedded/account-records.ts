/**
 * The tables `account`, `product_grant` and `channel_owner` of accounts.db: what an account is provisioned for and which channels it owns.
 * Changes must be called within a write transaction, and append their audit entries to it.
 */
import type { Account, KeyedApi, ProductGrant } from '../../model/account/account.ts';
import { newId } from '../../model/account/api-key.ts';
import type { ProductId } from '../../model/product-catalogue.ts';
import {
  type AccountRow,
  accountOf,
  type GrantRow,
  grantRowOf,
  productEvents,
  similarAccount,
  withdrawnAfter,
} from '../account/account-rows.ts';
import type { AuditEvent, Author } from '../account-store.ts';
import type { AuditLog } from './audit-log.ts';
import type { Database } from './database.ts';

export class AccountRecords {
  readonly #statements;
  readonly #audit: AuditLog;

  constructor(database: Database, audit: AuditLog) {
    this.#statements = prepare(database);
    this.#audit = audit;
  }

  find(name: string): Account | undefined {
    return this.#accountOf(this.#statements.byName.get(name));
  }

  /** An account that has users exists. */
  get(id: string): Account {
    return this.#accountOf(this.#statements.byId.get(id)) as Account;
  }

  /** Throws `already-exists` for a name that differs from another by case alone. */
  insert(name: string, products: readonly ProductId[], author: Author): string {
    const similar = this.#statements.inAnyCase.get(name) as string | undefined;
    if (similar !== undefined) throw similarAccount(similar, name);
    const id = newId();
    this.#statements.insert.run(id, name, author.atMs);
    for (const product of products) this.#putGrant(id, { product });
    this.#audit.append({ action: 'account.create', account: name, detail: { products } }, author);
    return id;
  }

  provision(account: Account, grants: readonly ProductGrant[], author: Author): void {
    for (const grant of grants) this.#putGrant(account.id, grant);
    this.#append(productEvents('product.provision', account, grants), author);
  }

  withdraw(account: Account, items: readonly (ProductId | KeyedApi)[], author: Author): void {
    const { id } = account;
    for (const product of items) this.#statements.deleteGrant.run(id, product);
    this.#setWithdrawn(id, withdrawnAfter(account, items, this.#statements.grantsOf.all(id).length));
    const withdrawn = items.map((product) => ({ product }));
    this.#append(productEvents('product.withdraw', account, withdrawn), author);
  }

  restoreApis(account: Account, apis: readonly KeyedApi[], author: Author): void {
    const { id, withdrawn = [] } = account;
    this.#setWithdrawn(
      id,
      withdrawn.filter((api) => !apis.includes(api)),
    );
    const restored = apis.map((product) => ({ product }));
    this.#append(productEvents('product.provision', account, restored), author);
  }

  setActive({ id, name }: Account, active: boolean, author: Author): void {
    this.#statements.setActive.run(active ? 1 : 0, id);
    this.#audit.append({ action: active ? 'account.enable' : 'account.disable', account: name }, author);
  }

  ownChannels({ id, name }: Account, channels: readonly number[], author: Author): void {
    for (const channel of channels) this.#statements.ownChannel.run(channel, id);
    this.#audit.append({ action: 'channel.own', account: name, detail: { channels } }, author);
  }

  disownChannels({ id, name }: Account, channels: readonly number[], author: Author): void {
    for (const channel of channels) this.#statements.disownChannel.run(channel, id);
    this.#audit.append({ action: 'channel.disown', account: name, detail: { channels } }, author);
  }

  channelOwners(): ReadonlyMap<number, string> {
    return new Map(this.#statements.channelOwners.all() as [number, string][]);
  }

  #putGrant(accountId: string, grant: ProductGrant): void {
    this.#statements.putGrant.run(grantRowOf(accountId, grant));
  }

  #append(events: readonly AuditEvent[], author: Author): void {
    for (const event of events) this.#audit.append(event, author);
  }

  #setWithdrawn(accountId: string, apis: readonly KeyedApi[]): void {
    this.#statements.setWithdrawn.run(JSON.stringify(apis), accountId);
  }

  #accountOf(found: unknown): Account | undefined {
    const row = found as AccountRow | undefined;
    if (!row) return undefined;
    return accountOf(row, {
      grants: this.#statements.grantsOf.all(row.id) as GrantRow[],
      channels: this.#statements.channelsOf.all(row.id) as number[],
    });
  }
}

function prepare(database: Database) {
  return {
    byName: database.prepare('select * from account where name = ?'),
    byId: database.prepare('select * from account where id = ?'),
    inAnyCase: database.prepare('select name from account where name = ? collate nocase').pluck(),
    insert: database.prepare('insert into account (id, name, active, created_ms) values (?, ?, 1, ?)'),
    setActive: database.prepare('update account set active = ? where id = ?'),
    setWithdrawn: database.prepare('update account set withdrawn = ? where id = ?'),
    grantsOf: database.prepare('select * from product_grant where account_id = ?'),
    putGrant: database.prepare(
      `insert or replace into product_grant
       values (:account_id, :product, :per_minute, :per_hour, :per_month, :absolute, :expiration_date)`,
    ),
    deleteGrant: database.prepare('delete from product_grant where account_id = ? and product = ?'),
    channelsOf: database
      .prepare('select channel from channel_owner where account_id = ? order by channel')
      .pluck(),
    channelOwners: database
      .prepare('select channel, name from channel_owner join account on id = account_id order by channel')
      .raw(),
    ownChannel: database.prepare('insert or replace into channel_owner (channel, account_id) values (?, ?)'),
    disownChannel: database.prepare('delete from channel_owner where channel = ? and account_id = ?'),
  };
}
