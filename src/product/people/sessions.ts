/** Sessions of the web UI: who is behind a token, where else a person is signed in, and how a session ends. */
import type { Caller } from '../../model/account/account.ts';
import type { Clock } from '../../model/clock.ts';
import { dayMs, hourMs, minuteMs } from '../../model/durations.ts';
import { canSignIn, type Person, type Session } from '../../model/person/person.ts';
import type { Settings } from '../../model/settings/settings.ts';
import type { FoundPerson } from '../../store/person/person-store.ts';
import type { FoundSession, SessionLimits, SessionStore } from '../../store/person/session-store.ts';
import { findTokenDigest, newToken } from './session-token.ts';

/** The person behind a session, as the caller of product functions. */
export interface SignedIn extends Caller {
  readonly person: Person;
  readonly session: Session;
}

export interface SessionNeeds {
  readonly sessions: Pick<
    SessionStore,
    | 'findSession'
    | 'findSessionById'
    | 'touchSession'
    | 'rotateSession'
    | 'listSessions'
    | 'endSession'
    | 'endSessions'
  >;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'web'>;
}

export function sessionLimits({ web }: Pick<Settings, 'web'>): SessionLimits {
  return { idleMs: web.sessionIdleHours * hourMs, totalMs: web.sessionDaysMax * dayMs };
}

/** A session is marked as seen at most this often, because it is a write to disk. */
const seenEveryMs = minuteMs;

/** With a new token where the client must use another one from now on. */
export async function findSignedIn(
  token: string | undefined,
  { sessions, clock, settings }: SessionNeeds,
): Promise<{ readonly signedIn: SignedIn; readonly newToken?: string } | undefined> {
  const digest = findTokenDigest(token);
  if (digest === undefined) return undefined;
  const nowMs = clock.now();
  const found = await sessions.findSession(digest, nowMs, sessionLimits(settings));
  if (!found || !canSignIn(found)) return undefined;
  const { session } = found;
  if (Math.abs(nowMs - session.seenMs) >= seenEveryMs) await sessions.touchSession(session.id, nowMs);
  const signedIn = signedInOf(found);
  if (!found.mustRotate) return { signedIn };
  const renewed = await renewToken(token, { sessions, clock });
  return { signedIn, ...(renewed === undefined ? {} : { newToken: renewed }) };
}

/** The token to use from now on; undefined if another request has got one already. */
export async function renewToken(
  token: string | undefined,
  { sessions, clock }: Pick<SessionNeeds, 'sessions' | 'clock'>,
): Promise<string | undefined> {
  const next = newToken();
  const isFirst = await sessions.rotateSession(findTokenDigest(token) ?? '', next.tokenDigest, clock.now());
  return isFirst ? next.token : undefined;
}

/** Whether a session goes on, for responses that last: reading them is no use of the session. */
export async function findSignedInAgain(
  { session }: SignedIn,
  { sessions, clock, settings }: Pick<SessionNeeds, 'sessions' | 'clock' | 'settings'>,
): Promise<SignedIn | undefined> {
  const found = await sessions.findSessionById(session.id, clock.now(), sessionLimits(settings));
  return found && canSignIn(found) ? signedInOf(found) : undefined;
}

function signedInOf(found: FoundSession): SignedIn {
  return { ...callerOf(found), person: found.person, session: found.session };
}

/** A person has no key, so no access to the APIs that have keys of their own. */
export function callerOf({ person, account, apiOwner, userId }: FoundPerson): Caller {
  const { name: username, permissions, createdMs } = person;
  const id = userId ?? person.id;
  return {
    account,
    user: { id, username, permissions, apiOwner, createdMs, hasBatchKey: false, channels: [] },
  };
}

export function listOwnSessions(
  { person }: SignedIn,
  { sessions, clock, settings }: SessionNeeds,
): Promise<readonly Session[]> {
  return sessions.listSessions(person.id, clock.now(), sessionLimits(settings));
}

/** Signs out: here or, by id, in another browser. */
export function endOwnSession(
  { person, session }: SignedIn,
  { sessions, clock }: Pick<SessionNeeds, 'sessions' | 'clock'>,
  sessionId: string = session.id,
): Promise<void> {
  return sessions.endSession(person.id, sessionId, { actor: person.name, atMs: clock.now() });
}

export function endOtherSessions(
  { person, session }: SignedIn,
  { sessions, clock }: Pick<SessionNeeds, 'sessions' | 'clock'>,
): Promise<number> {
  return sessions.endSessions(person.id, session.id, { actor: person.name, atMs: clock.now() });
}
