/** Rows of accounts and of their grants, as every adapter keeps them, and their conversion to the model. */
import { type Account, type KeyedApi, keyedApis, type ProductGrant } from '../../model/account/account.ts';
import { Problem } from '../../model/problem.ts';
import { type ProductId, productIds } from '../../model/product-catalogue.ts';
import type { AuditEvent } from '../account-store.ts';

/** SQLite has numbers for them. */
export type Flag = boolean | number;

export interface AccountRow {
  id: string;
  name: string;
  active: Flag;
  /** JSON. */
  withdrawn: string;
}

export interface GrantRow {
  account_id: string;
  product: ProductId;
  per_minute: number | null;
  per_hour: number | null;
  per_month: number | null;
  absolute: number | null;
  expiration_date: string | null;
}

export interface AccountParts {
  readonly grants: readonly GrantRow[];
  /** In order. */
  readonly channels: readonly number[];
}

export function accountOf(row: AccountRow, { grants: rows, channels: ownChannels }: AccountParts): Account {
  const grants = new Map(rows.map((grant) => [grant.product, grantOf(grant)]));
  const withdrawn = JSON.parse(row.withdrawn) as KeyedApi[];
  return {
    id: row.id,
    name: row.name,
    active: Boolean(row.active),
    products: productIds.flatMap((id) => grants.get(id) ?? []),
    ...(ownChannels.length === 0 ? {} : { ownChannels }),
    ...(withdrawn.length === 0 ? {} : { withdrawn }),
  };
}

export function grantRowOf(accountId: string, grant: ProductGrant): GrantRow {
  return {
    account_id: accountId,
    product: grant.product,
    per_minute: grant.perMinute ?? null,
    per_hour: grant.perHour ?? null,
    per_month: grant.perMonth ?? null,
    absolute: grant.absolute ?? null,
    expiration_date: grant.expirationDate ?? null,
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

/** The APIs that are withdrawn from an account that loses these items and then has so many products left. */
export function withdrawnAfter(
  { withdrawn = [] }: Account,
  items: readonly (ProductId | KeyedApi)[],
  productsLeft: number,
): readonly KeyedApi[] {
  const apis = keyedApis.filter((api) => items.includes(api));
  const isLast = items.length > apis.length && productsLeft === 0;
  return isLast ? keyedApis : [...new Set([...withdrawn, ...apis])];
}

/** One entry for each product or API. */
export function productEvents(
  action: 'product.provision' | 'product.withdraw',
  account: Account,
  grants: readonly (ProductGrant | { readonly product: ProductId | KeyedApi })[],
): readonly AuditEvent[] {
  return grants.map((grant) => ({ action, account: account.name, detail: { ...grant } }));
}

export function noAccount(name: string): Problem {
  return new Problem('not-found', `there is no account ${name}`);
}

export function similarAccount(similar: string, name: string): Problem {
  return new Problem('already-exists', `there is an account ${similar}; ${name} differs by case alone`);
}
