/**
 * Passkeys (WebAuthn). A passkey says by itself whose it is, so signing in needs no name. It belongs to a host name: that of the server's public
 * URL, or `localhost`.
 */
import { isIP } from 'node:net';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { Clock } from '../../model/clock.ts';
import { canSignIn } from '../../model/person/person.ts';
import { fieldProblem, Problem } from '../../model/problem.ts';
import type { Passkey, PersonStore } from '../../store/person/person-store.ts';
import type { SessionStore, SignInStep } from '../../store/person/session-store.ts';
import { requireRecentSignIn } from './own-credentials.ts';
import {
  type ChallengeNeeds,
  challengeMs,
  openChallenge,
  sealChallenge,
  useChallenge,
} from './passkey-challenge.ts';
import { findTokenDigest, newToken } from './session-token.ts';
import type { SignedIn } from './sessions.ts';
import { type Client, type NewSignIn, refuseWithoutSignOn, startSession } from './sign-in.ts';

export interface PasskeyNeeds extends ChallengeNeeds {
  readonly people: Pick<
    PersonStore,
    'findPersonById' | 'addPasskey' | 'findPasskey' | 'listPasskeys' | 'usePasskey' | 'removePasskey'
  >;
  readonly sessions: Pick<SessionStore, 'createSession' | 'createStep' | 'findStep' | 'useStep'>;
  readonly clock: Clock;
  /** Scheme, host and port under which browsers reach the server. */
  readonly ownUrl: () => string;
}

export interface Begun<Options> {
  readonly step: string;
  readonly options: Options;
}

/** Loaded with the first passkey: it takes longer than the rest of the server. */
const loadWebAuthn = () => import('@simplewebauthn/server');

/** EdDSA, ES256 and RS256 in the numbers of COSE: what authenticators have. */
const supportedAlgorithmIDs = [-8, -7, -257];

const passkeysMax = 20;
const nameLengthMax = 60;

/** What passkeys of this server belong to. A numeric address cannot have any, but a loopback one has the name localhost. */
export function relyingParty(ownUrl: string): { readonly id: string; readonly origin: string } {
  const url = new URL(ownUrl);
  if (isIP(url.hostname.replaceAll(/[[\]]/g, '')) === 0) return { id: url.hostname, origin: url.origin };
  url.hostname = 'localhost';
  return { id: 'localhost', origin: url.origin };
}

export async function beginPasskey(
  me: SignedIn,
  needs: PasskeyNeeds,
): Promise<Begun<PublicKeyCredentialCreationOptionsJSON>> {
  requireRecentSignIn(me, needs.clock.now());
  const { generateRegistrationOptions } = await loadWebAuthn();
  const known = await needs.people.listPasskeys(me.person.id);
  const options = await generateRegistrationOptions({
    rpName: 'Nameglass',
    rpID: relyingParty(needs.ownUrl()).id,
    userName: me.person.name,
    userID: new Uint8Array(Buffer.from(me.person.id)),
    timeout: challengeMs,
    excludeCredentials: known.map(({ id, transports }) => ({ id, transports: [...transports] })),
    supportedAlgorithmIDs,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  const { token: step, tokenDigest } = newToken();
  const nowMs = needs.clock.now();
  const { challenge } = options;
  const begun = { tokenDigest, kind: 'new-passkey', personId: me.person.id, challenge } as const;
  await needs.sessions.createStep({ ...begun, expiresMs: nowMs + challengeMs }, nowMs);
  return { step, options };
}

export async function addOwnPasskey(
  me: SignedIn,
  given: { readonly step: string; readonly name: string; readonly response: RegistrationResponseJSON },
  needs: PasskeyNeeds,
): Promise<void> {
  const author = { actor: me.person.name, atMs: needs.clock.now() };
  requireRecentSignIn(me, author.atMs);
  const { challenge, personId } = await useStep(given.step, needs);
  if (personId !== me.person.id) throw notVerified();
  const { id, origin } = relyingParty(needs.ownUrl());
  const expected = {
    expectedChallenge: challenge ?? '',
    expectedOrigin: origin,
    expectedRPID: id,
    supportedAlgorithmIDs,
  };
  const { verifyRegistrationResponse } = await loadWebAuthn();
  const verified = await verifyRegistrationResponse({ response: given.response, ...expected }).catch(
    notVerified,
  );
  if (verified instanceof Problem || !verified.verified) throw notVerified();
  const { credential } = verified.registrationInfo;
  const name = given.name.trim().slice(0, nameLengthMax) || 'passkey';
  const { counter, transports = [] } = credential;
  const publicKey = Buffer.from(credential.publicKey);
  await needs.people.addPasskey(
    { id: credential.id, personId: me.person.id, name, publicKey, counter, transports },
    passkeysMax,
    author,
  );
}

export async function beginPasskeySignIn(
  needs: PasskeyNeeds,
): Promise<Begun<PublicKeyCredentialRequestOptionsJSON>> {
  const { generateAuthenticationOptions } = await loadWebAuthn();
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(needs.ownUrl()).id,
    timeout: challengeMs,
    userVerification: 'required',
  });
  const expiresMs = needs.clock.now() + challengeMs;
  return { step: sealChallenge({ challenge: options.challenge, expiresMs }, needs), options };
}

export async function signInByPasskey(
  { step, response }: { readonly step: string; readonly response: AuthenticationResponseJSON },
  client: Client,
  needs: PasskeyNeeds,
): Promise<NewSignIn> {
  const nowMs = needs.clock.now();
  const sealed = openChallenge(step, nowMs, needs);
  if (!sealed) throw new Problem('credentials-invalid', 'That took too long. Try again.');
  // What a browser sends has been parsed no further than that it is an object.
  const id: unknown = response.id;
  const passkey = typeof id === 'string' ? await needs.people.findPasskey(id) : undefined;
  const found = passkey && (await needs.people.findPersonById(passkey.personId));
  if (!passkey || !found || !canSignIn(found)) throw unknownPasskey();
  const newCounter = await verify(response, passkey, sealed.challenge, needs);
  if (newCounter === undefined || !(await useChallenge(sealed, nowMs, needs))) throw unknownPasskey();
  await needs.people.usePasskey(passkey.id, newCounter, nowMs);
  refuseWithoutSignOn(found);
  return startSession(found, { method: 'passkey' }, client, needs);
}

/** The authenticator's new counter; undefined for a response that is not right. */
async function verify(
  response: AuthenticationResponseJSON,
  { id, publicKey, counter }: Passkey,
  challenge: string,
  needs: PasskeyNeeds,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await loadWebAuthn();
  const party = relyingParty(needs.ownUrl());
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      credential: { id, publicKey: new Uint8Array(publicKey), counter },
    });
    return verified ? authenticationInfo.newCounter : undefined;
  } catch {
    // The library throws for everything that does not fit.
    return undefined;
  }
}

/** Throws `conflict` if nothing else is left to sign in with. */
export async function removeOwnPasskey(me: SignedIn, id: string, needs: PasskeyNeeds): Promise<void> {
  const author = { actor: me.person.name, atMs: needs.clock.now() };
  requireRecentSignIn(me, author.atMs);
  const { hasPassword, passkeys, identities } = me.person.credentials;
  if (!hasPassword && identities === 0 && passkeys <= 1)
    throw new Problem(
      'conflict',
      'This is your only way to sign in. Choose a password or add another passkey first.',
    );
  await needs.people.removePasskey(me.person.id, id, author);
}

/** A challenge is used once, whatever comes of it. */
async function useStep(step: string, needs: PasskeyNeeds): Promise<SignInStep> {
  const digest = findTokenDigest(step) ?? '';
  const begun = await needs.sessions.findStep(digest, needs.clock.now());
  if (begun?.kind === 'new-passkey' && (await needs.sessions.useStep(digest))) return begun;
  throw fieldProblem('invalid-members', 'step', 'is not known or too old; begin again');
}

function unknownPasskey(): Problem {
  return new Problem('credentials-invalid', 'That passkey is not registered here, or was removed.');
}

/** The session of a person who registers a passkey goes on, so these are no problems of credentials. */
function notVerified(): Problem {
  return fieldProblem('invalid-members', 'response', 'could not be verified for this server; try again');
}
