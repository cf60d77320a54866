/** Single sign-on in accounts.db: the tables `identity_provider`, `identity`, `sign_on_policy`, `sign_on_request` and `sign_on_result`. */
import type { Account } from '../../../model/account/account.ts';
import type { IdentityProvider } from '../../../model/person/identity-provider.ts';
import type { Author } from '../../account-store.ts';
import type { KeyVault } from '../../key-vault.ts';
import type { FoundPerson } from '../../person/person-store.ts';
import {
  lastProvider,
  type NewIdentity,
  noEnabledProvider,
  noIdentity,
  providerDetail,
  providerEvent,
  refuseTooManyProviders,
  requireProvider,
  secretDetail,
} from '../../person/provider-rows.ts';
import type {
  FoundProvider,
  Identity,
  NewProvider,
  ProviderChange,
  SignOnRequest,
  SignOnResult,
  SignOnStore,
} from '../../person/sign-on-store.ts';
import { AccountRecords } from '../account-records.ts';
import { AuditLog } from '../audit-log.ts';
import { type Database, write } from '../database.ts';
import { IdentityRows } from './identity-rows.ts';
import { PersonRows } from './person-rows.ts';
import { ProviderRows } from './provider-rows.ts';
import { SignOnRows } from './sign-on-rows.ts';

export class EmbeddedSignOnStore implements SignOnStore {
  readonly #database: Database;
  readonly #audit: AuditLog;
  readonly #accounts: AccountRecords;
  readonly #people: PersonRows;
  readonly #providers: ProviderRows;
  readonly #identities: IdentityRows;
  readonly #rows: SignOnRows;
  readonly #policy;

  constructor(database: Database, vault: KeyVault) {
    this.#database = database;
    this.#audit = new AuditLog(database);
    this.#accounts = new AccountRecords(database, this.#audit);
    this.#people = new PersonRows(database, this.#accounts);
    this.#providers = new ProviderRows(database, vault);
    this.#identities = new IdentityRows(database);
    this.#rows = new SignOnRows(database, vault);
    this.#policy = {
      find: database.prepare('select required from sign_on_policy where account_id = ?').pluck(),
      put: database.prepare('insert or replace into sign_on_policy (account_id, required) values (?, ?)'),
    };
  }

  createProvider(given: NewProvider, providersMax: number, author: Author): Promise<IdentityProvider> {
    return write(this.#database, () => {
      refuseTooManyProviders(this.#providers.list(given.accountId).length, providersMax);
      const provider = this.#providers.insert(given, author.atMs);
      this.#append('identity-provider.create', provider, author, providerDetail(provider));
      return provider;
    });
  }

  async findProvider(id: string): Promise<FoundProvider | undefined> {
    const provider = this.#providers.find(id);
    return provider && { provider, account: this.#accounts.get(provider.accountId) };
  }

  async listProviders(accountId: string): Promise<readonly IdentityProvider[]> {
    return this.#providers.list(accountId);
  }

  async listOfferedProviders(limit: number): Promise<readonly IdentityProvider[]> {
    return this.#providers.listOffered(limit);
  }

  updateProvider(
    accountId: string,
    id: string,
    change: ProviderChange,
    author: Author,
  ): Promise<IdentityProvider> {
    return write(this.#database, () => {
      const before = this.#get(accountId, id);
      if (change.enabled === false) this.#refuseLast(before);
      const provider = this.#providers.update(before, change, author.atMs);
      const detail = { ...providerDetail(provider), ...secretDetail(change) };
      this.#append('identity-provider.update', provider, author, detail);
      return provider;
    });
  }

  removeProvider(accountId: string, id: string, author: Author): Promise<void> {
    return write(this.#database, () => {
      const provider = this.#get(accountId, id);
      this.#refuseLast(provider);
      this.#providers.remove(id);
      this.#append('identity-provider.remove', provider, author);
    });
  }

  async findClientSecret(id: string): Promise<string | undefined> {
    return this.#providers.findSecret(id);
  }

  async isRequired(accountId: string): Promise<boolean> {
    return this.#policy.find.get(accountId) === 1;
  }

  setRequired({ id, name }: Pick<Account, 'id' | 'name'>, required: boolean, author: Author): Promise<void> {
    return write(this.#database, () => {
      if (required && !this.#providers.list(id).some(({ enabled }) => enabled)) throw noEnabledProvider();
      this.#policy.put.run(id, required ? 1 : 0);
      this.#audit.append(
        { action: 'identity-provider.require', account: name, detail: { required } },
        author,
      );
    });
  }

  async findByIdentity(providerId: string, subject: string): Promise<FoundPerson | undefined> {
    const personId = this.#identities.findPersonId(providerId, subject);
    return personId === undefined ? undefined : this.#people.findById(personId);
  }

  linkIdentity(identity: NewIdentity, author: Author): Promise<void> {
    return write(this.#database, () => {
      const { person, account } = this.#people.get(identity.personId);
      const provider = this.#get(account.id, identity.providerId);
      this.#identities.insert(identity, author.atMs);
      this.#append('identity-provider.link', provider, author, { username: person.name });
    });
  }

  async listIdentities(personId: string): Promise<readonly Identity[]> {
    return this.#identities.list(personId);
  }

  unlinkIdentity(personId: string, providerId: string, author: Author): Promise<void> {
    return write(this.#database, () => {
      const { person, account } = this.#people.get(personId);
      if (!this.#identities.remove(personId, providerId)) throw noIdentity();
      const provider = this.#get(account.id, providerId);
      this.#append('identity-provider.unlink', provider, author, { username: person.name });
    });
  }

  createRequest(request: SignOnRequest, requestsMax: number, nowMs: number): Promise<void> {
    return write(this.#database, () => this.#rows.putRequest(request, requestsMax, nowMs));
  }

  async findRequest(stateDigest: string, nowMs: number): Promise<SignOnRequest | undefined> {
    return this.#rows.findRequest(stateDigest, nowMs);
  }

  async findRequestById(requestId: string, nowMs: number): Promise<SignOnRequest | undefined> {
    return this.#rows.findRequestById(requestId, nowMs);
  }

  useRequest(stateDigest: string): Promise<boolean> {
    return write(this.#database, () => this.#rows.deleteRequest(stateDigest));
  }

  createResult(result: SignOnResult, nowMs: number): Promise<void> {
    return write(this.#database, () => this.#rows.putResult(result, nowMs));
  }

  async findResult(tokenDigest: string, nowMs: number): Promise<string | undefined> {
    return this.#rows.findResult(tokenDigest, nowMs);
  }

  useResult(tokenDigest: string): Promise<boolean> {
    return write(this.#database, () => this.#rows.deleteResult(tokenDigest));
  }

  recordRefusal(
    refused: { readonly account: string; readonly detail: object },
    author: Author,
  ): Promise<void> {
    const event = { action: 'identity-provider.refuse', ...refused };
    return write(this.#database, () => this.#audit.append(event, author));
  }

  pruneSignOns(nowMs: number): Promise<void> {
    return write(this.#database, () => this.#rows.prune(nowMs));
  }

  async close(): Promise<void> {
    this.#database.close();
  }

  #get(accountId: string, id: string): IdentityProvider {
    const provider = this.#providers.find(id);
    requireProvider(provider, accountId);
    return provider;
  }

  #refuseLast({ id, accountId }: IdentityProvider): void {
    if (this.#policy.find.get(accountId) !== 1) return;
    if (this.#providers.list(accountId).some((other) => other.enabled && other.id !== id)) return;
    throw lastProvider();
  }

  #append(
    action: string,
    provider: IdentityProvider,
    author: Author,
    detail: Parameters<typeof providerEvent>[3] = {},
  ): void {
    const account = this.#accounts.get(provider.accountId).name;
    this.#audit.append(providerEvent(action, provider, account, detail), author);
  }
}
