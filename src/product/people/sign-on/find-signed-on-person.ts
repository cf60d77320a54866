/**
 * Who somebody is here whom an identity provider has vouched for. People are recognised by the provider's subject alone; by a verified e-mail
 * address only where the provider is trusted for its domain, and never the API owner or an operator of the server, whom administrators do not
 * manage. Permissions follow the claims at each sign-in.
 */
import type { Permission } from '../../../model/account/permission.ts';
import type { Clock } from '../../../model/clock.ts';
import { canSignIn } from '../../../model/person/person.ts';
import {
  findTrustedEmail,
  findVerifiedEmail,
  permissionsFor,
  suggestName,
} from '../../../model/person/sign-on-claims.ts';
import { Problem } from '../../../model/problem.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import type { AccountStore, Author } from '../../../store/account-store.ts';
import type { FoundPerson, PersonStore } from '../../../store/person/person-store.ts';
import type { FoundProvider, SignOnStore } from '../../../store/person/sign-on-store.ts';
import type { Verified } from './oidc-client.ts';
import { SignOnFault } from './sign-on-fault.ts';

export interface PersonNeeds {
  readonly people: Pick<PersonStore, 'createPerson' | 'findPerson' | 'listPeople' | 'updatePerson'>;
  readonly signOn: Pick<SignOnStore, 'findByIdentity' | 'linkIdentity'>;
  readonly accounts: Pick<AccountStore, 'findByUsername'>;
  readonly settings: Pick<Settings, 'limits'>;
  readonly clock: Clock;
}

/** What a sign-in would do. `existing`: known by the subject, or found by e-mail address and not linked yet. */
export type SignOnPlan =
  | {
      readonly does: 'enter' | 'link';
      readonly existing: FoundPerson;
      readonly permissions: readonly Permission[];
    }
  | {
      readonly does: 'create';
      readonly name: string;
      readonly email?: string | undefined;
      readonly permissions: readonly Permission[];
    };

/** In the audit log, for what no person has done. */
export const signOnActor = 'single sign-on';

/** More than an account can have, whatever the settings were before. */
const listedMax = 10_000;

/** Changes nothing. Throws a SignOnFault. */
export async function planSignOn(
  { provider, account }: FoundProvider,
  { subject, claims }: Verified,
  needs: PersonNeeds,
): Promise<SignOnPlan> {
  const { rules, connection } = provider;
  const permissions = permissionsFor(claims, rules);
  if (!permissions) throw new SignOnFault('not-permitted', 'no rule gives any permission');
  const known = await needs.signOn.findByIdentity(provider.id, subject);
  if (known && !canSignIn(known)) throw new SignOnFault('disabled', `${known.person.name} is disabled`);
  if (known) return { does: 'enter', existing: known, permissions };
  const email = findTrustedEmail(claims, rules, connection.kind);
  const found = email === undefined ? undefined : await findByEmail(account.id, email, needs);
  if (found && !canSignIn(found)) throw new SignOnFault('disabled', `${found.person.name} is disabled`);
  if (found) return { does: 'link', existing: found, permissions };
  if (!rules.createsPeople)
    throw new SignOnFault('unknown-person', `the subject ${subject} is not linked to anyone`);
  const name = suggestName(claims, rules.nameClaim);
  if (name === undefined) {
    const claim = rules.nameClaim || 'preferred_username or email';
    throw new SignOnFault('unknown-person', `no claim has a name for the person: ${claim}`);
  }
  // A person and an API user of one name are the same one, and a provider gives nobody an API user.
  const isTaken = (await needs.people.findPerson(name)) ?? (await needs.accounts.findByUsername(name));
  if (isTaken) throw new SignOnFault('name-taken', `the name ${name} is taken`);
  return { does: 'create', name, email: findVerifiedEmail(claims, connection.kind), permissions };
}

export async function findSignedOnPerson(
  provider: FoundProvider,
  verified: Verified,
  needs: PersonNeeds,
): Promise<FoundPerson> {
  const { id: providerId } = provider.provider;
  const author = { actor: signOnActor, atMs: needs.clock.now() };
  const plan = await planSignOn(provider, verified, needs);
  const { subject } = verified;
  if (plan.does === 'create') {
    const { name, email, permissions } = plan;
    const { usersPerAccountMax: peopleMax } = needs.settings.limits;
    const given = { account: provider.account.name, name, email, permissions, peopleMax };
    return createPerson({ ...given, identity: { providerId, subject } }, author, needs);
  }
  if (plan.does === 'link') {
    const identity = { providerId, subject, personId: plan.existing.person.id };
    await needs.signOn.linkIdentity(identity, author).catch(refuse);
  }
  return updatePermissions(plan.existing, plan.permissions, author, needs);
}

async function createPerson(
  given: Parameters<PersonStore['createPerson']>[0],
  author: Author,
  needs: PersonNeeds,
): Promise<FoundPerson> {
  const { providerId = '', subject = '' } = given.identity ?? {};
  try {
    return await needs.people.createPerson(given, author);
  } catch (error) {
    // The same person, in another tab or process, was first.
    const found = await needs.signOn.findByIdentity(providerId, subject);
    return found ?? refuse(error);
  }
}

/** Nobody but the API owner changes the API owner, and the last administrator stays one. */
async function updatePermissions(
  existing: FoundPerson,
  permissions: readonly Permission[],
  author: Author,
  { people }: PersonNeeds,
): Promise<FoundPerson> {
  const { person, apiOwner } = existing;
  const isSame = [...person.permissions].sort().join() === [...permissions].sort().join();
  if (isSame || apiOwner) return existing;
  try {
    return await people.updatePerson(person.id, { permissions }, author, { keepsAdmin: true });
  } catch (error) {
    if (error instanceof Problem && error.code === 'conflict') return existing;
    throw error;
  }
}

async function findByEmail(
  accountId: string,
  email: string,
  { people }: PersonNeeds,
): Promise<FoundPerson | undefined> {
  const wanted = email.toLowerCase();
  const all = await people.listPeople({ accountId, limit: listedMax });
  const found = all.filter(({ person }) => person.email?.toLowerCase() === wanted);
  const [only] = found;
  const isManagedByOthers = only !== undefined && !only.apiOwner && !only.person.operator;
  return found.length === 1 && isManagedByOthers ? only : undefined;
}

function refuse(error: unknown): never {
  if (error instanceof Problem && error.code === 'already-exists')
    throw new SignOnFault('name-taken', error.message, error);
  // The account has as many people as it may.
  if (error instanceof Problem && error.code === 'permission-denied')
    throw new SignOnFault('not-permitted', error.message, error);
  throw error;
}
