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
import { Problem } from '../../model/problem.ts';
import type { ProductId } from '../../model/product-catalogue.ts';
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
import { columnsOf, prepareUserStatements, type UserRow, userOf } from './user-rows.ts';

interface Entry {
  readonly caller: Caller;
  readonly row: UserRow;
  /** Decrypted on first use. */
  signingKey?: string;
}

/** The cache is cleared when it reaches this size. */
const cacheEntriesMax = 50_000;
/** More than an account can have, whatever the settings were before. */
const usersListedMax = 10_000;

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
      if (known) this.#refuseTooMany(user, known.id);
      const personId = this.#findSamePerson(user.username, known?.id);
      this.#refuseTaken({ username: user.username, apiKey: user.apiKey, batchKey: user.batch?.key });
      const accountId = known?.id ?? this.#records.insert(user.account, products, author);
      this.#statements.insertUser.run({
        // A person and a user of one name are the same, so what is theirs alone stays theirs.
        id: personId ?? newId(),
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
        addresses: JSON.stringify(user.keyAddresses ?? []),
        products: user.products ? JSON.stringify(user.products) : null,
        pdns_shared_with: this.#findSharedId(user.pdnsSharedWith, accountId),
        created_by: author.actor,
      });
      const { username } = user;
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

  async keyPrefixes(accountId: string): Promise<ReadonlyMap<string, string>> {
    const prefixes = new Map<string, string>();
    for (const { user } of await this.listUsers({ accountId, limit: usersListedMax })) {
      await yieldIfIterationIsFull();
      // A key that cannot be decrypted, after the server's secret was lost, still works and is still listed.
      const key = await this.findSigningKey(user.username).catch(() => undefined);
      if (key !== undefined) prefixes.set(user.username, key.slice(0, prefixLength(key)));
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
      const sharing = shared === null ? {} : { pdns: null, pdns_shared_with: shared };
      for (const [column, value] of Object.entries({ ...columnsOf(change), ...sharing })) {
        this.#database.prepare(`update user set ${column} = ? where id = ?`).run(value, id);
      }
      const { batchKey, ...rest } = change;
      const batch = batchKey === undefined ? {} : { batchKey: batchKey === null ? 'withdrawn' : 'replaced' };
      this.#audit.append(
        { action: 'user.update', account: account.name, username, detail: { ...rest, ...batch } },
        author,
      );
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
      if (!account) throw new Problem('not-found', `there is no account ${name}`);
      work(account);
      return this.#records.get(account.id);
    });
  }

  #refuseTaken(wanted: { username?: string; apiKey?: string; batchKey?: string | undefined }): void {
    const { username, apiKey, batchKey } = wanted;
    const taken = (what: string) => new Problem('already-exists', `${what} is taken`);
    if (username && this.#statements.userByName.get(username)) throw taken(`the username ${username}`);
    const similar = username && (this.#statements.usernameInAnyCase.get(username) as string | undefined);
    if (similar) throw taken(`the username ${similar}, from which ${username} differs by case alone,`);
    if (apiKey && this.#statements.userByKey.get(keyDigest(apiKey))) throw taken('that key');
    if (apiKey && this.#statements.retiredKey.get(keyDigest(apiKey))) {
      throw new Problem('already-exists', 'that key was reset or removed; it cannot be used again');
    }
    if (batchKey && this.#statements.userByBatchKey.get(keyDigest(batchKey.toLowerCase()))) {
      throw taken('that batch key');
    }
  }

  /** Names of people and of API users are one name space: the same name in the same account is the same one. */
  #findSamePerson(username: string, accountId: string | undefined): string | undefined {
    const person = this.#statements.personInAnyCase.get(username) as
      | { id: string; name: string; account_id: string }
      | undefined;
    if (!person || (person.name === username && person.account_id === accountId)) return person?.id;
    throw new Problem('already-exists', `the username ${username} is taken by a person who uses the web UI`);
  }

  #refuseTooMany({ account, usersMax = Number.POSITIVE_INFINITY }: NewUser, accountId: string): void {
    if ((this.#statements.usersOf.get(accountId) as number) < usersMax) return;
    throw new Problem(
      'permission-denied',
      `The account ${account} has ${usersMax} users, and no more are allowed. The operator can remove users, or raise limits.usersPerAccountMax.`,
    );
  }

  #findSharedId(username: string | undefined, accountId: string): string | null {
    if (username === undefined) return null;
    const { id, account_id: ofAccount } = this.#getUser(username);
    if (ofAccount !== accountId) throw new Problem('not-found', `the account has no user ${username}`);
    return id;
  }

  #getUser(username: string): UserRow {
    const row = this.#statements.userByName.get(username) as UserRow | undefined;
    if (!row) throw new Problem('not-found', `there is no user ${username}`);
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

/** At most a sixth of a key, so that short keys of the operator's own choice keep their strength. */
function prefixLength(key: string): number {
  return Math.min(8, Math.floor(key.length / 6));
}

function createdDetail({ permissions, batch, pdns, ...user }: NewUser): object {
  const { keyExpiresMs, keyAddresses = [], products, pdnsSharedWith } = user;
  return {
    permissions,
    channels: batch?.channels ?? [],
    pdns: pdns ?? null,
    ...(keyExpiresMs === undefined ? {} : { expires: new Date(keyExpiresMs).toISOString() }),
    ...(keyAddresses.length === 0 ? {} : { addresses: keyAddresses }),
    ...(products === undefined ? {} : { products }),
    ...(pdnsSharedWith === undefined ? {} : { pdnsSharedWith }),
  };
}
