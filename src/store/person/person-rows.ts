/** Rows of people and passkeys, as every adapter keeps them, and their conversion to the model. */
import type { Account } from '../../model/account/account.ts';
import type { Person } from '../../model/person/person.ts';
import { defaultPreferences } from '../../model/person/preferences.ts';
import type { Flag } from '../account/account-rows.ts';
import type { FoundPerson, Passkey } from './person-store.ts';

/** Lists and objects are JSON. */
export interface PersonRow {
  id: string;
  account_id: string;
  name: string;
  email: string | null;
  permissions: string;
  created_ms: number;
  preferences: string;
  password: string | null;
  totp_sealed: Buffer | null;
  totp_confirmed: Flag;
  operator: Flag;
  disabled_ms: number | null;
  /** Of other tables: how many passkeys and identities the person has. */
  passkeys: number;
  identities: number;
  must_sign_on: Flag;
  /** The API user of the same name is the API owner; its id. */
  api_owner: Flag;
  user_id: string | null;
}

export function foundOf(row: PersonRow, account: Account): FoundPerson {
  const sameUser = row.user_id === null ? {} : { userId: row.user_id };
  return { person: personOf(row), account, apiOwner: Boolean(row.api_owner), ...sameUser };
}

function personOf(row: PersonRow): Person {
  return {
    id: row.id,
    name: row.name,
    ...(row.email === null ? {} : { email: row.email }),
    permissions: JSON.parse(row.permissions),
    createdMs: row.created_ms,
    operator: Boolean(row.operator),
    ...(row.disabled_ms === null ? {} : { disabledMs: row.disabled_ms }),
    preferences: { ...defaultPreferences, ...JSON.parse(row.preferences) },
    credentials: {
      hasPassword: row.password !== null,
      hasTotp: Boolean(row.totp_confirmed),
      passkeys: row.passkeys,
      identities: row.identities,
      mustSignOn: Boolean(row.must_sign_on),
    },
  };
}

export interface PasskeyRow {
  id: string;
  person_id: string;
  name: string;
  public_key: Buffer;
  counter: number;
  transports: string;
  created_ms: number;
  used_ms: number | null;
}

export function passkeyOf(row: PasskeyRow): Passkey {
  return {
    id: row.id,
    personId: row.person_id,
    name: row.name,
    publicKey: row.public_key,
    counter: row.counter,
    transports: JSON.parse(row.transports),
    createdMs: row.created_ms,
    ...(row.used_ms === null ? {} : { usedMs: row.used_ms }),
  };
}

export function passkeyRowOf(passkey: Omit<Passkey, 'createdMs' | 'usedMs'>, atMs: number): PasskeyRow {
  return {
    id: passkey.id,
    person_id: passkey.personId,
    name: passkey.name,
    public_key: passkey.publicKey,
    counter: passkey.counter,
    transports: JSON.stringify(passkey.transports),
    created_ms: atMs,
    used_ms: null,
  };
}
