/**
 * Accounts, users, keys and the audit log of their changes. Every method is a whole operation; every change writes its
 * audit entry in the same transaction and is seen by all processes from the moment that its promise resolves.
 */
import type { Account, Caller, ChannelGrant, PdnsGrant, ProductGrant, User } from '../model/account.ts';
import type { Permission } from '../model/permission.ts';
import type { ProductId } from '../model/product-catalogue.ts';

export interface NewUser {
  readonly account: string;
  readonly username: string;
  readonly permissions: readonly Permission[];
  readonly apiKey: string;
  readonly keyExpiresMs?: number | undefined;
  /** Absent: the user has no batch key. */
  readonly batch?: { readonly key: string; readonly channels: ChannelGrant } | undefined;
  /** Absent: the key is not authorized for passive DNS. */
  readonly pdns?: PdnsGrant | undefined;
}

/** What to change of a user; what is left out stays. `null` takes a thing away. */
export interface UserChange {
  readonly permissions?: readonly Permission[] | undefined;
  readonly keyExpiresMs?: number | null | undefined;
  readonly batchKey?: string | null | undefined;
  readonly channels?: ChannelGrant | undefined;
  readonly pdns?: PdnsGrant | null | undefined;
  /** Makes this user the API owner of the account in place of the one before. */
  readonly apiOwner?: true | undefined;
}

/** Who made a change, and when: `operator` for the command line, else the username of an API administrator. */
export interface Author {
  readonly actor: string;
  readonly atMs: number;
}

export interface AuditEntry {
  readonly number: number;
  readonly atMs: number;
  readonly actor: string;
  readonly action: string;
  readonly account: string;
  readonly username?: string;
  /** What changed, never a secret. */
  readonly detail: Readonly<Record<string, unknown>>;
}

export interface AccountStore {
  /**
   * Adds a user with a key. An account of that name is made when there is none, with every product of `products`. The
   * user of an account without an API owner becomes its owner. Throws the Problem `already-exists` for a username or key that is taken, and for a
   * key that was reset or removed.
   */
  createUser(user: NewUser, products: readonly ProductId[], author: Author): Promise<Caller>;

  findByKey(apiKey: string): Promise<Caller | undefined>;

  /** Batch keys are found in any letter case, as UUIDs are written. */
  findByBatchKey(batchKey: string): Promise<Caller | undefined>;

  findByUsername(username: string): Promise<Caller | undefined>;

  /** The plain key of a user, which signatures are checked with. */
  findSigningKey(username: string): Promise<string | undefined>;

  findAccount(name: string): Promise<Account | undefined>;

  /** Users of one account in order of username, at most `limit` after `after`; of all accounts without `accountId`. */
  listUsers(range: { accountId?: string; after?: string; limit: number }): Promise<readonly Caller[]>;

  /**
   * Puts a new key in place of the old one, which is dead from here on. An expiry in the future stays, one in the past
   * goes. Throws `not-found`.
   */
  resetKey(username: string, apiKey: string, author: Author): Promise<User>;

  /** Throws `not-found`, and `already-exists` for a batch key that is taken. */
  updateUser(username: string, change: UserChange, author: Author): Promise<Caller>;

  /** The user's keys are dead from here on. Throws `not-found`, and `permission-denied` for an owner with users left. */
  removeUser(username: string, author: Author): Promise<void>;

  /** Provisions products, or changes their limits. Throws `not-found` for an unknown account. */
  provision(account: string, grants: readonly ProductGrant[], author: Author): Promise<Account>;

  /** Takes products away. Throws `not-found` for an unknown account. */
  withdraw(account: string, products: readonly ProductId[], author: Author): Promise<Account>;

  /** Throws `not-found` for an unknown account. */
  setAccountActive(account: string, active: boolean, author: Author): Promise<Account>;

  /** Newest first. */
  listAudit(range: { account?: string; before?: number; limit: number }): Promise<readonly AuditEntry[]>;

  /**
   * The number of the first entry that is missing or whose hash does not follow from the one before, undefined when the
   * chain holds to the newest entry ever written.
   */
  findAuditBreak(): Promise<number | undefined>;

  close(): Promise<void>;
}
