/** Why people and their credentials are refused, and what their secrets are bound to: the same in every adapter. */
import type { Account } from '../../model/account/account.ts';
import type { Person } from '../../model/person/person.ts';
import { Problem } from '../../model/problem.ts';
import type { AuditEvent } from '../account-store.ts';
import type { AdminRule, FoundPerson, NewPerson } from './person-store.ts';

/** More than an account can have, whatever the settings were before. */
export const peopleListedMax = 10_000;

/** An API user of a name that somebody wants for a person. */
export interface UserOfName {
  readonly id: string;
  readonly username: string;
  readonly account_id: string;
}

export function noPerson(): Problem {
  return new Problem('not-found', 'there is no such person');
}

export function refuseTooManyPeople(
  { name }: Account,
  { peopleMax = Number.POSITIVE_INFINITY }: NewPerson,
  people: number,
): void {
  if (people < peopleMax) return;
  throw new Problem(
    'permission-denied',
    `The account ${name} has ${peopleMax} people, and no more are allowed. The operator can raise limits.usersPerAccountMax.`,
  );
}

/** The id of the API user of the same name, who is the same one. Throws if the name is another's, be it by case alone. */
export function sameUserId(
  { name, accountId }: { readonly name: string; readonly accountId: string },
  users: readonly UserOfName[],
  isPerson: boolean,
): string | undefined {
  const isTaken = users.some((user) => user.username !== name || user.account_id !== accountId);
  if (isTaken || isPerson)
    throw new Problem('already-exists', `the name ${name} is taken, or differs from one by case alone`);
  return users[0]?.id;
}

export function isActingAdmin({
  permissions,
  disabledMs,
}: Pick<Person, 'permissions' | 'disabledMs'>): boolean {
  return permissions.includes('admin') && disabledMs === undefined;
}

/** Whether it matters that somebody else administers the account. */
export function mustStay({ person }: FoundPerson, rule: AdminRule = { keepsAdmin: false }): boolean {
  return rule.keepsAdmin && isActingAdmin(person);
}

export function lastAdmin({ person, account }: FoundPerson): Problem {
  return new Problem(
    'conflict',
    `${person.name} is the last administrator of ${account.name} who can sign in. Make somebody else one first.`,
  );
}

export function totpIsConfirmed(): Problem {
  return new Problem('conflict', 'An authenticator app is set up already. Remove it first.');
}

export function noTotpToConfirm(): Problem {
  return new Problem('conflict', 'There is no authenticator app to confirm. Begin again.');
}

export function tooManyPasskeys(passkeysMax: number): Problem {
  return new Problem('permission-denied', `You have ${passkeysMax} passkeys. Remove one first.`);
}

export function passkeyIsKnown(): Problem {
  return new Problem('already-exists', 'That passkey is registered already.');
}

export function noPasskey(): Problem {
  return new Problem('not-found', 'There is no such passkey.');
}

/** What the encrypted secret of an authenticator app is bound to, so that it cannot be moved to another person. */
export function totpOwner(personId: string): string {
  return `totp ${personId}`;
}

export function personEvent(
  action: string,
  { person, account }: FoundPerson,
  detail: object = {},
): AuditEvent {
  return { action, account: account.name, username: person.name, detail };
}
