/**
 * accounts.db. Tables: `account`, `product_grant`, `channel_owner`, `user` (keys as SHA-256 for lookup, and encrypted for verifying
 * signatures), `retired_key` and `audit` (hash-chained).
 *
 * Reads come from a cache that is cleared as soon as any process commits to this database. Every lookup checks for such commits, so a key
 * reset in another process takes effect with the next request.
 */
import { join } from 'node:path';
import { yieldIfIterationIsFull } from '../../concurrency/event-loop-slices.ts';
import type { Account, Caller, KeyedApi, ProductGrant, User } from '../../model/account/account.ts';
import { keyDigest, newId } from '../../model/account/api-key.ts';
import type { ProductId } from '../../model/product-catalogue.ts';
import { noAccount } from '../account/account-rows.ts';
import { batchDigest, changedColumns, newUserRow, type UserRow, userOf } from '../account/user-rows.ts';
import {
  createdDetail,
  keyPrefix,
  noUser,
  noUserOfAccount,
  type PersonOfName,
  refuseOwner,
  refuseTaken,
  refuseTooMany,
  samePersonId,
  updatedDetail,
  usersListedMax,
} from '../account/user-rules.ts';
import type {
  AccountStore,
  AuditCheck,
  AuditEntry,
  AuditEvent,
  AuditRange,
  Author,
  NewUser,
  UserChange,
} from '../account-store.ts';
import type { KeyVault } from '../key-vault.ts';
import { AccountRecords } from './account-records.ts';
import { AuditLog } from './audit-log.ts';
import { changeDetector, type Database, openDatabase, write } from './database.ts';
import { prepareUserStatements } from './user-statements.ts';

interface Entry {
  readonly caller: Caller;
  readonly row: UserRow;
  /** Decrypted on first use. */
  signingKey?: string;
}

/** The cache is cleared when it reaches this size. */
const cacheEntriesMax = 50_000;

export function openAccountStore(directory: string, vault: KeyVault): AccountStore {
  return new EmbeddedAccountStore(openDatabase(join(directory, 'accounts.db'), 'accounts', 'full'), vault);
}

class EmbeddedAccountStore implements AccountStore {
  readonly #database: Database;
  readonly #vault: KeyVault;
  readonly #entries = new Map<string, Entry>();
  readonly #statements;
  readonly #audit: AuditLog;
  readonly #records: AccountRecords;
  readonly #changedElsewhere: () => boolean;

  constructor(database: Database, vault: KeyVault) {
    this.#database = database;
    this.#vault = vault;
    this.#statements = prepareUserStatements(database);
    this.#audit = new AuditLog(database);
    this.#records = new AccountRecords(database, this.#audit);
    this.#changedElsewhere = changeDetector(database);
  }

  async createUser(user: NewUser, products: readonly ProductId[], author: Author): Promise<Caller> {
    return this.#change(() => {
      const known = this.#records.find(user.account);
      // Before the name is checked: a full account must not be able to find out which names are free.
      if (known) refuseTooMany(user, this.#statements.usersOf.get(known.id) as number);
      const { username } = user;
      const person = this.#statements.personInAnyCase.get(username) as PersonOfName | undefined;
      const personId = samePersonId(username, known?.id, person);
      this.#refuseTaken({ username, apiKey: user.apiKey, batchKey: user.batch?.key });
      const accountId = known?.id ?? this.#records.insert(user.account, products, author);
      // A person and a user of one name are the same, so what is theirs alone stays theirs.
      const id = personId ?? newId();
      const apiOwner = this.#statements.ownerOf.get(accountId) === undefined;
      const sharedId = this.#findSharedId(user.pdnsSharedWith, accountId);
      const row = newUserRow(user, { id, accountId, apiOwner, sharedId }, this.#vault, author);
      this.#statements.insertUser.run({ ...row, api_owner: Number(apiOwner) });
      const detail = createdDetail(user);
      this.#audit.append({ action: 'user.create', account: user.account, username, detail }, author);
      return this.#callerOf(this.#getUser(user.username));
    });
  }

  async findByKey(apiKey: string): Promise<Caller | undefined> {
    return this.findByKeySync(apiKey);
  }

  findByKeySync(apiKey: string): Caller | undefined {
    return this.#entry(`key:${apiKey}`, () => this.#statements.userByKey.get(keyDigest(apiKey)))?.caller;
  }

  async findByBatchKey(batchKey: string): Promise<Caller | undefined> {
    const digest = batchDigest(batchKey);
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

  async keyPrefixes(accountId: string): Promise<ReadonlyMap<string, string>> {
    const prefixes = new Map<string, string>();
    for (const { user } of await this.listUsers({ accountId, limit: usersListedMax })) {
      await yieldIfIterationIsFull();
      // A key that cannot be decrypted, after the server's secret was lost, still works and is still listed.
      const key = await this.findSigningKey(user.username).catch(() => undefined);
      if (key !== undefined) prefixes.set(user.username, keyPrefix(key));
    }
    return prefixes;
  }

  async findAccount(name: string): Promise<Account | undefined> {
    return this.#records.find(name);
  }

  async listUsers(range: { accountId?: string; after?: string; limit: number }): Promise<readonly Caller[]> {
    const rows = this.#statements.listUsers.all({
      account_id: range.accountId ?? null,
      after: range.after ?? '',
      limit: range.limit,
    }) as UserRow[];
    const accounts = new Map<string, Account>();
    const accountOf = (id: string) => {
      const account = accounts.get(id) ?? this.#records.get(id);
      accounts.set(id, account);
      return account;
    };
    return rows.map((row) => ({ user: this.#userOf(row), account: accountOf(row.account_id) }));
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
      this.#audit.append({ action: 'key.reset', account: caller.account.name, username }, author);
      return caller.user;
    });
  }

  async updateUser(username: string, change: UserChange, author: Author): Promise<Caller> {
    return this.#change(() => {
      const { account } = this.#callerOf(this.#getUser(username));
      if (change.batchKey) this.#refuseTaken({ batchKey: change.batchKey });
      if (change.apiOwner) this.#statements.clearOwner.run(account.id);
      const { id } = this.#getUser(username);
      const shared = this.#findSharedId(change.pdnsSharedWith, account.id);
      for (const [column, value] of Object.entries(changedColumns(change, shared))) {
        const bound = typeof value === 'boolean' ? Number(value) : value;
        this.#database.prepare(`update user set ${column} = ? where id = ?`).run(bound, id);
      }
      const detail = updatedDetail(change);
      this.#audit.append({ action: 'user.update', account: account.name, username, detail }, author);
      return this.#callerOf(this.#getUser(username));
    });
  }

  async removeUser(username: string, author: Author): Promise<void> {
    await this.#change(() => {
      const row = this.#getUser(username);
      const { account, user } = this.#callerOf(row);
      const others =
        this.#statements.listUsers.all({ account_id: account.id, after: '', limit: 2 }).length - 1;
      if (user.apiOwner && others > 0) refuseOwner({ username, account: account.name });
      this.#statements.retireKey.run(row.key_digest);
      this.#statements.deleteUser.run(row.id);
      this.#audit.append({ action: 'user.remove', account: account.name, username }, author);
    });
  }

  async provision(name: string, grants: readonly ProductGrant[], author: Author): Promise<Account> {
    return this.#changeAccount(name, (account) => this.#records.provision(account, grants, author));
  }

  async withdraw(name: string, items: readonly (ProductId | KeyedApi)[], author: Author): Promise<Account> {
    return this.#changeAccount(name, (account) => this.#records.withdraw(account, items, author));
  }

  async restoreApis(name: string, apis: readonly KeyedApi[], author: Author): Promise<Account> {
    return this.#changeAccount(name, (account) => this.#records.restoreApis(account, apis, author));
  }

  async ownChannels(name: string, channels: readonly number[], author: Author): Promise<Account> {
    return this.#changeAccount(name, (account) => this.#records.ownChannels(account, channels, author));
  }

  async disownChannels(name: string, channels: readonly number[], author: Author): Promise<Account> {
    return this.#changeAccount(name, (account) => this.#records.disownChannels(account, channels, author));
  }

  async channelOwners(): Promise<ReadonlyMap<number, string>> {
    return this.#records.channelOwners();
  }

  async setAccountActive(name: string, active: boolean, author: Author): Promise<Account> {
    return this.#changeAccount(name, (account) => this.#records.setActive(account, active, author));
  }

  async appendAudit(event: AuditEvent, author: Author): Promise<void> {
    await write(this.#database, () => this.#audit.append(event, author));
  }

  listAudit(range: AuditRange): Promise<readonly AuditEntry[]> {
    return this.#audit.list(range);
  }

  checkAudit(account?: string): Promise<AuditCheck> {
    return this.#audit.check(account);
  }

  async close(): Promise<void> {
    this.#database.close();
  }

  /** Writes, and clears the cache: our own commits do not change our own `data_version`. */
  async #change<Result>(work: () => Result): Promise<Result> {
    try {
      return await write(this.#database, work);
    } finally {
      this.#entries.clear();
    }
  }

  #changeAccount(name: string, work: (account: Account) => void): Promise<Account> {
    return this.#change(() => {
      const account = this.#records.find(name);
      if (!account) throw noAccount(name);
      work(account);
      return this.#records.get(account.id);
    });
  }

  #refuseTaken(wanted: { username?: string; apiKey?: string; batchKey?: string | undefined }): void {
    const { username, apiKey, batchKey } = wanted;
    const { userByName, usernameInAnyCase, userByKey, retiredKey, userByBatchKey } = this.#statements;
    refuseTaken(wanted, {
      ...(username && {
        username: userByName.get(username),
        similar: usernameInAnyCase.get(username) as string | undefined,
      }),
      ...(apiKey && {
        apiKey: userByKey.get(keyDigest(apiKey)),
        retiredKey: retiredKey.get(keyDigest(apiKey)),
      }),
      ...(batchKey && { batchKey: userByBatchKey.get(batchDigest(batchKey)) }),
    });
  }

  #findSharedId(username: string | undefined, accountId: string): string | null {
    if (username === undefined) return null;
    const { id, account_id: ofAccount } = this.#getUser(username);
    if (ofAccount !== accountId) throw noUserOfAccount(username);
    return id;
  }

  #getUser(username: string): UserRow {
    const row = this.#statements.userByName.get(username) as UserRow | undefined;
    if (!row) throw noUser(username);
    return row;
  }

  #byUsername(username: string): Entry | undefined {
    return this.#entry(`name:${username}`, () => this.#statements.userByName.get(username));
  }

  /** Only existing entries are cached, so guessed keys cannot fill it. Verifying signatures needs keys in memory anyway. */
  #entry(key: string, find: () => unknown): Entry | undefined {
    if (this.#changedElsewhere() || this.#entries.size >= cacheEntriesMax) this.#entries.clear();
    const cached = this.#entries.get(key);
    if (cached) return cached;
    const row = find() as UserRow | undefined;
    if (!row) return undefined;
    const entry = { caller: this.#callerOf(row), row };
    this.#entries.set(key, entry);
    return entry;
  }

  #callerOf(row: UserRow): Caller {
    return { user: this.#userOf(row), account: this.#records.get(row.account_id) };
  }

  #userOf(row: UserRow): User {
    const shared =
      row.pdns_shared_with === null
        ? undefined
        : (this.#statements.userById.get(row.pdns_shared_with) as UserRow | undefined);
    return userOf(row, shared);
  }
}
