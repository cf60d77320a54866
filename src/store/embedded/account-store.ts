/**
 * accounts.db: account, product_grant, user (keys as SHA-256 to find them and sealed to sign with), audit (hash-chained).
 *
 * Reads come from a cache that is dropped as soon as any process commits to this file, so a key reset anywhere is seen
 * here by the next request.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Account, Caller, ProductGrant, User } from '../../model/account.ts';
import { keyDigest, newId } from '../../model/api-key.ts';
import { Problem } from '../../model/problem.ts';
import { type ProductId, productIds } from '../../model/product-catalogue.ts';
import type { AccountStore, AuditEntry, Author, NewUser } from '../account-store.ts';
import type { KeyVault } from '../key-vault.ts';
import { changeDetector, type Database, openDatabase, write } from './database.ts';

interface UserRow {
  id: string;
  account_id: string;
  username: string;
  permissions: string;
  api_owner: number;
  created_ms: number;
  key_digest: string;
  key_sealed: Buffer;
  key_expires_ms: number | null;
  batch_digest: string | null;
  channels: string;
  pdns: string | null;
}

interface GrantRow {
  product: ProductId;
  per_minute: number | null;
  per_hour: number | null;
  per_month: number | null;
  absolute: number | null;
  expiration_date: string | null;
}

interface AuditRow {
  number: number;
  at_ms: number;
  actor: string;
  action: string;
  account: string;
  username: string | null;
  detail: string;
  hash: Buffer;
}

interface Entry {
  readonly caller: Caller;
  readonly row: UserRow;
  /** Opened on first use and kept while the entry is. */
  signingKey?: string;
}

/** More callers than this are not kept at once: the cache starts anew. */
const cacheEntriesMax = 50_000;

export function openAccountStore(directory: string, vault: KeyVault): AccountStore {
  return new EmbeddedAccountStore(openDatabase(join(directory, 'accounts.db'), 'accounts', 'full'), vault);
}

class EmbeddedAccountStore implements AccountStore {
  readonly #database: Database;
  readonly #vault: KeyVault;
  readonly #entries = new Map<string, Entry>();
  readonly #statements;
  readonly #changedElsewhere: () => boolean;

  constructor(database: Database, vault: KeyVault) {
    this.#database = database;
    this.#vault = vault;
    this.#statements = prepare(database);
    this.#changedElsewhere = changeDetector(database);
  }

  async createUser(user: NewUser, products: readonly ProductId[], author: Author): Promise<Caller> {
    return this.#change(() => {
      this.#refuseTaken(user);
      const known = this.#statements.accountByName.get(user.account) as { id: string } | undefined;
      const accountId = known?.id ?? this.#insertAccount(user.account, products, author);
      this.#statements.insertUser.run({
        id: newId(),
        account_id: accountId,
        username: user.username,
        permissions: JSON.stringify(user.permissions),
        api_owner: known ? 0 : 1,
        created_ms: author.atMs,
        key_digest: keyDigest(user.apiKey),
        key_sealed: this.#vault.seal(user.apiKey, user.username),
        key_expires_ms: user.keyExpiresMs ?? null,
        batch_digest: user.batch ? keyDigest(user.batch.key.toLowerCase()) : null,
        channels: JSON.stringify(user.batch?.channels ?? []),
        pdns: user.pdns ? JSON.stringify(user.pdns) : null,
      });
      this.#audit(author, 'user.create', user.account, user.username, {
        permissions: user.permissions,
        channels: user.batch?.channels ?? [],
        pdns: user.pdns ?? null,
      });
      return this.#callerOf(this.#statements.userByName.get(user.username) as UserRow);
    });
  }

  async findByKey(digest: string): Promise<Caller | undefined> {
    return this.#entry(`key:${digest}`, () => this.#statements.userByKey.get(digest))?.caller;
  }

  async findByBatchKey(digest: string): Promise<Caller | undefined> {
    return this.#entry(`batch:${digest}`, () => this.#statements.userByBatchKey.get(digest))?.caller;
  }

  async findByUsername(username: string): Promise<Caller | undefined> {
    return this.#byUsername(username)?.caller;
  }

  async findSigningKey(username: string): Promise<string | undefined> {
    const entry = this.#byUsername(username);
    if (!entry) return undefined;
    entry.signingKey ??= this.#vault.open(entry.row.key_sealed, username);
    return entry.signingKey;
  }

  async findAccount(name: string): Promise<Account | undefined> {
    return this.#accountWhere(this.#statements.accountByName.get(name));
  }

  async listUsers(range: { accountId?: string; after?: string; limit: number }): Promise<readonly Caller[]> {
    const rows = this.#statements.listUsers.all({
      account_id: range.accountId ?? null,
      after: range.after ?? '',
      limit: range.limit,
    }) as UserRow[];
    return rows.map((row) => this.#callerOf(row));
  }

  async resetKey(username: string, apiKey: string, author: Author): Promise<User> {
    return this.#change(() => {
      const row = this.#statements.userByName.get(username) as UserRow | undefined;
      if (!row) throw new Problem('not-found', `there is no user ${username}`);
      this.#statements.resetKey.run({
        id: row.id,
        key_digest: keyDigest(apiKey),
        key_sealed: this.#vault.seal(apiKey, username),
      });
      const caller = this.#callerOf(this.#statements.userByName.get(username) as UserRow);
      this.#audit(author, 'key.reset', caller.account.name, username, {});
      return caller.user;
    });
  }

  async provision(account: string, grants: readonly ProductGrant[], author: Author): Promise<Account> {
    return this.#changeAccount(account, (id) => {
      for (const grant of grants) {
        this.#putGrant(id, grant);
        this.#audit(author, 'product.provision', account, undefined, { ...grant });
      }
    });
  }

  async withdraw(account: string, products: readonly ProductId[], author: Author): Promise<Account> {
    return this.#changeAccount(account, (id) => {
      for (const product of products) {
        this.#statements.deleteGrant.run(id, product);
        this.#audit(author, 'product.withdraw', account, undefined, { product });
      }
    });
  }

  async setAccountActive(account: string, active: boolean, author: Author): Promise<Account> {
    return this.#changeAccount(account, (id) => {
      this.#statements.setActive.run(active ? 1 : 0, id);
      this.#audit(author, active ? 'account.enable' : 'account.disable', account, undefined, {});
    });
  }

  async listAudit(range: {
    account?: string;
    before?: number;
    limit: number;
  }): Promise<readonly AuditEntry[]> {
    const rows = this.#statements.listAudit.all({
      account: range.account ?? null,
      before: range.before ?? Number.MAX_SAFE_INTEGER,
      limit: range.limit,
    }) as AuditRow[];
    return rows.map((row) => ({
      number: row.number,
      atMs: row.at_ms,
      actor: row.actor,
      action: row.action,
      account: row.account,
      ...(row.username === null ? {} : { username: row.username }),
      detail: JSON.parse(row.detail) as Record<string, unknown>,
    }));
  }

  async findAuditBreak(): Promise<number | undefined> {
    let previous: Buffer = Buffer.alloc(0);
    for (const row of this.#statements.auditInOrder.iterate() as IterableIterator<AuditRow>) {
      const hash = auditHash(previous, row);
      if (!hash.equals(row.hash)) return row.number;
      previous = hash;
    }
    return undefined;
  }

  async close(): Promise<void> {
    this.#database.close();
  }

  /** A write and the forgetting that goes with it: our own commits do not move our own data_version. */
  async #change<Result>(work: () => Result): Promise<Result> {
    try {
      return await write(this.#database, work);
    } finally {
      this.#entries.clear();
    }
  }

  #changeAccount(name: string, work: (id: string) => void): Promise<Account> {
    return this.#change(() => {
      const row = this.#statements.accountByName.get(name) as { id: string } | undefined;
      if (!row) throw new Problem('not-found', `there is no account ${name}`);
      work(row.id);
      return this.#accountWhere(this.#statements.accountByName.get(name)) as Account;
    });
  }

  #refuseTaken(user: NewUser): void {
    const refuse = (what: string) => {
      throw new Problem('already-exists', `${what} is taken`);
    };
    if (this.#statements.userByName.get(user.username)) refuse(`the username ${user.username}`);
    if (this.#statements.userByKey.get(keyDigest(user.apiKey))) refuse('that key');
    const batchKey = user.batch?.key.toLowerCase();
    if (batchKey && this.#statements.userByBatchKey.get(keyDigest(batchKey))) refuse('that batch key');
  }

  #insertAccount(name: string, products: readonly ProductId[], author: Author): string {
    const id = newId();
    this.#statements.insertAccount.run(id, name, author.atMs);
    for (const product of products) this.#putGrant(id, { product });
    this.#audit(author, 'account.create', name, undefined, { products });
    return id;
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

  #audit(
    author: Author,
    action: string,
    account: string,
    username: string | undefined,
    detail: object,
  ): void {
    const last = this.#statements.lastAudit.get() as AuditRow | undefined;
    const row = {
      number: (last?.number ?? 0) + 1,
      at_ms: author.atMs,
      actor: author.actor,
      action,
      account,
      username: username ?? null,
      detail: JSON.stringify(detail),
    };
    this.#statements.insertAudit.run({ ...row, hash: auditHash(last?.hash ?? Buffer.alloc(0), row) });
  }

  #byUsername(username: string): Entry | undefined {
    return this.#entry(`name:${username}`, () => this.#statements.userByName.get(username));
  }

  /** Only what exists is kept, so guesses do not fill the cache. */
  #entry(key: string, find: () => unknown): Entry | undefined {
    if (this.#changedElsewhere() || this.#entries.size >= cacheEntriesMax) this.#entries.clear();
    const kept = this.#entries.get(key);
    if (kept) return kept;
    const row = find() as UserRow | undefined;
    if (!row) return undefined;
    const entry = { caller: this.#callerOf(row), row };
    this.#entries.set(key, entry);
    return entry;
  }

  #callerOf(row: UserRow): Caller {
    const account = this.#accountWhere(this.#statements.accountById.get(row.account_id)) as Account;
    const user: User = {
      id: row.id,
      username: row.username,
      permissions: JSON.parse(row.permissions),
      apiOwner: row.api_owner === 1,
      createdMs: row.created_ms,
      ...(row.key_expires_ms === null ? {} : { keyExpiresMs: row.key_expires_ms }),
      hasBatchKey: row.batch_digest !== null,
      channels: JSON.parse(row.channels),
      ...(row.pdns === null ? {} : { pdns: JSON.parse(row.pdns) }),
    };
    return { user, account };
  }

  #accountWhere(found: unknown): Account | undefined {
    const row = found as { id: string; name: string; active: number } | undefined;
    if (!row) return undefined;
    const rows = this.#statements.grantsOf.all(row.id) as GrantRow[];
    const grants = new Map(rows.map((grant) => [grant.product, grantOf(grant)]));
    const products = productIds.flatMap((id) => grants.get(id) ?? []);
    return { id: row.id, name: row.name, active: row.active === 1, products };
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

function auditHash(previous: Buffer, row: Omit<AuditRow, 'hash'>): Buffer {
  const content = [row.number, row.at_ms, row.actor, row.action, row.account, row.username, row.detail];
  return createHash('sha256').update(previous).update(JSON.stringify(content)).digest();
}

function prepare(database: Database) {
  const user = 'select * from user where';
  return {
    accountByName: database.prepare('select id, name, active from account where name = ?'),
    accountById: database.prepare('select id, name, active from account where id = ?'),
    insertAccount: database.prepare('insert into account (id, name, active, created_ms) values (?, ?, 1, ?)'),
    setActive: database.prepare('update account set active = ? where id = ?'),
    grantsOf: database.prepare('select * from product_grant where account_id = ?'),
    putGrant: database.prepare(
      `insert or replace into product_grant
       values (:account_id, :product, :per_minute, :per_hour, :per_month, :absolute, :expiration_date)`,
    ),
    deleteGrant: database.prepare('delete from product_grant where account_id = ? and product = ?'),
    userByName: database.prepare(`${user} username = ?`),
    userByKey: database.prepare(`${user} key_digest = ?`),
    userByBatchKey: database.prepare(`${user} batch_digest = ?`),
    listUsers: database.prepare(
      `${user} (:account_id is null or account_id = :account_id) and username > :after order by username limit :limit`,
    ),
    insertUser: database.prepare(
      `insert into user values (:id, :account_id, :username, :permissions, :api_owner, :created_ms, :key_digest,
         :key_sealed, :key_expires_ms, :batch_digest, :channels, :pdns)`,
    ),
    resetKey: database.prepare(
      'update user set key_digest = :key_digest, key_sealed = :key_sealed, key_expires_ms = null where id = :id',
    ),
    lastAudit: database.prepare('select * from audit order by number desc limit 1'),
    insertAudit: database.prepare(
      'insert into audit values (:number, :at_ms, :actor, :action, :account, :username, :detail, :hash)',
    ),
    listAudit: database.prepare(
      `select * from audit where (:account is null or account = :account) and number < :before
       order by number desc limit :limit`,
    ),
    auditInOrder: database.prepare('select * from audit order by number'),
  };
}
