/**
 * Accounts, users, keys and the audit log of their changes. Every change writes its audit entry in the same transaction, and is visible to
 * all processes when its promise resolves.
 */
import type {
  Account,
  Caller,
  ChannelGrant,
  KeyedApi,
  PdnsGrant,
  ProductGrant,
  User,
} from '../model/account/account.ts';
import type { Permission } from '../model/account/permission.ts';
import type { ProductId } from '../model/product-catalogue.ts';

export interface NewUser {
  readonly account: string;
  readonly username: string;
  readonly permissions: readonly Permission[];
  readonly apiKey: string;
  readonly keyExpiresMs?: number | undefined;
  readonly keyAddresses?: readonly string[] | undefined;
  readonly products?: readonly ProductId[] | undefined;
  /** Without it the user has no batch key. */
  readonly batch?: { readonly key: string; readonly channels: ChannelGrant } | undefined;
  /** Without it the key is not authorized for passive DNS. */
  readonly pdns?: PdnsGrant | undefined;
  /** Instead of a grant of its own: the username of the one in the same account whose grant and quota the user shares. */
  readonly pdnsSharedWith?: string | undefined;
  /** How many users the account may have, this one included. */
  readonly usersMax?: number | undefined;
}

/** Members left out stay unchanged; `null` removes. */
export interface UserChange {
  readonly permissions?: readonly Permission[] | undefined;
  readonly keyExpiresMs?: number | null | undefined;
  readonly keyAddresses?: readonly string[] | undefined;
  readonly products?: readonly ProductId[] | null | undefined;
  readonly batchKey?: string | null | undefined;
  readonly channels?: ChannelGrant | undefined;
  readonly pdns?: PdnsGrant | null | undefined;
  readonly pdnsSharedWith?: string | undefined;
  /** Makes this user the API owner of the account, replacing the previous owner. */
  readonly apiOwner?: true | undefined;
}

/** Who made a change, and when: `operator` for the command line, otherwise the username of an API administrator. */
export interface Author {
  readonly actor: string;
  readonly atMs: number;
}

/** Something that happened to an account or to one of its users. Must never contain a secret. */
export interface AuditEvent {
  readonly action: string;
  readonly account: string;
  readonly username?: string;
  readonly detail?: object;
}

export interface AuditRange {
  readonly account?: string | undefined;
  readonly actor?: string | undefined;
  /** The first part of the action, such as `key`, or all of it. */
  readonly kind?: string | undefined;
  /** Entries with a smaller number. */
  readonly before?: number | undefined;
  readonly limit: number;
}

export interface AuditCheck {
  /** Entries whose hash was right, of all accounts or of the given one. */
  readonly checked: number;
  /** The number of the first entry that is missing or has the wrong hash; left out where the chain is intact. */
  readonly brokenAt?: number;
}

export interface AuditEntry {
  readonly number: number;
  readonly atMs: number;
  readonly actor: string;
  readonly action: string;
  readonly account: string;
  readonly username?: string;
  /** What changed. Never contains a secret. */
  readonly detail: Readonly<Record<string, unknown>>;
}

export interface AccountStore {
  /**
   * Creates the account if it does not exist, with the given products. The user becomes the API owner of an account that has none. Throws
   * `already-exists` for a username or key in use, for a key that was reset or removed, and for the name of a user or a new account that
   * differs from an existing one by case alone; `permission-denied` if the account has `usersMax` users.
   */
  createUser(user: NewUser, products: readonly ProductId[], author: Author): Promise<Caller>;

  findByKey(apiKey: string): Promise<Caller | undefined>;

  /** The same without waiting, where the store is on this machine. */
  findByKeySync?(apiKey: string): Caller | undefined;

  /** Case-insensitive, because batch keys are UUIDs. */
  findByBatchKey(batchKey: string): Promise<Caller | undefined>;

  /** Case-sensitive. */
  findByUsername(username: string): Promise<Caller | undefined>;

  /** The plaintext API key of a user, for verifying signatures. */
  findSigningKey(username: string): Promise<string | undefined>;

  findAccount(name: string): Promise<Account | undefined>;

  /** The first characters of each API key of an account, by username: enough to recognize a key, far too few to guess it. */
  keyPrefixes(accountId: string): Promise<ReadonlyMap<string, string>>;

  /** In order of username, after the username `after`. Users of all accounts without `accountId`. */
  listUsers(range: { accountId?: string; after?: string; limit: number }): Promise<readonly Caller[]>;

  /**
   * Replaces the API key; the old one is invalid from now on. Keeps an expiry in the future, and removes one in the past. Throws
   * `not-found`.
   */
  resetKey(username: string, apiKey: string, author: Author): Promise<User>;

  /** Throws `not-found`, and `already-exists` for a batch key in use. */
  updateUser(username: string, change: UserChange, author: Author): Promise<Caller>;

  /** Invalidates the user's keys. Throws `not-found`, and `permission-denied` for an API owner of an account with other users. */
  removeUser(username: string, author: Author): Promise<void>;

  /** Grants products, or changes their limits. Throws `not-found` for an unknown account. */
  provision(account: string, grants: readonly ProductGrant[], author: Author): Promise<Account>;

  /**
   * Revokes products, and access to APIs that have keys of their own. With the last product everything is revoked. Throws `not-found` for
   * an unknown account.
   */
  withdraw(account: string, items: readonly (ProductId | KeyedApi)[], author: Author): Promise<Account>;

  /** Gives back access to APIs that were withdrawn. Throws `not-found` for an unknown account. */
  restoreApis(account: string, apis: readonly KeyedApi[], author: Author): Promise<Account>;

  /** Makes the account the owner of channels, in place of any earlier owner. Throws `not-found` for an unknown account. */
  ownChannels(account: string, channels: readonly number[], author: Author): Promise<Account>;

  /** Ends the ownership of channels; those of other accounts stay. Throws `not-found` for an unknown account. */
  disownChannels(account: string, channels: readonly number[], author: Author): Promise<Account>;

  /** The account that owns each channel that has an owner. */
  channelOwners(): Promise<ReadonlyMap<number, string>>;

  /** Throws `not-found` for an unknown account. */
  setAccountActive(account: string, active: boolean, author: Author): Promise<Account>;

  /** Appends to the audit log what is stored elsewhere than with the accounts. */
  appendAudit(event: AuditEvent, author: Author): Promise<void>;

  /** Newest first. */
  listAudit(range: AuditRange): Promise<readonly AuditEntry[]>;

  /** Verifies the hash chain of the whole audit log, up to the newest entry ever written; counts the entries of one account, or all. */
  checkAudit(account?: string): Promise<AuditCheck>;

  close(): Promise<void>;
}
