/** Rows of the table `identity_provider` of accounts.db, with the client secrets. Changes must be called within a write transaction. */
import { newId } from '../../../model/account/api-key.ts';
import type { IdentityProvider } from '../../../model/person/identity-provider.ts';
import { Problem } from '../../../model/problem.ts';
import type { KeyVault } from '../../key-vault.ts';
import type { NewProvider, ProviderChange } from '../../person/sign-on-store.ts';
import type { Database } from '../database.ts';

interface ProviderRow {
  id: string;
  account_id: string;
  name: string;
  connection: string;
  secret_sealed: Buffer | null;
  rules: string;
  enabled: number;
  listed: number;
  created_ms: number;
  changed_ms: number;
}

export class ProviderRows {
  readonly #statements;
  readonly #vault: KeyVault;

  constructor(database: Database, vault: KeyVault) {
    this.#statements = prepare(database);
    this.#vault = vault;
  }

  insert(given: NewProvider, atMs: number): IdentityProvider {
    this.#refuseTaken(given.accountId, given.name);
    const id = newId();
    const { clientSecret, ...rest } = given;
    this.#put({ ...rest, id, createdMs: atMs, changedMs: atMs });
    if (clientSecret !== undefined) this.#seal(id, clientSecret);
    return this.find(id) as IdentityProvider;
  }

  update(before: IdentityProvider, change: ProviderChange, atMs: number): IdentityProvider {
    const { clientSecret, ...rest } = change;
    if (change.name !== undefined && change.name !== before.name)
      this.#refuseTaken(before.accountId, change.name);
    const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
    this.#put({ ...before, ...given, changedMs: atMs });
    if (clientSecret !== undefined) this.#seal(before.id, clientSecret);
    return this.find(before.id) as IdentityProvider;
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
    return row?.secret_sealed ? this.#vault.open(row.secret_sealed, sealedFor(id)) : undefined;
  }

  #put(provider: Omit<IdentityProvider, 'hasClientSecret'>): void {
    this.#statements.put.run({
      id: provider.id,
      account_id: provider.accountId,
      name: provider.name,
      connection: JSON.stringify(provider.connection),
      rules: JSON.stringify(provider.rules),
      enabled: provider.enabled ? 1 : 0,
      listed: provider.listed ? 1 : 0,
      created_ms: provider.createdMs,
      changed_ms: provider.changedMs,
    });
  }

  #seal(id: string, clientSecret: string): void {
    this.#statements.setSecret.run(this.#vault.seal(clientSecret, sealedFor(id)), id);
  }

  #refuseTaken(accountId: string, name: string): void {
    if (this.#statements.sameName.get(accountId, name) !== undefined)
      throw new Problem('already-exists', `There is an identity provider ${name} already.`);
  }
}

/** What an encrypted secret is bound to, so that it cannot be moved to another provider. */
function sealedFor(id: string): string {
  return `identity provider ${id}`;
}

function providerOf(row: ProviderRow): IdentityProvider {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    connection: JSON.parse(row.connection),
    hasClientSecret: row.secret_sealed !== null,
    rules: JSON.parse(row.rules),
    enabled: row.enabled === 1,
    listed: row.listed === 1,
    createdMs: row.created_ms,
    changedMs: row.changed_ms,
  };
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
      'select 1 from identity_provider where account_id = ? and name = ? collate nocase',
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
