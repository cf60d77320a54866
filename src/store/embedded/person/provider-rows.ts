/** Rows of the table `identity_provider` of accounts.db, with the client secrets. Changes must be called within a write transaction. */
import type { IdentityProvider } from '../../../model/person/identity-provider.ts';
import type { KeyVault } from '../../key-vault.ts';
import {
  changedProvider,
  newProvider,
  type ProviderRow,
  providerColumns,
  providerNameTaken,
  providerOf,
  secretOwner,
} from '../../person/provider-rows.ts';
import type { NewProvider, ProviderChange } from '../../person/sign-on-store.ts';
import type { Database } from '../database.ts';

export class ProviderRows {
  readonly #statements;
  readonly #vault: KeyVault;

  constructor(database: Database, vault: KeyVault) {
    this.#statements = prepare(database);
    this.#vault = vault;
  }

  insert(given: NewProvider, atMs: number): IdentityProvider {
    return this.#put(newProvider(given, atMs), given.clientSecret);
  }

  update(before: IdentityProvider, change: ProviderChange, atMs: number): IdentityProvider {
    return this.#put(changedProvider(before, change, atMs), change.clientSecret);
  }

  remove(id: string): void {
    this.#statements.remove.run(id);
  }

  find(id: string): IdentityProvider | undefined {
    const row = this.#statements.byId.get(id) as ProviderRow | undefined;
    return row && providerOf(row);
  }

  list(accountId: string): IdentityProvider[] {
    return (this.#statements.ofAccount.all(accountId) as ProviderRow[]).map(providerOf);
  }

  listOffered(limit: number): IdentityProvider[] {
    return (this.#statements.offered.all(limit) as ProviderRow[]).map(providerOf);
  }

  findSecret(id: string): string | undefined {
    const row = this.#statements.byId.get(id) as ProviderRow | undefined;
    return row?.secret_sealed ? this.#vault.open(row.secret_sealed, secretOwner(id)) : undefined;
  }

  #put(
    provider: Omit<IdentityProvider, 'hasClientSecret'>,
    clientSecret: string | undefined,
  ): IdentityProvider {
    const { id, enabled, listed } = provider;
    if (this.#statements.sameName.get(provider) !== undefined) throw providerNameTaken(provider.name);
    const flags = { enabled: Number(enabled), listed: Number(listed) };
    this.#statements.put.run({ ...providerColumns(provider), ...flags });
    if (clientSecret !== undefined)
      this.#statements.setSecret.run(this.#vault.seal(clientSecret, secretOwner(id)), id);
    return this.find(id) as IdentityProvider;
  }
}

function prepare(database: Database) {
  return {
    byId: database.prepare('select * from identity_provider where id = ?'),
    ofAccount: database.prepare('select * from identity_provider where account_id = ? order by name'),
    offered: database.prepare(
      `select identity_provider.* from identity_provider join account on account.id = account_id
       where enabled = 1 and listed = 1 and active = 1 order by identity_provider.name limit ?`,
    ),
    sameName: database.prepare(
      'select 1 from identity_provider where account_id = :accountId and name = :name collate nocase and id <> :id',
    ),
    put: database.prepare(
      `insert into identity_provider (id, account_id, name, connection, rules, enabled, listed, created_ms, changed_ms)
       values (:id, :account_id, :name, :connection, :rules, :enabled, :listed, :created_ms, :changed_ms)
       on conflict (id) do update set name = excluded.name, connection = excluded.connection, rules = excluded.rules,
         enabled = excluded.enabled, listed = excluded.listed, changed_ms = excluded.changed_ms`,
    ),
    setSecret: database.prepare('update identity_provider set secret_sealed = ? where id = ?'),
    remove: database.prepare('delete from identity_provider where id = ?'),
  };
}
