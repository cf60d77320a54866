/**
 * The tables `account`, `product_grant` and `channel_owner` of accounts.db: what an account is provisioned for and which channels it owns.
 * Changes must be called within a write transaction, and append their audit entries to it.
 */
import { type Account, type KeyedApi, keyedApis, type ProductGrant } from '../../model/account/account.ts';
import { newId } from '../../model/account/api-key.ts';
import { Problem } from '../../model/problem.ts';
import { type ProductId, productIds } from '../../model/product-catalogue.ts';
import type { Author } from '../account-store.ts';
import type { AuditLog } from './audit-log.ts';
import type { Database } from './database.ts';

interface AccountRow {
  id: string;
  name: string;
  active: number;
  withdrawn: string;
}

interface GrantRow {
  product: ProductId;
  per_minute: number | null;
  per_hour: number | null;
  per_month: number | null;
  absolute: number | null;
  expiration_date: string | null;
}

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
    if (similar !== undefined)
      throw new Problem('already-exists', `there is an account ${similar}; ${name} differs by case alone`);
    const id = newId();
    this.#statements.insert.run(id, name, author.atMs);
    for (const product of products) this.#putGrant(id, { product });
    this.#audit.append({ action: 'account.create', account: name, detail: { products } }, author);
    return id;
  }

  provision({ id, name }: Account, grants: readonly ProductGrant[], author: Author): void {
    for (const grant of grants) {
      this.#putGrant(id, grant);
      this.#audit.append({ action: 'product.provision', account: name, detail: { ...grant } }, author);
    }
  }

  withdraw(account: Account, items: readonly (ProductId | KeyedApi)[], author: Author): void {
    const { id, name, withdrawn = [] } = account;
    const apis = keyedApis.filter((api) => items.includes(api));
    for (const product of items) {
      this.#statements.deleteGrant.run(id, product);
      this.#audit.append({ action: 'product.withdraw', account: name, detail: { product } }, author);
    }
    const isLast = items.length > apis.length && this.#statements.grantsOf.all(id).length === 0;
    this.#setWithdrawn(id, isLast ? keyedApis : [...withdrawn, ...apis]);
  }

  restoreApis({ id, name, withdrawn = [] }: Account, apis: readonly KeyedApi[], author: Author): void {
    const others = withdrawn.filter((api) => !apis.includes(api));
    this.#setWithdrawn(id, others);
    for (const product of apis) {
      this.#audit.append({ action: 'product.provision', account: name, detail: { product } }, author);
    }
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
    this.#statements.putGrant.run({
      account_id: accountId,
      product: grant.product,
      per_minute: grant.perMinute ?? null,
      per_hour: grant.perHour ?? null,
      per_month: grant.perMonth ?? null,
      absolute: grant.absolute ?? null,
      expiration_date: grant.expirationDate ?? null,
    });
  }

  #setWithdrawn(accountId: string, apis: readonly KeyedApi[]): void {
    this.#statements.setWithdrawn.run(JSON.stringify([...new Set(apis)]), accountId);
  }

  #accountOf(found: unknown): Account | undefined {
    const row = found as AccountRow | undefined;
    if (!row) return undefined;
    const rows = this.#statements.grantsOf.all(row.id) as GrantRow[];
    const grants = new Map(rows.map((grant) => [grant.product, grantOf(grant)]));
    const ownChannels = this.#statements.channelsOf.all(row.id) as number[];
    const withdrawn = JSON.parse(row.withdrawn) as KeyedApi[];
    return {
      id: row.id,
      name: row.name,
      active: row.active === 1,
      products: productIds.flatMap((id) => grants.get(id) ?? []),
      ...(ownChannels.length === 0 ? {} : { ownChannels }),
      ...(withdrawn.length === 0 ? {} : { withdrawn }),
    };
  }
}

function grantOf(row: GrantRow): ProductGrant {
  return {
    product: row.product,
    ...(row.per_minute === null ? {} : { perMinute: row.per_minute }),
    ...(row.per_hour === null ? {} : { perHour: row.per_hour }),
    ...(row.per_month === null ? {} : { perMonth: row.per_month }),
    ...(row.absolute === null ? {} : { absolute: row.absolute }),
    ...(row.expiration_date === null ? {} : { expirationDate: row.expiration_date }),
  };
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
