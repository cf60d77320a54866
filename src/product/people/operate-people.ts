/** People, managed by the operator: added, and signed in by a printed link. The link is also the way in when everything else fails. */
import { findUsernameFault } from '../../model/account/api-key.ts';
import type { Permission } from '../../model/account/permission.ts';
import type { Clock } from '../../model/clock.ts';
import { isMailAddress } from '../../model/mail-address.ts';
import { fieldProblem, Problem } from '../../model/problem.ts';
import { isLocalOnly, publicUrl } from '../../model/settings/public-url.ts';
import type { Settings } from '../../model/settings/settings.ts';
import type { AccountStore } from '../../store/account-store.ts';
import type { FoundPerson, PersonStore } from '../../store/person/person-store.ts';
import type { SessionStore } from '../../store/person/session-store.ts';
import { createSignInLink, printedLinkMs } from './sign-in-links.ts';

export interface OperatePeopleNeeds {
  readonly people: Pick<PersonStore, 'createPerson' | 'findPerson' | 'listPeople'>;
  readonly sessions: Pick<SessionStore, 'createLink'>;
  readonly accounts: Pick<AccountStore, 'findByUsername' | 'listUsers'>;
  readonly clock: Clock;
}

export interface PersonToAdd {
  readonly name: string;
  /** By default the only account there is. */
  readonly account?: string | undefined;
  readonly email?: string | undefined;
  readonly permissions: readonly Permission[];
  readonly peopleMax?: number | undefined;
}

const actor = 'operator';
/** Enough to see whether there is more than one. */
const listedMax = 10_000;

export async function addPerson(request: PersonToAdd, needs: OperatePeopleNeeds): Promise<FoundPerson> {
  const { name, email, permissions, peopleMax } = request;
  const fault = findUsernameFault(name);
  if (fault) throw fieldProblem('invalid-parameters', 'name', fault);
  if (email !== undefined && !isMailAddress(email))
    throw fieldProblem('invalid-parameters', 'email', 'must be an e-mail address such as name@example.com');
  const account = request.account ?? (await getOnlyAccount(needs));
  const given = { account, name, email, permissions, peopleMax };
  return needs.people.createPerson(given, { actor, atMs: needs.clock.now() });
}

async function getOnlyAccount({ accounts }: OperatePeopleNeeds): Promise<string> {
  const users = await accounts.listUsers({ limit: listedMax });
  const names = [...new Set(users.map(({ account }) => account.name))];
  const [only, ...others] = names;
  if (only === undefined)
    throw new Problem(
      'not-found',
      'there is no account yet; create one: nameglass account create --username NAME',
    );
  if (others.length === 0) return only;
  throw fieldProblem('invalid-parameters', 'account', `say which one: ${names.slice(0, 5).join(', ')}`);
}

/** The person of that name. An API user who has not used the web UI yet becomes a person with the same permissions. */
export async function getPersonToSignIn(
  name: string | undefined,
  needs: OperatePeopleNeeds,
): Promise<FoundPerson> {
  const wanted = name ?? (await getOnlyName(needs));
  const person = await needs.people.findPerson(wanted);
  if (person) return person;
  const user = await needs.accounts.findByUsername(wanted);
  if (!user)
    throw new Problem(
      'not-found',
      `there is no person ${wanted}; create one: nameglass person add ${wanted}`,
    );
  const { account } = user;
  const { permissions } = user.user;
  return addPerson({ name: wanted, account: account.name, permissions }, needs).catch(
    async (error: unknown) => {
      // Another process on the same data was first.
      const added = await needs.people.findPerson(wanted);
      if (!added) throw error;
      return added;
    },
  );
}

async function getOnlyName({ people, accounts }: OperatePeopleNeeds): Promise<string> {
  const known = await people.listPeople({ limit: listedMax });
  const users = known.length > 0 ? [] : await accounts.listUsers({ limit: listedMax });
  const names = [...known.map(({ person }) => person.name), ...users.map(({ user }) => user.username)];
  const [only, ...others] = names;
  if (only === undefined)
    throw new Problem(
      'not-found',
      'there is no account yet; create one: nameglass account create --username NAME',
    );
  if (others.length === 0) return only;
  throw fieldProblem('invalid-parameters', 'name', `say who signs in: ${names.slice(0, 5).join(', ')}`);
}

/** A URL that signs the person in once. On a server that only this machine reaches, it works on this machine alone. */
export async function createPrintedLink(
  { person }: FoundPerson,
  settings: Pick<Settings, 'http'>,
  needs: OperatePeopleNeeds,
  port: number = settings.http.port,
): Promise<string> {
  const request = { personId: person.id, lifetimeMs: printedLinkMs, loopbackOnly: isLocalOnly(settings) };
  const { path } = await createSignInLink(request, { actor, atMs: needs.clock.now() }, needs);
  return publicUrl(settings, port) + path;
}
