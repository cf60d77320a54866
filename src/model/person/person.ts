/**
 * People who use the web UI. A person belongs to an account and has permissions as API users do, but no key. People and API users share
 * one name space: a person and an API user of the same name are the same one, and belong to the same account.
 */
import type { Permission } from '../account/permission.ts';
import type { Preferences } from './preferences.ts';

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email?: string;
  readonly permissions: readonly Permission[];
  readonly createdMs: number;
  readonly preferences: Preferences;
  readonly credentials: Credentials;
}

/** How a person can sign in without a link. */
export interface Credentials {
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

export function hasCredentials({ credentials }: Person): boolean {
  return credentials.hasPassword || credentials.passkeys > 0;
}
