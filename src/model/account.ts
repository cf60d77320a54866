/** Accounts, their users, and what each may use. Secrets are not here: keys live in the account-store alone. */
import type { CalendarPeriod } from './limit.ts';
import type { Permission } from './permission.ts';
import type { ProductId } from './product-catalogue.ts';

export interface Account {
  readonly id: string;
  readonly name: string;
  readonly active: boolean;
  readonly products: readonly ProductGrant[];
}

/** A product that an account may use. A limit left out is the one of the configuration. */
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
  readonly keyExpiresMs?: number;
  readonly hasBatchKey: boolean;
  /** Channels that the batch key opens. */
  readonly channels: ChannelGrant;
  readonly pdns?: PdnsGrant;
}

/** Every channel that the configuration declares, or exactly these. */
export type ChannelGrant = 'all' | readonly number[];

/** Passive DNS by this user's key. */
export interface PdnsGrant {
  readonly quota: PdnsQuota;
  readonly burst?: { readonly size: number; readonly windowSeconds: number };
  readonly resultsMax?: number;
  /** `none`: the key may not use `offset` at all. */
  readonly offsetMax?: number | 'none';
  /** Addresses or prefixes that may use the key; empty means any. */
  readonly allowedAddresses: readonly string[];
  readonly apiVersions: readonly number[];
}

export type PdnsQuota =
  | { readonly type: 'unlimited' }
  | { readonly type: 'time'; readonly limit: number; readonly period: CalendarPeriod }
  | { readonly type: 'block'; readonly limit: number; readonly expiresMs: number };

/** Who is asking: the user behind valid credentials, and the account that the user belongs to. */
export interface Caller {
  readonly user: User;
  readonly account: Account;
}

/** The grant in force for a product, or for `any` of the account's. */
export function findGrant(
  account: Account,
  product: ProductId | 'any',
  nowMs: number,
): ProductGrant | undefined {
  return account.products.find(
    (grant) => (product === 'any' || grant.product === product) && inForce(grant, nowMs),
  );
}

/** A product is granted through the whole of its last day. */
function inForce({ expirationDate }: ProductGrant, nowMs: number): boolean {
  return expirationDate === undefined || new Date(nowMs).toISOString().slice(0, 10) <= expirationDate;
}
