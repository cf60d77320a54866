/** Rows of identity providers and identities, as every adapter keeps them, and why changes of them are refused. */
import { newId } from '../../model/account/api-key.ts';
import type { IdentityProvider } from '../../model/person/identity-provider.ts';
import { Problem } from '../../model/problem.ts';
import type { Flag } from '../account/account-rows.ts';
import type { AuditEvent } from '../account-store.ts';
import type { Identity, NewProvider, ProviderChange } from './sign-on-store.ts';

/** What a row is made of; connection and rules are JSON. */
export interface ProviderColumns {
  id: string;
  account_id: string;
  name: string;
  connection: string;
  rules: string;
  enabled: Flag;
  listed: Flag;
  created_ms: number;
  changed_ms: number;
}

export interface ProviderRow extends ProviderColumns {
  secret_sealed: Buffer | null;
}

type StoredProvider = Omit<IdentityProvider, 'hasClientSecret'>;

export function providerOf(row: ProviderRow): IdentityProvider {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    connection: JSON.parse(row.connection),
    hasClientSecret: row.secret_sealed !== null,
    rules: JSON.parse(row.rules),
    enabled: Boolean(row.enabled),
    listed: Boolean(row.listed),
    createdMs: row.created_ms,
    changedMs: row.changed_ms,
  };
}

export function providerColumns(
  provider: StoredProvider,
): ProviderColumns & { enabled: boolean; listed: boolean } {
  return {
    id: provider.id,
    account_id: provider.accountId,
    name: provider.name,
    connection: JSON.stringify(provider.connection),
    rules: JSON.stringify(provider.rules),
    enabled: provider.enabled,
    listed: provider.listed,
    created_ms: provider.createdMs,
    changed_ms: provider.changedMs,
  };
}

export function newProvider(given: NewProvider, atMs: number): StoredProvider {
  const { accountId, name, connection, rules, enabled, listed } = given;
  return {
    id: newId(),
    accountId,
    name,
    connection,
    rules,
    enabled,
    listed,
    createdMs: atMs,
    changedMs: atMs,
  };
}

export function changedProvider(
  before: IdentityProvider,
  change: ProviderChange,
  atMs: number,
): StoredProvider {
  return {
    ...before,
    name: change.name ?? before.name,
    connection: change.connection ?? before.connection,
    rules: change.rules ?? before.rules,
    enabled: change.enabled ?? before.enabled,
    listed: change.listed ?? before.listed,
    changedMs: atMs,
  };
}

/** What an encrypted client secret is bound to, so that it cannot be moved to another provider. */
export function secretOwner(id: string): string {
  return `identity provider ${id}`;
}

/** What an administrator must be able to trace; certificates are long, and their number says enough. */
export function providerDetail(provider: IdentityProvider): Record<string, unknown> {
  const { connection, rules, enabled, listed } = provider;
  const { certificates, ...rest } = { certificates: undefined, ...connection };
  const count = certificates === undefined ? {} : { certificates: certificates.length };
  return { ...rest, ...count, rules, enabled, listed };
}

export function providerEvent(
  action: string,
  { name: provider }: IdentityProvider,
  account: string,
  detail: { readonly username?: string } & Readonly<Record<string, unknown>> = {},
): AuditEvent {
  const { username, ...rest } = detail;
  const event = { action, account, detail: { provider, ...rest } };
  return username === undefined ? event : { ...event, username };
}

export function secretDetail({ clientSecret }: ProviderChange): object {
  return clientSecret === undefined ? {} : { clientSecret: 'changed' };
}

export function refuseTooManyProviders(providers: number, providersMax: number): void {
  if (providers < providersMax) return;
  throw new Problem('permission-denied', `An account has at most ${providersMax} identity providers.`);
}

export function providerNameTaken(name: string): Problem {
  return new Problem('already-exists', `There is an identity provider ${name} already.`);
}

/** Throws unless the provider exists and belongs to the account. */
export function requireProvider(
  provider: IdentityProvider | undefined,
  accountId: string,
): asserts provider is IdentityProvider {
  if (provider?.accountId !== accountId)
    throw new Problem('not-found', 'The account has no such identity provider.');
}

export function lastProvider(): Problem {
  return new Problem(
    'conflict',
    'Single sign-on is required and this is the last enabled provider. End the requirement first.',
  );
}

export function noEnabledProvider(): Problem {
  return new Problem('conflict', 'No identity provider is enabled. Enable one before you require it.');
}

export interface NewIdentity {
  readonly providerId: string;
  readonly subject: string;
  readonly personId: string;
}

export interface IdentityRow {
  provider_id: string;
  name: string;
  subject: string;
  created_ms: number;
}

export function identityOf(row: IdentityRow): Identity {
  return {
    providerId: row.provider_id,
    providerName: row.name,
    subject: row.subject,
    createdMs: row.created_ms,
  };
}

export function identityTaken(): Problem {
  const message =
    'That sign-in belongs to another person already, or this person has another one at the same provider.';
  return new Problem('already-exists', message);
}

export function noIdentity(): Problem {
  return new Problem('not-found', 'There is no such connection.');
}
