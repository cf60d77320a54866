/** Rows of users, as every adapter keeps them, and their conversion to and from the model. */
import type { PdnsGrant, User } from '../../model/account/account.ts';
import { keyDigest } from '../../model/account/api-key.ts';
import type { Author, NewUser, UserChange } from '../account-store.ts';
import type { KeyVault } from '../key-vault.ts';
import type { Flag } from './account-rows.ts';

/** Lists and objects are JSON. */
export interface UserRow {
  id: string;
  account_id: string;
  username: string;
  permissions: string;
  api_owner: Flag;
  created_ms: number;
  key_digest: string;
  key_sealed: Buffer;
  key_expires_ms: number | null;
  batch_digest: string | null;
  channels: string;
  pdns: string | null;
  addresses: string;
  products: string | null;
  pdns_shared_with: string | null;
  created_by: string | null;
}

/** `shared`: of the user whose passive DNS grant this one shares. */
export function userOf(row: UserRow, shared?: Pick<UserRow, 'id' | 'pdns'>): User {
  const pdns = shared ? pdnsOf(shared.pdns, shared.id) : pdnsOf(row.pdns);
  const keyAddresses = JSON.parse(row.addresses) as string[];
  return {
    id: row.id,
    username: row.username,
    permissions: JSON.parse(row.permissions),
    apiOwner: Boolean(row.api_owner),
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

export function newUserRow(
  user: NewUser,
  known: {
    readonly id: string;
    readonly accountId: string;
    readonly apiOwner: boolean;
    readonly sharedId: string | null;
  },
  vault: KeyVault,
  author: Author,
): UserRow & { api_owner: boolean } {
  return {
    id: known.id,
    account_id: known.accountId,
    username: user.username,
    permissions: JSON.stringify(user.permissions),
    api_owner: known.apiOwner,
    created_ms: author.atMs,
    key_digest: keyDigest(user.apiKey),
    key_sealed: vault.seal(user.apiKey, user.username),
    key_expires_ms: user.keyExpiresMs ?? null,
    batch_digest: user.batch ? batchDigest(user.batch.key) : null,
    channels: JSON.stringify(user.batch?.channels ?? []),
    pdns: user.pdns ? JSON.stringify(user.pdns) : null,
    addresses: JSON.stringify(user.keyAddresses ?? []),
    products: user.products ? JSON.stringify(user.products) : null,
    pdns_shared_with: known.sharedId,
    created_by: author.actor,
  };
}

export function batchDigest(batchKey: string): string {
  return keyDigest(batchKey.toLowerCase());
}

/**
 * What a change writes; `sharedId`: of the user whose grant is shared from now on. Column names are constants, so they are safe to put into
 * SQL; only the values come from a request.
 */
export function changedColumns(
  change: UserChange,
  sharedId: string | null,
): Record<string, string | number | boolean | null> {
  const { permissions, keyExpiresMs, keyAddresses, products, batchKey, channels, pdns, apiOwner } = change;
  return {
    ...(permissions === undefined ? {} : { permissions: JSON.stringify(permissions) }),
    ...(keyExpiresMs === undefined ? {} : { key_expires_ms: keyExpiresMs }),
    ...(keyAddresses === undefined ? {} : { addresses: JSON.stringify(keyAddresses) }),
    ...(products === undefined ? {} : { products: products === null ? null : JSON.stringify(products) }),
    ...(batchKey === undefined ? {} : { batch_digest: batchKey === null ? null : batchDigest(batchKey) }),
    ...(channels === undefined ? {} : { channels: JSON.stringify(channels) }),
    ...(pdns === undefined
      ? {}
      : { pdns: pdns === null ? null : JSON.stringify(pdns), pdns_shared_with: null }),
    ...(sharedId === null ? {} : { pdns: null, pdns_shared_with: sharedId }),
    ...(apiOwner === undefined ? {} : { api_owner: true }),
  };
}
