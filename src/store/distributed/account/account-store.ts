/** Accounts, users, keys and the audit log in PostgreSQL. Keys are there as SHA-256 for lookup, and encrypted for verifying signatures. */
import { yieldIfIterationIsFull } from '../../../concurrency/event-loop-slices.ts';
import type { Account, Caller } from '../../../model/account/account.ts';
import { keyDigest } from '../../../model/account/api-key.ts';
import { noAccount } from '../../account/account-rows.ts';
import { batchDigest, type UserRow } from '../../account/user-rows.ts';
import { keyPrefix, usersListedMax } from '../../account/user-rules.ts';
import type { AccountStore, Author } from '../../account-store.ts';
import type { KeyVault } from '../../key-vault.ts';
import type { PostgresDatabase } from '../postgres/database.ts';
import {
  type AccountChanging,
  disownChannels,
  ownChannels,
  provision,
  restoreApis,
  setActive,
  withdraw,
} from './account-changes.ts';
import { AuditLog } from './audit-log.ts';
import { CallerLookups } from './caller-lookups.ts';
import { readAccount, readCallers } from './caller-queries.ts';
import { createUser, removeUser, resetKey, type UserChanging, updateUser } from './users.ts';

export interface AccountStoreOptions {
  /** How long a node may answer from memory who has a key. */
  readonly accountCacheMs?: number;
}

/** Who opened the database closes it. */
export function openAccountStore(
  database: PostgresDatabase,
  vault: KeyVault,
  { accountCacheMs = 0 }: AccountStoreOptions = {},
): AccountStore {
  const audit = new AuditLog(database);
  const lookups = new CallerLookups(database, accountCacheMs);
  return {
    ...userChanges({ audit, lookups, vault }),
    ...accountChanges({ audit, lookups }),
    ...finding(lookups, vault),
    ...listing(database, vault),
    appendAudit: (event, author) => audit.change(async (_, append) => append(event, author)),
    listAudit: (range) => audit.list(range),
    checkAudit: (account) => audit.check(account),
    close: async () => undefined,
  };
}

interface Needs {
  readonly audit: AuditLog;
  readonly lookups: CallerLookups;
}

type UserChanges = Pick<AccountStore, 'createUser' | 'resetKey' | 'updateUser' | 'removeUser'>;

function userChanges({ audit, lookups, vault }: Needs & { readonly vault: KeyVault }): UserChanges {
  const change = <Result>(author: Author, work: (changing: UserChanging) => Promise<Result>) =>
    audit.change((sql, append) => work({ sql, append, vault, author })).finally(() => lookups.forget());
  return {
    createUser: (user, products, author) =>
      change(author, (changing) => createUser(user, products, changing)),
    resetKey: async (username, apiKey, author) =>
      (await change(author, (changing) => resetKey(username, apiKey, changing))).user,
    updateUser: (username, changed, author) =>
      change(author, (changing) => updateUser(username, changed, changing)),
    removeUser: (username, author) => change(author, (changing) => removeUser(username, changing)),
  };
}

type AccountChanges = Pick<
  AccountStore,
  'provision' | 'withdraw' | 'restoreApis' | 'ownChannels' | 'disownChannels' | 'setAccountActive'
>;

function accountChanges({ audit, lookups }: Needs): AccountChanges {
  /** A method that does the work for the account of the name, and returns it as it then is. */
  const changing =
    <Given>(work: (account: Account, given: Given, changing: AccountChanging) => Promise<void>) =>
    (name: string, given: Given, author: Author): Promise<Account> =>
      audit
        .change(async (sql, append) => {
          const account = await readAccount(sql, sql`account.name = ${name}`);
          if (!account) throw noAccount(name);
          await work(account, given, { sql, append, author });
          return (await readAccount(sql, sql`account.id = ${account.id}`)) as Account;
        })
        .finally(() => lookups.forget());
  return {
    provision: changing(provision),
    withdraw: changing(withdraw),
    restoreApis: changing(restoreApis),
    ownChannels: changing(ownChannels),
    disownChannels: changing(disownChannels),
    setAccountActive: changing(setActive),
  };
}

type Finding = Pick<AccountStore, 'findByKey' | 'findByBatchKey' | 'findByUsername' | 'findSigningKey'>;

function finding(lookups: CallerLookups, vault: KeyVault): Finding {
  const find = async (...lookup: Parameters<CallerLookups['find']>): Promise<Caller | undefined> =>
    (await lookups.find(...lookup))?.caller;
  return {
    findByKey: (apiKey) => find('key_digest', keyDigest(apiKey)),
    findByBatchKey: (batchKey) => find('batch_digest', batchDigest(batchKey)),
    findByUsername: (username) => find('username', username),
    findSigningKey: async (username) => {
      const found = await lookups.find('username', username);
      return found && vault.open(found.row.key_sealed, username);
    },
  };
}

type Listing = Pick<AccountStore, 'findAccount' | 'keyPrefixes' | 'listUsers' | 'channelOwners'>;

function listing(database: PostgresDatabase, vault: KeyVault): Listing {
  return {
    findAccount: (name) => database.read((sql) => readAccount(sql, sql`account.name = ${name}`)),
    keyPrefixes: async (accountId) => {
      const rows = await database.read(
        (sql) => sql<Pick<UserRow, 'username' | 'key_sealed'>[]>`
          select username, key_sealed from api_user where account_id = ${accountId}
          order by username limit ${usersListedMax}`,
      );
      const prefixes = new Map<string, string>();
      for (const { username, key_sealed: sealed } of rows) {
        await yieldIfIterationIsFull();
        try {
          prefixes.set(username, keyPrefix(vault.open(sealed, username)));
        } catch {
          // A key that cannot be decrypted, after the server's secret was lost, still works and is still listed.
        }
      }
      return prefixes;
    },
    listUsers: async ({ accountId, after = '', limit }) => {
      const callers = await database.read((sql) => {
        const ofAccount = accountId === undefined ? sql`` : sql`and account_id = ${accountId}`;
        const page = sql`select * from api_user where username > ${after} ${ofAccount} order by username limit ${limit}`;
        return readCallers(sql, page);
      });
      return callers.map(({ caller }) => caller);
    },
    channelOwners: async () => {
      const rows = await database.read(
        (sql) => sql<{ channel: number; name: string }[]>`
          select channel, name from channel_owner join account on id = account_id order by channel`,
      );
      return new Map(rows.map(({ channel, name }) => [channel, name]));
    },
  };
}
