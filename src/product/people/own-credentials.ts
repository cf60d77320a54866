/** What people change about their own sign-in: password, authenticator app, recovery codes, identities. Each needs a recent sign-in. */
import { randomBytes } from 'node:crypto';
import { keyDigest } from '../../model/account/api-key.ts';
import type { Clock } from '../../model/clock.ts';
import { minuteMs } from '../../model/durations.ts';
import { findPasswordFault } from '../../model/person/password-rules.ts';
import { findTotpStep, fromBase32, toBase32, totpUri } from '../../model/person/totp.ts';
import { fieldProblem, Problem } from '../../model/problem.ts';
import type { PersonStore } from '../../store/person/person-store.ts';
import type { SignOnStore } from '../../store/person/sign-on-store.ts';
import type { PasswordHasher } from './password-hasher.ts';
import { endOtherSessions, type SessionNeeds, type SignedIn } from './sessions.ts';

export interface CredentialNeeds {
  readonly people: Pick<
    PersonStore,
    'setPasswordHash' | 'findTotp' | 'beginTotp' | 'confirmTotp' | 'removeTotp'
  >;
  readonly sessions: SessionNeeds['sessions'];
  readonly passwords: Pick<PasswordHasher, 'hash'>;
  readonly clock: Clock;
}

/** How recent the sign-in must be. */
const recentMs = 10 * minuteMs;
const recoveryCodes = 10;
const secretBytes = 20;

/** Throws `sign-in-again`: a browser that somebody left unlocked must not be enough to take over the person. */
export function requireRecentSignIn({ session }: SignedIn, nowMs: number): void {
  if (Math.abs(nowMs - session.createdMs) <= recentMs) return;
  throw new Problem(
    'sign-in-again',
    'Sign in again to change how you sign in: the last time is too long ago.',
  );
}

/** Ends the person's other sessions. */
export async function setOwnPassword(me: SignedIn, password: string, needs: CredentialNeeds): Promise<void> {
  const author = authorOf(me, needs);
  requireRecentSignIn(me, author.atMs);
  const fault = findPasswordFault(password, me.person.name);
  if (fault) throw fieldProblem('invalid-members', 'password', fault);
  await needs.people.setPasswordHash(me.person.id, await needs.passwords.hash(password), author);
  await endOtherSessions(me, needs);
}

/** Throws `conflict` if nothing else is left to sign in with. */
export async function removeOwnPassword(me: SignedIn, needs: CredentialNeeds): Promise<void> {
  const author = authorOf(me, needs);
  requireRecentSignIn(me, author.atMs);
  const { passkeys, identities } = me.person.credentials;
  if (passkeys + identities === 0)
    throw new Problem('conflict', 'You have no passkey. Add one before you remove the password.');
  await needs.people.setPasswordHash(me.person.id, null, author);
}

export interface NewTotp {
  readonly secret: string;
  readonly uri: string;
}

/** The secret counts once a first code has been entered. */
export async function beginOwnTotp(me: SignedIn, needs: CredentialNeeds): Promise<NewTotp> {
  requireRecentSignIn(me, needs.clock.now());
  if (!me.person.credentials.hasPassword)
    throw new Problem('conflict', 'An authenticator app protects a password. Choose a password first.');
  const secret = toBase32(randomBytes(secretBytes));
  await needs.people.beginTotp(me.person.id, secret);
  return { secret, uri: totpUri(secret, me.person.name, 'Nameglass') };
}

/** Returns the recovery codes, which are shown once. */
export async function confirmOwnTotp(
  me: SignedIn,
  code: string,
  needs: CredentialNeeds,
): Promise<readonly string[]> {
  const author = authorOf(me, needs);
  requireRecentSignIn(me, author.atMs);
  const totp = await needs.people.findTotp(me.person.id);
  const step = totp && findTotpStep(fromBase32(totp.secret), code.replaceAll(/\s/g, ''), author.atMs);
  if (step === undefined)
    throw fieldProblem(
      'invalid-members',
      'code',
      'is not right; check the clock of the device and try the next code',
    );
  const codes = Array.from({ length: recoveryCodes }, newRecoveryCode);
  const recoveryDigests = codes.map((text) => keyDigest(text.replaceAll('-', '')));
  await needs.people.confirmTotp(me.person.id, { step, recoveryDigests }, author);
  await endOtherSessions(me, needs);
  return codes;
}

export async function removeOwnTotp(me: SignedIn, needs: CredentialNeeds): Promise<void> {
  const author = authorOf(me, needs);
  requireRecentSignIn(me, author.atMs);
  await needs.people.removeTotp(me.person.id, author);
}

/** Ends the link to an identity provider. Throws `conflict` if nothing else is left to sign in with. */
export async function unlinkOwnIdentity(
  me: SignedIn,
  providerId: string,
  needs: Pick<CredentialNeeds, 'clock'> & { readonly signOn: Pick<SignOnStore, 'unlinkIdentity'> },
): Promise<void> {
  const author = authorOf(me, needs);
  requireRecentSignIn(me, author.atMs);
  const { hasPassword, passkeys, identities } = me.person.credentials;
  if (!hasPassword && passkeys === 0 && identities <= 1)
    throw new Problem(
      'conflict',
      'This is your only way to sign in. Choose a password or add a passkey first.',
    );
  await needs.signOn.unlinkIdentity(me.person.id, providerId, author);
}

/** 80 bits: a digest without salt is enough. */
function newRecoveryCode(): string {
  return toBase32(randomBytes(10))
    .toLowerCase()
    .replaceAll(/(.{4})(?!$)/g, '$1-');
}

function authorOf({ person }: SignedIn, { clock }: Pick<CredentialNeeds, 'clock'>) {
  return { actor: person.name, atMs: clock.now() };
}
