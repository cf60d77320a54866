/** Rows of the table `user` of accounts.db, and their conversion to and from the model. */
import type { PdnsGrant, User } from '../../model/account/account.ts';
import { keyDigest } from '../../model/account/api-key.ts';
import type { UserChange } from '../account-store.ts';
import type { Database } from './database.ts';

export interface UserRow {
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
  /** The username in lower case; null where an older user has the same in other letters. */
  folded: string | null;
  addresses: string;
  products: string | null;
  pdns_shared_with: string | null;
  created_by: string | null;
}

/** `shared`: the row of the user whose passive DNS grant this one shares. */
export function userOf(row: UserRow, shared?: UserRow): User {
  const pdns = shared ? pdnsOf(shared.pdns, shared.id) : pdnsOf(row.pdns);
  const keyAddresses = JSON.parse(row.addresses) as string[];
  return {
    id: row.id,
    username: row.username,
    permissions: JSON.parse(row.permissions),
    apiOwner: row.api_owner === 1,
    createdMs: row.created_ms,
    ...(row.key_expires_ms === null ? {} : { keyExpiresMs: row.key_expires_ms }),
    ...(keyAddresses.length === 0 ? {} : { keyAddresses }),
    ...(row.products === null ? {} : { products: JSON.parse(row.products) }),
    ...(row.created_by === null ? {} : { createdBy: row.created_by }),
    hasBatchKey: row.batch_digest !== null,
    channels: JSON.parse(row.channels),
    ...(pdns === undefined ? {} : { pdns }),
  };
}

function pdnsOf(text: string | null, countedWith?: string): PdnsGrant | undefined {
  if (text === null) return undefined;
  return { ...(JSON.parse(text) as PdnsGrant), ...(countedWith === undefined ? {} : { countedWith }) };
}

/** Column names are constants, so they are safe to put into SQL; only the values come from a request. */
export function columnsOf(change: UserChange): Record<string, string | number | null> {
  const { permissions, keyExpiresMs, keyAddresses, products, batchKey, channels, pdns, apiOwner } = change;
  return {
    ...(permissions === undefined ? {} : { permissions: JSON.stringify(permissions) }),
    ...(keyExpiresMs === undefined ? {} : { key_expires_ms: keyExpiresMs }),
    ...(keyAddresses === undefined ? {} : { addresses: JSON.stringify(keyAddresses) }),
    ...(products === undefined ? {} : { products: products === null ? null : JSON.stringify(products) }),
    ...(batchKey === undefined
      ? {}
      : { batch_digest: batchKey === null ? null : keyDigest(batchKey.toLowerCase()) }),
    ...(channels === undefined ? {} : { channels: JSON.stringify(channels) }),
    ...(pdns === undefined
      ? {}
      : { pdns: pdns === null ? null : JSON.stringify(pdns), pdns_shared_with: null }),
    ...(apiOwner === undefined ? {} : { api_owner: 1 }),
  };
}

export function prepareUserStatements(database: Database) {
  const user = 'select * from user where';
  return {
    userByName: database.prepare(`${user} username = ?`),
    usernameInAnyCase: database
      .prepare('select username from user where username = ? collate nocase')
      .pluck(),
    personInAnyCase: database.prepare('select id, name, account_id from person where folded = lower(?)'),
    usersOf: database.prepare('select count(*) from user where account_id = ?').pluck(),
    userByKey: database.prepare(`${user} key_digest = ?`),
    userByBatchKey: database.prepare(`${user} batch_digest = ?`),
    listUsers: database.prepare(
      `${user} (:account_id is null or account_id = :account_id) and username > :after order by username limit :limit`,
    ),
    userById: database.prepare(`${user} id = ?`),
    insertUser: database.prepare(
      `insert into user (id, account_id, username, permissions, api_owner, created_ms, key_digest, key_sealed,
         key_expires_ms, batch_digest, channels, pdns, folded, addresses, products, pdns_shared_with, created_by)
       values (:id, :account_id, :username, :permissions, :api_owner, :created_ms, :key_digest, :key_sealed,
         :key_expires_ms, :batch_digest, :channels, :pdns, lower(:username), :addresses, :products, :pdns_shared_with, :created_by)`,
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
  };
}
