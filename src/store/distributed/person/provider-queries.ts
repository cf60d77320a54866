/** Reads and writes identity providers. */
import type { IdentityProvider } from '../../../model/person/identity-provider.ts';
import type { KeyVault } from '../../key-vault.ts';
import {
  type ProviderRow,
  providerColumns,
  providerNameTaken,
  providerOf,
  requireProvider,
  secretOwner,
} from '../../person/provider-rows.ts';
import type { Sql, Transaction } from '../postgres/database.ts';

export async function findProvider(sql: Sql, id: string): Promise<IdentityProvider | undefined> {
  const [row] = await sql<ProviderRow[]>`select * from identity_provider where id = ${id}`;
  return row && providerOf(row);
}

/** Throws `not-found` if the account has no such provider. */
export async function getProvider(sql: Sql, accountId: string, id: string): Promise<IdentityProvider> {
  const provider = await findProvider(sql, id);
  requireProvider(provider, accountId);
  return provider;
}

/** In order of name. */
export async function listProviders(sql: Sql, accountId: string): Promise<readonly IdentityProvider[]> {
  const rows = await sql<ProviderRow[]>`
    select * from identity_provider where account_id = ${accountId} order by name`;
  return rows.map(providerOf);
}

/** Throws `already-exists` for the name of another provider of the account. */
export async function putProvider(
  sql: Transaction,
  provider: Omit<IdentityProvider, 'hasClientSecret'>,
  clientSecret: string | undefined,
  vault: KeyVault,
): Promise<IdentityProvider> {
  const { id, accountId, name } = provider;
  const taken = await sql`select from identity_provider
    where account_id = ${accountId} and lower(name) = lower(${name} collate "C") and id <> ${id}`;
  if (taken.length > 0) throw providerNameTaken(name);
  await sql`insert into identity_provider ${sql(providerColumns(provider))}
    on conflict (id) do update set name = excluded.name, connection = excluded.connection, rules = excluded.rules,
      enabled = excluded.enabled, listed = excluded.listed, changed_ms = excluded.changed_ms`;
  if (clientSecret !== undefined)
    await sql`update identity_provider set secret_sealed = ${vault.seal(clientSecret, secretOwner(id))}
      where id = ${id}`;
  return getProvider(sql, accountId, id);
}

export async function isSignOnRequired(sql: Sql, accountId: string): Promise<boolean> {
  const [policy] = await sql<{ required: boolean }[]>`
    select required from sign_on_policy where account_id = ${accountId}`;
  return policy?.required ?? false;
}
