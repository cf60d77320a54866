/**
 * People who use the web UI, and what they sign in with. Changes that the operator or an administrator must be able to trace write their
 * audit entry in the same transaction.
 */
import type { Account } from '../../model/account/account.ts';
import type { Permission } from '../../model/account/permission.ts';
import type { Person } from '../../model/person/person.ts';
import type { Preferences } from '../../model/person/preferences.ts';
import type { Author } from '../account-store.ts';

export interface NewPerson {
  /** Name of an existing account. */
  readonly account: string;
  readonly name: string;
  readonly email?: string | undefined;
  readonly permissions: readonly Permission[];
  /** How many people the account may have, this one included. */
  readonly peopleMax?: number | undefined;
  /** How an identity provider of the account knows the person. */
  readonly identity?: { readonly providerId: string; readonly subject: string } | undefined;
}

/** Members left out stay unchanged; `null` removes. */
export interface PersonChange {
  readonly email?: string | null | undefined;
  readonly permissions?: readonly Permission[] | undefined;
  /** Ends all sessions and links, and refuses new ones; false lets the person sign in again. */
  readonly disabled?: boolean | undefined;
  readonly operator?: boolean | undefined;
}

/** Who administers an account must not be able to leave it without anyone who does; the operator of the server may. */
export interface AdminRule {
  readonly keepsAdmin: boolean;
}

export interface FoundPerson {
  readonly person: Person;
  readonly account: Account;
  /** The API user of the same name is the API owner of the account. */
  readonly apiOwner: boolean;
  /** Of the API user of the same name, if there is one. It differs from that of the person only where an earlier version made both. */
  readonly userId?: string;
}

export interface Passkey {
  /** The credential id, in base64url. */
  readonly id: string;
  readonly personId: string;
  /** What the person calls it. */
  readonly name: string;
  readonly publicKey: Buffer;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly createdMs: number;
  readonly usedMs?: number;
}

export interface Totp {
  /** Base32. */
  readonly secret: string;
  /** False until the person has entered a first code. */
  readonly confirmed: boolean;
}

export interface PersonStore {
  /**
   * Throws `not-found` for an unknown account, `permission-denied` if the account has `peopleMax` people, and `already-exists` for the name of
   * another person, for that of an API user of another account, for one that differs from a name in use by case alone, and for an identity of
   * somebody else.
   */
  createPerson(person: NewPerson, author: Author): Promise<FoundPerson>;

  /** In any case: names that differ by case alone do not exist. */
  findPerson(name: string): Promise<FoundPerson | undefined>;

  findPersonById(id: string): Promise<FoundPerson | undefined>;

  /** In order of name. People of all accounts without `accountId`. */
  listPeople(range: { accountId?: string; limit: number }): Promise<readonly FoundPerson[]>;

  /**
   * New permissions count from the next request, and sessions get new tokens. Throws `not-found`, and with `keepsAdmin` `conflict` if the
   * account would be left without a person who is an administrator and can sign in.
   */
  updatePerson(id: string, change: PersonChange, author: Author, rule?: AdminRule): Promise<FoundPerson>;

  /** Ends all sessions and links. Throws as `updatePerson` does. */
  removePerson(id: string, author: Author, rule?: AdminRule): Promise<void>;

  /** Removes the authenticator app with its recovery codes, and all passkeys. Returns how many passkeys there were. Throws `not-found`. */
  resetSecondFactors(id: string, author: Author): Promise<number>;

  /** Throws `not-found`. */
  setPreferences(id: string, preferences: Preferences): Promise<Person>;

  findPasswordHash(personId: string): Promise<string | undefined>;

  /** Throws `not-found`. */
  setPasswordHash(personId: string, hash: string | null, author: Author): Promise<void>;

  findTotp(personId: string): Promise<Totp | undefined>;

  /** Replaces an unconfirmed secret. Throws `conflict` if a secret is confirmed already. */
  beginTotp(personId: string, secret: string): Promise<void>;

  /** `recoveryDigests` replace earlier ones. Throws `conflict` if there is nothing to confirm. */
  confirmTotp(
    personId: string,
    confirmation: { readonly step: number; readonly recoveryDigests: readonly string[] },
    author: Author,
  ): Promise<void>;

  /** Also deletes the recovery codes. */
  removeTotp(personId: string, author: Author): Promise<void>;

  /** False if this time step, or a later one, was used before: every code works once, in all processes. */
  useTotpStep(personId: string, step: number): Promise<boolean>;

  /** False if there is no such code, or no longer. */
  useRecoveryCode(personId: string, digest: string, author: Author): Promise<boolean>;

  countRecoveryCodes(personId: string): Promise<number>;

  /** Throws `already-exists` for a known credential, and `permission-denied` if the person has `passkeysMax`. */
  addPasskey(
    passkey: Omit<Passkey, 'createdMs' | 'usedMs'>,
    passkeysMax: number,
    author: Author,
  ): Promise<void>;

  findPasskey(id: string): Promise<Passkey | undefined>;

  /** In order of creation. */
  listPasskeys(personId: string): Promise<readonly Passkey[]>;

  /** Stores the authenticator's counter after a sign-in. */
  usePasskey(id: string, counter: number, atMs: number): Promise<void>;

  /** Throws `not-found`. */
  removePasskey(personId: string, id: string, author: Author): Promise<void>;

  close(): Promise<void>;
}
