/** The people of an account, managed by its administrators. Nobody but the API owner manages the person who is the API owner. */

import { findUsernameFault } from '../../model/account/api-key.ts';
import type { Permission } from '../../model/account/permission.ts';
import type { Clock } from '../../model/clock.ts';
import { isMailAddress } from '../../model/mail-address.ts';
import type { Session } from '../../model/person/person.ts';
import { fieldProblem, Problem } from '../../model/problem.ts';
import type { Settings } from '../../model/settings/settings.ts';
import type { AccountStore } from '../../store/account-store.ts';
import type { FoundPerson, PersonChange, PersonStore } from '../../store/person/person-store.ts';
import type { SessionStore } from '../../store/person/session-store.ts';
import { type SignedIn, sessionLimits } from './sessions.ts';
import { createSignInLink, invitationMs, type MadeLink } from './sign-in-links.ts';

export interface PeopleNeeds {
  readonly people: Pick<
    PersonStore,
    'createPerson' | 'findPersonById' | 'listPeople' | 'updatePerson' | 'removePerson' | 'resetSecondFactors'
  >;
  readonly sessions: Pick<SessionStore, 'createLink' | 'endSessions' | 'listSessions'>;
  readonly accounts: Pick<AccountStore, 'findByUsername'>;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'limits' | 'web'>;
}

export interface PersonRequest {
  readonly name: string;
  readonly email?: string | undefined;
  readonly permissions: readonly Permission[];
}

export interface Invited {
  readonly found: Colleague;
  readonly link: MadeLink;
}

/** More than an account can have, whatever the settings were before. */
const listedMax = 10_000;
/** The same for every reason: names of other accounts are not disclosed. */
const unusable = 'cannot be used; choose another one';
const keepsAdmin = { keepsAdmin: true };

export interface Colleague extends FoundPerson {
  /** Those that have not ended, newest first. */
  readonly sessions: readonly Session[];
}

export async function listAccountPeople(admin: SignedIn, needs: PeopleNeeds): Promise<readonly Colleague[]> {
  const found = await needs.people.listPeople({ accountId: admin.account.id, limit: listedMax });
  return Promise.all(found.map((one) => withSessions(one, needs)));
}

async function withSessions(
  found: FoundPerson,
  { sessions, clock, settings }: PeopleNeeds,
): Promise<Colleague> {
  const open = await sessions.listSessions(found.person.id, clock.now(), sessionLimits(settings));
  return { ...found, sessions: open };
}

export async function invitePerson(
  admin: SignedIn,
  request: PersonRequest,
  needs: PeopleNeeds,
): Promise<Invited> {
  const { name, email, permissions } = request;
  const fault = findUsernameFault(name);
  if (fault) throw fieldProblem('invalid-members', 'name', fault);
  checkEmail(email);
  const user = await needs.accounts.findByUsername(name);
  if (user?.user.apiOwner && user.account.id === admin.account.id && !admin.user.apiOwner) throw ownerOnly();
  const { usersPerAccountMax: peopleMax } = needs.settings.limits;
  const given = { account: admin.account.name, name, email, permissions, peopleMax };
  try {
    const found = await needs.people.createPerson(given, authorOf(admin, needs));
    return { found: { ...found, sessions: [] }, link: await linkFor(found, admin, needs) };
  } catch (error) {
    if (error instanceof Problem && error.code === 'already-exists')
      throw fieldProblem('invalid-members', 'name', unusable);
    throw error;
  }
}

/** A new link for somebody who lost the first one, or who can no longer sign in. */
export async function inviteAgain(admin: SignedIn, id: string, needs: PeopleNeeds): Promise<Invited> {
  const found = await getColleague(admin, id, needs);
  return { found: await withSessions(found, needs), link: await linkFor(found, admin, needs) };
}

export async function changePerson(
  admin: SignedIn,
  id: string,
  change: PersonChange,
  needs: PeopleNeeds,
): Promise<Colleague> {
  const { person } = await getColleague(admin, id, needs);
  checkEmail(change.email ?? undefined);
  const losesAdmin = change.permissions !== undefined && !change.permissions.includes('admin');
  if (person.id === admin.person.id && losesAdmin)
    throw new Problem(
      'conflict',
      'You cannot take the permission admin from yourself; another administrator can.',
    );
  if (person.id === admin.person.id && change.disabled)
    throw new Problem('conflict', 'You cannot disable yourself; another administrator can.');
  const changed = await needs.people.updatePerson(id, change, authorOf(admin, needs), keepsAdmin);
  return withSessions(changed, needs);
}

/** Returns how many ended. */
export async function signOutColleague(admin: SignedIn, id: string, needs: PeopleNeeds): Promise<number> {
  const { person } = await getColleague(admin, id, needs);
  const except = person.id === admin.person.id ? admin.session.id : undefined;
  return needs.sessions.endSessions(id, except, authorOf(admin, needs));
}

/** For somebody who has lost the device: ends all sessions; a link, or the password, is the way back in. */
export async function resetColleagueFactors(
  admin: SignedIn,
  id: string,
  needs: PeopleNeeds,
): Promise<Colleague> {
  const { person } = await getColleague(admin, id, needs);
  if (person.id === admin.person.id)
    throw new Problem('conflict', 'You remove your own passkeys and authenticator app under "Signing in".');
  await needs.people.resetSecondFactors(id, authorOf(admin, needs));
  await needs.sessions.endSessions(id, undefined, authorOf(admin, needs));
  return withSessions(await getColleague(admin, id, needs), needs);
}

export async function removeColleague(admin: SignedIn, id: string, needs: PeopleNeeds): Promise<void> {
  const { person } = await getColleague(admin, id, needs);
  if (person.id === admin.person.id)
    throw new Problem('conflict', 'You cannot remove yourself; another administrator can.');
  await needs.people.removePerson(id, authorOf(admin, needs), keepsAdmin);
}

/** A person of another account is indistinguishable from one that does not exist. */
async function getColleague(admin: SignedIn, id: string, { people }: PeopleNeeds): Promise<FoundPerson> {
  const found = await people.findPersonById(id);
  if (found?.account.id !== admin.account.id)
    throw new Problem('not-found', 'The account has no such person.');
  if (found.apiOwner && !admin.user.apiOwner) throw ownerOnly();
  // A link for an operator would make its maker one.
  if (found.person.operator && !admin.person.operator)
    throw new Problem('permission-denied', 'This is an operator of the server, whom only operators manage.');
  return found;
}

function linkFor({ person }: FoundPerson, admin: SignedIn, needs: PeopleNeeds): Promise<MadeLink> {
  const request = { personId: person.id, lifetimeMs: invitationMs, loopbackOnly: false };
  return createSignInLink(request, authorOf(admin, needs), needs);
}

function checkEmail(email: string | undefined): void {
  if (email !== undefined && !isMailAddress(email))
    throw fieldProblem('invalid-members', 'email', 'must be an e-mail address such as name@example.com');
}

function ownerOnly(): Problem {
  return new Problem(
    'permission-denied',
    'This is the API owner of the account, whom only the API owner manages.',
  );
}

function authorOf({ person }: SignedIn, { clock }: Pick<PeopleNeeds, 'clock'>) {
  return { actor: person.name, atMs: clock.now() };
}
