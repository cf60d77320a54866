/**
 * Signing in: by a one-time link, by password (with the code of an authenticator app where there is one), or by passkey (`passkeys.ts`). Every
 * refusal has the same message and takes about as long, whether the name exists or not.
 */
import { keyDigest } from '../../model/account/api-key.ts';
import type { Clock } from '../../model/clock.ts';
import { minuteMs } from '../../model/durations.ts';
import { canSignIn } from '../../model/person/person.ts';
import { findTotpStep, fromBase32 } from '../../model/person/totp.ts';
import { Problem } from '../../model/problem.ts';
import type { FoundPerson, PersonStore } from '../../store/person/person-store.ts';
import type { NewSession, SessionStore } from '../../store/person/session-store.ts';
import type { PasswordHasher } from './password-hasher.ts';
import { findTokenDigest, newToken } from './session-token.ts';
import { callerOf, type SignedIn } from './sessions.ts';
import { type ThrottleNeeds, throttled } from './sign-in-throttle.ts';

export interface SignInNeeds extends ThrottleNeeds {
  readonly people: Pick<
    PersonStore,
    'findPerson' | 'findPersonById' | 'findPasswordHash' | 'findTotp' | 'useTotpStep' | 'useRecoveryCode'
  >;
  readonly sessions: ThrottleNeeds['sessions'] &
    Pick<SessionStore, 'createSession' | 'findLink' | 'useLink' | 'createStep' | 'findStep' | 'useStep'>;
  readonly passwords: Pick<PasswordHasher, 'verify'>;
  readonly clock: Clock;
}

/** The browser that signs in. */
export interface Client {
  readonly address: string;
  readonly agent: string;
  /** The address is loopback, and no proxy is in between. */
  readonly isLoopback: boolean;
  /** The session that this browser had until now. */
  readonly before?: SignedIn | undefined;
}

export interface NewSignIn {
  readonly signedIn: SignedIn;
  readonly token: string;
}

/** The password was right; the code of the authenticator app is still needed. */
export interface CodeNeeded {
  readonly next: 'totp';
  readonly step: string;
}

/** How long a person may take to enter a code. */
const stepMs = 5 * minuteMs;
const agentLengthMax = 200;

export async function signInByPassword(
  { name, password }: { readonly name: string; readonly password: string },
  client: Client,
  needs: SignInNeeds,
): Promise<NewSignIn | CodeNeeded> {
  const nowMs = needs.clock.now();
  const found = await needs.people.findPerson(name);
  const run = async () => {
    const stored = found && (await needs.people.findPasswordHash(found.person.id));
    const isRight = await needs.passwords.verify(password, stored);
    return isRight && found && canSignIn(found) ? found : undefined;
  };
  const isPart = ({ person }: FoundPerson) => person.credentials.hasTotp;
  const right = await throttled({ name, address: client.address, nowMs, run, isPart }, needs);
  // Not in the audit log: only names that exist have an account there, so the write would take time for them alone.
  if (!right) throw new Problem('credentials-invalid', 'The name or the password is not right.');
  const { result: verified, failures } = right;
  refuseWithoutSignOn(verified);
  if (!verified.person.credentials.hasTotp)
    return startSession(verified, { method: 'password', failures }, client, needs);
  const { token: step, tokenDigest } = newToken();
  const expiresMs = nowMs + stepMs;
  await needs.sessions.createStep(
    { tokenDigest, kind: 'totp', personId: verified.person.id, expiresMs },
    nowMs,
  );
  return { next: 'totp', step };
}

/** `code`: of the authenticator app, or one of the recovery codes. */
export async function signInByCode(
  { step, code }: { readonly step: string; readonly code: string },
  client: Client,
  needs: SignInNeeds,
): Promise<NewSignIn> {
  const nowMs = needs.clock.now();
  const digest = findTokenDigest(step) ?? '';
  const begun = await needs.sessions.findStep(digest, nowMs);
  const found = begun?.kind === 'totp' && (await needs.people.findPersonById(begun.personId));
  if (!found || !canSignIn(found)) throw tookTooLong();
  const { name } = found.person;
  const run = () => verifyCode(found, code, needs);
  const right = await throttled({ name, address: client.address, nowMs, run }, needs);
  if (!right) throw new Problem('credentials-invalid', 'The code is not right, or was used before.');
  refuseWithoutSignOn(found);
  if (!(await needs.sessions.useStep(digest))) throw tookTooLong();
  return startSession(found, { method: right.result, failures: right.failures }, client, needs);
}

function tookTooLong(): Problem {
  return new Problem('credentials-invalid', 'This sign-in took too long. Begin again with your password.');
}

async function verifyCode(
  { person }: FoundPerson,
  code: string,
  { people, clock }: Pick<SignInNeeds, 'people' | 'clock'>,
): Promise<string | undefined> {
  const nowMs = clock.now();
  const plain = code.replaceAll(/[\s-]/g, '').toLowerCase();
  const totp = await people.findTotp(person.id);
  const step = totp?.confirmed ? findTotpStep(fromBase32(totp.secret), plain, nowMs) : undefined;
  if (step !== undefined) return (await people.useTotpStep(person.id, step)) ? 'totp' : undefined;
  const author = { actor: person.name, atMs: nowMs };
  return (await people.useRecoveryCode(person.id, keyDigest(plain), author)) ? 'recovery-code' : undefined;
}

const deadLink = 'This link was used, has expired, or was replaced by a newer one.';
const newLink = 'Make another with: nameglass signin NAME';

/** Whom a link signs in. Does not use it up. */
export async function getLink(token: string, client: Client, needs: SignInNeeds): Promise<FoundPerson> {
  const link = await needs.sessions.findLink(findTokenDigest(token) ?? '', needs.clock.now());
  if (!link || !canSignIn(link)) throw new Problem('credentials-invalid', `${deadLink} ${newLink}`);
  if (link.loopbackOnly && !client.isLoopback)
    throw new Problem('address-not-allowed', 'This link works only on the machine that the server runs on.');
  return link;
}

export async function signInByLink(token: string, client: Client, needs: SignInNeeds): Promise<NewSignIn> {
  const found = await getLink(token, client, needs);
  if (!(await needs.sessions.useLink(findTokenDigest(token) ?? '')))
    throw new Problem('credentials-invalid', `${deadLink} ${newLink}`);
  return startSession(found, { method: 'link' }, client, needs);
}

/**
 * Where an account requires single sign-on, passwords and passkeys are not enough, right as they may be; a link of the operator is. Only after
 * they were found right: nobody else learns what the account requires.
 */
export function refuseWithoutSignOn({ person }: FoundPerson): void {
  if (!person.credentials.mustSignOn) return;
  throw new Problem(
    'permission-denied',
    'Your account requires single sign-on. Use the button of your identity provider; an operator can also make a link for you: nameglass signin NAME',
  );
}

/** Always with a new token: one that was in the browser before may be known to somebody else. */
export async function startSession(
  found: FoundPerson,
  how: Pick<NewSession, 'method' | 'failures'>,
  { address, agent, before }: Client,
  {
    sessions,
    clock,
  }: Pick<SignInNeeds, 'clock'> & { readonly sessions: Pick<SessionStore, 'createSession'> },
): Promise<NewSignIn> {
  const { token, tokenDigest } = newToken();
  const { person } = found;
  const replaces = before?.session.id;
  const shortAgent = agent.slice(0, agentLengthMax);
  const given = { personId: person.id, tokenDigest, address, agent: shortAgent, replaces, ...how };
  const session = await sessions.createSession(given, { actor: person.name, atMs: clock.now() });
  return { token, signedIn: { ...callerOf(found), person, session } };
}
