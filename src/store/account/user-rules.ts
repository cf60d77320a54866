/** What the audit log says about users, and why they are refused: the same in every adapter. */
import { Problem } from '../../model/problem.ts';
import type { NewUser, UserChange } from '../account-store.ts';

/** More than an account can have, whatever the settings were before. */
export const usersListedMax = 10_000;

/** A person of a name that somebody wants for a user. */
export interface PersonOfName {
  readonly id: string;
  readonly name: string;
  readonly account_id: string;
}

/** What was found of a new user's names and keys. */
export interface Taken {
  readonly username?: unknown;
  /** A username that differs by case alone. */
  readonly similar?: string | undefined;
  readonly apiKey?: unknown;
  readonly retiredKey?: unknown;
  readonly batchKey?: unknown;
}

export function refuseTaken(wanted: { readonly username?: string }, found: Taken): void {
  const { username } = wanted;
  const taken = (what: string) => new Problem('already-exists', `${what} is taken`);
  if (found.username) throw taken(`the username ${username}`);
  if (found.similar)
    throw taken(`the username ${found.similar}, from which ${username} differs by case alone,`);
  if (found.apiKey) throw taken('that key');
  if (found.retiredKey)
    throw new Problem('already-exists', 'that key was reset or removed; it cannot be used again');
  if (found.batchKey) throw taken('that batch key');
}

/** Names of people and of API users are one name space: the same name in the same account is the same one, with the same id. */
export function samePersonId(
  username: string,
  accountId: string | undefined,
  person: PersonOfName | undefined,
): string | undefined {
  if (!person || (person.name === username && person.account_id === accountId)) return person?.id;
  throw new Problem('already-exists', `the username ${username} is taken by a person who uses the web UI`);
}

export function refuseTooMany(
  { account, usersMax = Number.POSITIVE_INFINITY }: NewUser,
  users: number,
): void {
  if (users < usersMax) return;
  throw new Problem(
    'permission-denied',
    `The account ${account} has ${usersMax} users, and no more are allowed. The operator can remove users, or raise limits.usersPerAccountMax.`,
  );
}

/** An API owner leaves last. */
export function refuseOwner(owner: { readonly username: string; readonly account: string }): never {
  const { username, account } = owner;
  throw new Problem(
    'permission-denied',
    `${username} is the API owner of ${account}; make another user the owner first`,
  );
}

export function noUser(username: string): Problem {
  return new Problem('not-found', `there is no user ${username}`);
}

export function noUserOfAccount(username: string): Problem {
  return new Problem('not-found', `the account has no user ${username}`);
}

export function createdDetail({ permissions, batch, pdns, ...user }: NewUser): object {
  const { keyExpiresMs, keyAddresses = [], products, pdnsSharedWith } = user;
  return {
    permissions,
    channels: batch?.channels ?? [],
    pdns: pdns ?? null,
    ...(keyExpiresMs === undefined ? {} : { expires: new Date(keyExpiresMs).toISOString() }),
    ...(keyAddresses.length === 0 ? {} : { addresses: keyAddresses }),
    ...(products === undefined ? {} : { products }),
    ...(pdnsSharedWith === undefined ? {} : { pdnsSharedWith }),
  };
}

export function updatedDetail({ batchKey, ...change }: UserChange): object {
  if (batchKey === undefined) return change;
  return { ...change, batchKey: batchKey === null ? 'withdrawn' : 'replaced' };
}

/** At most a sixth of a key, so that short keys of the operator's own choice keep their strength. */
export function keyPrefix(key: string): string {
  return key.slice(0, Math.min(8, Math.floor(key.length / 6)));
}
