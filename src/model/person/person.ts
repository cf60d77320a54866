/**
 * People who use the web UI. A person belongs to an account and has permissions as API users do, but no key. People and API users share
 * one name space: a person and an API user of the same name are the same one, and belong to the same account.
 */
import type { Account } from '../account/account.ts';
import type { Permission } from '../account/permission.ts';
import type { Preferences } from './preferences.ts';

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email?: string;
  readonly permissions: readonly Permission[];
  readonly createdMs: number;
  /** Sees how the whole server does. Given and taken on the command line alone. */
  readonly operator: boolean;
  /** Since when the person cannot sign in. */
  readonly disabledMs?: number;
  readonly preferences: Preferences;
  readonly credentials: Credentials;
}

/** How a person can sign in without a link. */
export interface Credentials {
  /** At identity providers of the account. */
  readonly identities: number;
  /** The account lets its people sign in by its identity providers alone. */
  readonly mustSignOn: boolean;
  readonly hasPassword: boolean;
  readonly hasTotp: boolean;
  readonly passkeys: number;
}

/** A sign-in in one browser. The cookie holds the token of which only the digest is stored. */
export interface Session {
  readonly id: string;
  readonly personId: string;
  readonly createdMs: number;
  /** The last request, to the minute. */
  readonly seenMs: number;
  readonly address: string;
  /** The User-Agent header, shortened. */
  readonly agent: string;
}

/** Neither the person nor the account is disabled. */
export function canSignIn({ person, account }: { person: Person; account: Account }): boolean {
  return account.active && person.disabledMs === undefined;
}

export function hasCredentials({ credentials }: Person): boolean {
  const { hasPassword, passkeys, identities, mustSignOn } = credentials;
  return hasPassword || passkeys > 0 || identities > 0 || mustSignOn;
}
