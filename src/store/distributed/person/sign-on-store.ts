/** Single sign-on in PostgreSQL: identity providers, identities, and sign-ins under way. */
import type { Account } from '../../../model/account/account.ts';
import type { IdentityProvider } from '../../../model/person/identity-provider.ts';
import type { KeyVault } from '../../key-vault.ts';
import {
  changedProvider,
  lastProvider,
  newProvider,
  noEnabledProvider,
  type ProviderRow,
  providerDetail,
  providerEvent,
  providerOf,
  refuseTooManyProviders,
  secretDetail,
  secretOwner,
} from '../../person/provider-rows.ts';
import type { SignOnStore } from '../../person/sign-on-store.ts';
import { AuditLog } from '../account/audit-log.ts';
import { readAccount } from '../account/caller-queries.ts';
import type { PostgresDatabase, Transaction } from '../postgres/database.ts';
import { identities } from './identities.ts';
import {
  findProvider,
  getProvider,
  isSignOnRequired,
  listProviders,
  putProvider,
} from './provider-queries.ts';
import { signOnsUnderWay } from './sign-ons-under-way.ts';

/** Who opened the database closes it. */
export function openSignOnStore(database: PostgresDatabase, vault: KeyVault): SignOnStore {
  const audit = new AuditLog(database);
  return {
    ...providerChanges(audit, vault),
    ...finding(database, vault),
    ...requirement(database, audit),
    ...identities(database, audit),
    ...signOnsUnderWay(database, vault),
    recordRefusal: (refused, author) =>
      audit.change(async (_, append) => append({ action: 'identity-provider.refuse', ...refused }, author)),
    close: async () => undefined,
  };
}

type ProviderChanges = Pick<SignOnStore, 'createProvider' | 'updateProvider' | 'removeProvider'>;

function providerChanges(audit: AuditLog, vault: KeyVault): ProviderChanges {
  return {
    createProvider: (given, providersMax, author) =>
      audit.change(async (sql, append) => {
        const { accountId, clientSecret } = given;
        refuseTooManyProviders((await listProviders(sql, accountId)).length, providersMax);
        const provider = await putProvider(sql, newProvider(given, author.atMs), clientSecret, vault);
        const name = await accountName(sql, accountId);
        const detail = providerDetail(provider);
        append(providerEvent('identity-provider.create', provider, name, detail), author);
        return provider;
      }),
    updateProvider: (accountId, id, change, author) =>
      audit.change(async (sql, append) => {
        const before = await getProvider(sql, accountId, id);
        if (change.enabled === false) await refuseLast(sql, before);
        const changed = changedProvider(before, change, author.atMs);
        const provider = await putProvider(sql, changed, change.clientSecret, vault);
        const name = await accountName(sql, accountId);
        const detail = { ...providerDetail(provider), ...secretDetail(change) };
        append(providerEvent('identity-provider.update', provider, name, detail), author);
        return provider;
      }),
    removeProvider: (accountId, id, author) =>
      audit.change(async (sql, append) => {
        const provider = await getProvider(sql, accountId, id);
        await refuseLast(sql, provider);
        await sql`delete from identity_provider where id = ${id}`;
        const name = await accountName(sql, accountId);
        append(providerEvent('identity-provider.remove', provider, name), author);
      }),
  };
}

async function refuseLast(sql: Transaction, { id, accountId }: IdentityProvider): Promise<void> {
  if (!(await isSignOnRequired(sql, accountId))) return;
  const providers = await listProviders(sql, accountId);
  if (!providers.some((other) => other.enabled && other.id !== id)) throw lastProvider();
}

async function accountName(sql: Transaction, accountId: string): Promise<string> {
  return ((await readAccount(sql, sql`account.id = ${accountId}`)) as Account).name;
}

type Finding = Pick<
  SignOnStore,
  'findProvider' | 'listProviders' | 'listOfferedProviders' | 'findClientSecret'
>;

function finding(database: PostgresDatabase, vault: KeyVault): Finding {
  return {
    findProvider: (id) =>
      database.read(async (sql) => {
        const provider = await findProvider(sql, id);
        const account = provider && (await readAccount(sql, sql`account.id = ${provider.accountId}`));
        return provider && account && { provider, account };
      }),
    listProviders: (accountId) => database.read((sql) => listProviders(sql, accountId)),
    listOfferedProviders: async (limit) => {
      const rows = await database.read(
        (sql) => sql<ProviderRow[]>`
          select identity_provider.* from identity_provider join account on account.id = account_id
          where enabled and listed and active order by identity_provider.name limit ${limit}`,
      );
      return rows.map(providerOf);
    },
    findClientSecret: async (id) => {
      const [row] = await database.read(
        (sql) => sql<Pick<ProviderRow, 'secret_sealed'>[]>`
          select secret_sealed from identity_provider where id = ${id}`,
      );
      return row?.secret_sealed ? vault.open(row.secret_sealed, secretOwner(id)) : undefined;
    },
  };
}

function requirement(
  database: PostgresDatabase,
  audit: AuditLog,
): Pick<SignOnStore, 'isRequired' | 'setRequired'> {
  return {
    isRequired: (accountId) => database.read((sql) => isSignOnRequired(sql, accountId)),
    setRequired: ({ id, name }, required, author) =>
      audit.change(async (sql, append) => {
        if (required && !(await listProviders(sql, id)).some(({ enabled }) => enabled))
          throw noEnabledProvider();
        await sql`insert into sign_on_policy (account_id, required) values (${id}, ${required})
          on conflict (account_id) do update set required = excluded.required`;
        append({ action: 'identity-provider.require', account: name, detail: { required } }, author);
      }),
  };
}
