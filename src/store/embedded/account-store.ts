/**
 * accounts.db: account, product_grant, user (keys as SHA-256 to find them and sealed to sign with), audit (hash-chained).
 *
 * Reads come from a cache that is dropped as soon as any process commits to this file. Every request looks for such a
 * commit when it arrives, so a key reset anywhere is seen here by the next request.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Account, Caller, ProductGrant, User } from '../../model/account.ts';
import { keyDigest, newId } from '../../model/api-key.ts';
import { Problem } from '../../model/problem.ts';
import { type ProductId, productIds } from '../../model/product-catalogue.ts';
import type { AccountStore, AuditEntry, Author, NewUser, UserChange } from '../account-store.ts';
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
      this.#refuseTaken({ username: user.username, apiKey: user.apiKey, batchKey: user.batch?.key });
      const known = this.#statements.accountByName.get(user.account) as { id: string } | undefined;
      const accountId = known?.id ?? this.#insertAccount(user.account, products, author);
      this.#statements.insertUser.run({
        id: newId(),
        account_id: accountId,
        username: user.username,
        permissions: JSON.stringify(user.permissions),
        api_owner: this.#statements.ownerOf.get(accountId) === undefined ? 1 : 0,
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
      return this.#callerOf(this.#getUser(user.username));
    });
  }

  async findByKey(apiKey: string): Promise<Caller | undefined> {
    return this.#entry(`key:${apiKey}`, () => this.#statements.userByKey.get(keyDigest(apiKey)))?.caller;
  }

  async findByBatchKey(batchKey: string): Promise<Caller | undefined> {
    const key = batchKey.toLowerCase();
    return this.#entry(`batch:${key}`, () => this.#statements.userByBatchKey.get(keyDigest(key)))?.caller;
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
      const { id, key_digest: old } = this.#getUser(username);
      this.#statements.retireKey.run(old);
      this.#statements.resetKey.run({
        id,
        key_digest: keyDigest(apiKey),
        key_sealed: this.#vault.seal(apiKey, username),
        now_ms: author.atMs,
      });
      const caller = this.#callerOf(this.#getUser(username));
      this.#audit(author, 'key.reset', caller.account.name, username, {});
      return caller.user;
    });
  }

  async updateUser(username: string, change: UserChange, author: Author): Promise<Caller> {
    return this.#change(() => {
      const { account } = this.#callerOf(this.#getUser(username));
      if (change.batchKey) this.#refuseTaken({ batchKey: change.batchKey });
      if (change.apiOwner) this.#statements.clearOwner.run(account.id);
      const { id } = this.#getUser(username);
      for (const [column, value] of Object.entries(columnsOf(change))) {
        this.#database.prepare(`update user set ${column} = ? where id = ?`).run(value, id);
      }
      const { batchKey, ...rest } = change;
      const batch = batchKey === undefined ? {} : { batchKey: batchKey === null ? 'withdrawn' : 'replaced' };
      this.#audit(author, 'user.update', account.name, username, { ...rest, ...batch });
      return this.#callerOf(this.#getUser(username));
    });
  }

  async removeUser(username: string, author: Author): Promise<void> {
    await this.#change(() => {
      const row = this.#getUser(username);
      const { account, user } = this.#callerOf(row);
      const others =
        this.#statements.listUsers.all({ account_id: account.id, after: '', limit: 2 }).length - 1;
      if (user.apiOwner && others > 0) {
        throw new Problem(
          'permission-denied',
          `${username} is the API owner of ${account.name}; make another user the owner first`,
        );
      }
      this.#statements.retireKey.run(row.key_digest);
      this.#statements.deleteUser.run(row.id);
      this.#audit(author, 'user.remove', account.name, username, {});
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
    let last = 0;
    for (const row of this.#statements.auditInOrder.iterate() as IterableIterator<AuditRow>) {
      const hash = auditHash(previous, row);
      if (!hash.equals(row.hash)) return row.number;
      previous = hash;
      last = row.number;
    }
    const written = (this.#statements.auditWritten.get() as number | undefined) ?? 0;
    return written > last ? last + 1 : undefined;
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

  #refuseTaken(wanted: { username?: string; apiKey?: string; batchKey?: string | undefined }): void {
    const { username, apiKey, batchKey } = wanted;
    const taken = (what: string) => new Problem('already-exists', `${what} is taken`);
    if (username && this.#statements.userByName.get(username)) throw taken(`the username ${username}`);
    if (apiKey && this.#statements.userByKey.get(keyDigest(apiKey))) throw taken('that key');
    if (apiKey && this.#statements.retiredKey.get(keyDigest(apiKey))) {
      throw new Problem('already-exists', 'that key was reset or removed; it cannot come back');
    }
    if (batchKey && this.#statements.userByBatchKey.get(keyDigest(batchKey.toLowerCase()))) {
      throw taken('that batch key');
    }
  }

  #getUser(username: string): UserRow {
    const row = this.#statements.userByName.get(username) as UserRow | undefined;
    if (!row) throw new Problem('not-found', `there is no user ${username}`);
    return row;
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

  /** Only what exists is kept, so guesses do not fill the cache. Keys in use are in memory anyway, to check signatures. */
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

/** Column names are ours; only the values come from a request. */
function columnsOf(change: UserChange): Record<string, string | number | null> {
  const { permissions, keyExpiresMs, batchKey, channels, pdns, apiOwner } = change;
  return {
    ...(permissions === undefined ? {} : { permissions: JSON.stringify(permissions) }),
    ...(keyExpiresMs === undefined ? {} : { key_expires_ms: keyExpiresMs }),
    ...(batchKey === undefined
      ? {}
      : { batch_digest: batchKey === null ? null : keyDigest(batchKey.toLowerCase()) }),
    ...(channels === undefined ? {} : { channels: JSON.stringify(channels) }),
    ...(pdns === undefined ? {} : { pdns: pdns === null ? null : JSON.stringify(pdns) }),
    ...(apiOwner === undefined ? {} : { api_owner: 1 }),
  };
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
      `update user set key_digest = :key_digest, key_sealed = :key_sealed,
         key_expires_ms = iif(key_expires_ms > :now_ms, key_expires_ms, null) where id = :id`,
    ),
    retireKey: database.prepare('insert into retired_key (digest) values (?) on conflict do nothing'),
    retiredKey: database.prepare('select digest from retired_key where digest = ?').pluck(),
    ownerOf: database.prepare('select id from user where account_id = ? and api_owner = 1').pluck(),
    clearOwner: database.prepare('update user set api_owner = 0 where account_id = ?'),
    deleteUser: database.prepare('delete from user where id = ?'),
    lastAudit: database.prepare('select * from audit order by number desc limit 1'),
    insertAudit: database.prepare(
      'insert into audit values (:number, :at_ms, :actor, :action, :account, :username, :detail, :hash)',
    ),
    listAudit: database.prepare(
      `select * from audit where (:account is null or account = :account) and number < :before
       order by number desc limit :limit`,
    ),
    auditWritten: database.prepare("select seq from sqlite_sequence where name = 'audit'").pluck(),
    auditInOrder: database.prepare('select * from audit order by number'),
  };
}
