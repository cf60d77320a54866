/**
 * Single sign-on: identity providers, who is who there, and sign-ins under way. Client secrets, nonces and claims are encrypted. Changes by
 * administrators write their audit entry in the same transaction. Times that lie in the future, because the clock was set back, end what
 * they belong to.
 */
import type { Account } from '../../model/account/account.ts';
import type {
  IdentityProvider,
  ProviderConnection,
  SignOnRules,
} from '../../model/person/identity-provider.ts';
import type { Author } from '../account-store.ts';
import type { FoundPerson } from './person-store.ts';

export interface NewProvider {
  readonly accountId: string;
  readonly name: string;
  readonly connection: ProviderConnection;
  readonly clientSecret?: string | undefined;
  readonly rules: SignOnRules;
  readonly enabled: boolean;
  readonly listed: boolean;
}

/** Members left out stay unchanged. */
export interface ProviderChange {
  readonly name?: string | undefined;
  readonly connection?: ProviderConnection | undefined;
  readonly clientSecret?: string | undefined;
  readonly rules?: SignOnRules | undefined;
  readonly enabled?: boolean | undefined;
  readonly listed?: boolean | undefined;
}

export interface FoundProvider {
  readonly provider: IdentityProvider;
  readonly account: Account;
}

export interface Identity {
  readonly providerId: string;
  readonly providerName: string;
  readonly subject: string;
  readonly createdMs: number;
}

/** `link`: a signed-in person adds the identity to their own. `test`: an administrator tries the provider; nobody is signed in. */
export type SignOnPurpose = 'sign-in' | 'link' | 'test';

export interface SignOnRequest {
  /** Of the state that the provider sends back. */
  readonly stateDigest: string;
  readonly providerId: string;
  readonly purpose: SignOnPurpose;
  /** The ID of a SAML request. */
  readonly requestId?: string | undefined;
  /** Digest of the cookie of the browser that left. */
  readonly binding: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  /** The address in the app to return to. */
  readonly next: string;
  /** Who links or tests. */
  readonly personId?: string | undefined;
  readonly expiresMs: number;
}

export interface SignOnResult {
  readonly tokenDigest: string;
  /** JSON. */
  readonly content: string;
  readonly expiresMs: number;
}

export interface SignOnStore {
  /** Throws `already-exists` for a name that the account uses, and `permission-denied` if it has `providersMax` providers. */
  createProvider(provider: NewProvider, providersMax: number, author: Author): Promise<IdentityProvider>;

  findProvider(id: string): Promise<FoundProvider | undefined>;

  /** In order of name. */
  listProviders(accountId: string): Promise<readonly IdentityProvider[]>;

  /** Those of active accounts that are enabled and listed, in order of name. */
  listOfferedProviders(limit: number): Promise<readonly IdentityProvider[]>;

  /**
   * Throws `not-found` if the account has no such provider, `already-exists` as `createProvider` does, and `conflict` if the account requires
   * single sign-on and would be left without an enabled provider.
   */
  updateProvider(
    accountId: string,
    id: string,
    change: ProviderChange,
    author: Author,
  ): Promise<IdentityProvider>;

  /** With all identities. Throws as `updateProvider` does. */
  removeProvider(accountId: string, id: string, author: Author): Promise<void>;

  findClientSecret(id: string): Promise<string | undefined>;

  isRequired(accountId: string): Promise<boolean>;

  /** Whether people of the account sign in by its providers alone. Throws `conflict` if none is enabled. */
  setRequired(account: Pick<Account, 'id' | 'name'>, required: boolean, author: Author): Promise<void>;

  /** The person whom the provider knows by this subject. */
  findByIdentity(providerId: string, subject: string): Promise<FoundPerson | undefined>;

  /** Throws `already-exists` if the subject belongs to somebody else, or the person has another one at this provider. */
  linkIdentity(
    identity: { readonly providerId: string; readonly subject: string; readonly personId: string },
    author: Author,
  ): Promise<void>;

  /** In order of the provider's name. */
  listIdentities(personId: string): Promise<readonly Identity[]>;

  /** Throws `not-found`. */
  unlinkIdentity(personId: string, providerId: string, author: Author): Promise<void>;

  /** Throws `too-many-connections` while `requestsMax` sign-ins are under way. */
  createRequest(request: SignOnRequest, requestsMax: number, nowMs: number): Promise<void>;

  /** Undefined for one that is unknown, used or too old. */
  findRequest(stateDigest: string, nowMs: number): Promise<SignOnRequest | undefined>;

  findRequestById(requestId: string, nowMs: number): Promise<SignOnRequest | undefined>;

  /** Deletes the request; of several concurrent calls one returns true. */
  useRequest(stateDigest: string): Promise<boolean>;

  createResult(result: SignOnResult, nowMs: number): Promise<void>;

  /** The content. Undefined for one that is unknown, used or too old. */
  findResult(tokenDigest: string, nowMs: number): Promise<string | undefined>;

  /** Deletes the result; of several concurrent calls one returns true. */
  useResult(tokenDigest: string): Promise<boolean>;

  /** An entry in the audit log, for what changed nothing. */
  recordRefusal(
    refused: { readonly account: string; readonly detail: object },
    author: Author,
  ): Promise<void>;

  /** Deletes what ended by its age. */
  pruneSignOns(nowMs: number): Promise<void>;

  close(): Promise<void>;
}
