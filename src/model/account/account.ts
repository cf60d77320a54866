/** Accounts, their users and their grants. Keys are not here: only the account store has them. */

import type { ProductId } from '../product-catalogue.ts';
import type { CalendarPeriod } from './limit.ts';
import type { Permission } from './permission.ts';

export interface Account {
  readonly id: string;
  readonly name: string;
  readonly active: boolean;
  readonly products: readonly ProductGrant[];
  /** Channels that the account alone appends to; left out where it has none. */
  readonly ownChannels?: readonly number[];
  /** APIs with keys of their own that are withdrawn from all users of the account; left out where none is. */
  readonly withdrawn?: readonly KeyedApi[];
}

/** The APIs besides the platform: users have keys or quotas for them, and no product stands for them. */
export const keyedApis = ['pdns', 'batch'] as const;

export type KeyedApi = (typeof keyedApis)[number];

/** A product that an account may use. Limits that are left out come from the configuration. */
export interface ProductGrant {
  readonly product: ProductId;
  readonly perMinute?: number;
  readonly perHour?: number;
  readonly perMonth?: number;
  readonly absolute?: number;
  /** `YYYY-MM-DD`; the product ends with this day, UTC. */
  readonly expirationDate?: string;
}

export interface User {
  readonly id: string;
  readonly username: string;
  readonly permissions: readonly Permission[];
  /** The one user of the account who may reset keys. */
  readonly apiOwner: boolean;
  readonly createdMs: number;
  /** From then on none of the user's keys works. */
  readonly keyExpiresMs?: number;
  /** Addresses or prefixes from which the user's keys work; left out: from everywhere. */
  readonly keyAddresses?: readonly string[];
  /** The products of the account that the API key may use; left out: all of them. */
  readonly products?: readonly ProductId[];
  /** Who created the user, as far as it is known: `operator`, or a username. */
  readonly createdBy?: string;
  readonly hasBatchKey: boolean;
  /** Channels that the batch key gives access to. */
  readonly channels: ChannelGrant;
  readonly pdns?: PdnsGrant;
}

/** Every channel that the configuration declares and no other account owns, or exactly these. */
export type ChannelGrant = 'all' | readonly number[];

/** Passive DNS with this user's key. */
export interface PdnsGrant {
  readonly quota: PdnsQuota;
  readonly burst?: { readonly size: number; readonly windowSeconds: number };
  readonly resultsMax?: number;
  /** `none`: the key may not use `offset` at all. */
  readonly offsetMax?: number | 'none';
  /** Addresses or prefixes that may use the key; empty means any. */
  readonly allowedAddresses: readonly string[];
  readonly apiVersions: readonly number[];
  /** The id of the user whose grant this is, where it is shared: lookups count against that user's quota. */
  readonly countedWith?: string;
}

export type PdnsQuota =
  | { readonly type: 'unlimited' }
  | { readonly type: 'time'; readonly limit: number; readonly period: CalendarPeriod }
  | { readonly type: 'block'; readonly limit: number; readonly expiresMs: number };

/** The user behind valid credentials, and the user's account. */
export interface Caller {
  readonly user: User;
  readonly account: Account;
}

export function isWithdrawn({ withdrawn = [] }: Account, api: KeyedApi): boolean {
  return withdrawn.includes(api);
}

/** The valid grant for a product, or for `any` product of the account; of `allowed` ones, where a key has some only. */
export function findGrant(
  account: Account,
  product: ProductId | 'any',
  nowMs: number,
  allowed?: readonly ProductId[],
): ProductGrant | undefined {
  return account.products.find(
    (grant) =>
      (product === 'any' || grant.product === product) &&
      (allowed === undefined || product === 'any' || allowed.includes(grant.product)) &&
      isValid(grant, nowMs),
  );
}

/** A grant is valid through its last day. */
function isValid({ expirationDate }: ProductGrant, nowMs: number): boolean {
  return expirationDate === undefined || new Date(nowMs).toISOString().slice(0, 10) <= expirationDate;
}
