/**
 * Sign-in: sessions, one-time links, unfinished sign-ins and failed attempts. Tokens are stored as digests only. Times that lie in the
 * future, because the clock was set back, end what they belong to.
 */
import type { Session } from '../../model/person/person.ts';
import type { Author } from '../account-store.ts';
import type { FoundPerson } from './person-store.ts';

export interface SessionLimits {
  readonly idleMs: number;
  readonly totalMs: number;
}

export interface NewSession {
  readonly personId: string;
  readonly tokenDigest: string;
  readonly address: string;
  readonly agent: string;
  /** For the audit log: link, password, totp, recovery-code, passkey. */
  readonly method: string;
  /** For the audit log: attempts that failed since the last success. */
  readonly failures?: number | undefined;
  /** The session that this browser had until now, of any person; it ends. */
  readonly replaces?: string | undefined;
}

export interface FoundSession extends FoundPerson {
  readonly session: Session;
  /** The person's permissions have changed since the token was made. */
  readonly mustRotate: boolean;
}

export interface SignInLink {
  readonly tokenDigest: string;
  readonly personId: string;
  readonly expiresMs: number;
  /** Works from a loopback address only. */
  readonly loopbackOnly: boolean;
}

/** What the server must remember between two requests of one sign-in, or of the registration of a passkey. */
export interface SignInStep {
  readonly tokenDigest: string;
  readonly kind: 'totp' | 'new-passkey';
  /** Whose password was right, or whose passkey is registered. */
  readonly personId: string;
  /** Of a passkey. */
  readonly challenge?: string | undefined;
  readonly expiresMs: number;
}

export interface ThrottledSubject {
  readonly subject: string;
  /** The pause after this many attempts in a row. */
  readonly waitMs: (attempts: number) => number;
}

export interface SessionStore {
  /** Throws `not-found` if the person was removed in the meantime, and `credentials-invalid` if disabled. */
  createSession(session: NewSession, author: Author): Promise<Session>;

  /** Undefined for an unknown or ended session. */
  findSession(tokenDigest: string, nowMs: number, limits: SessionLimits): Promise<FoundSession | undefined>;

  findSessionById(id: string, nowMs: number, limits: SessionLimits): Promise<FoundSession | undefined>;

  /** Remembers that the session is in use. */
  touchSession(id: string, nowMs: number): Promise<void>;

  /**
   * Gives the session with this token another one; the old one works for another minute, for requests that are on their way. Of several
   * concurrent calls one returns true.
   */
  rotateSession(tokenDigest: string, newDigest: string, nowMs: number): Promise<boolean>;

  /** Those that have not ended, newest first. */
  listSessions(personId: string, nowMs: number, limits: SessionLimits): Promise<readonly Session[]>;

  /** Throws `not-found` if the person has no such session. */
  endSession(personId: string, sessionId: string, author: Author): Promise<void>;

  /** Returns how many ended. */
  endSessions(personId: string, except: string | undefined, author: Author): Promise<number>;

  /** Replaces earlier links of the person. Throws `conflict` for somebody who is disabled. */
  createLink(link: SignInLink, author: Author): Promise<void>;

  /** Undefined for an unknown, used or expired link. */
  findLink(tokenDigest: string, nowMs: number): Promise<(SignInLink & FoundPerson) | undefined>;

  /** Deletes the link; of several concurrent calls one returns true. */
  useLink(tokenDigest: string): Promise<boolean>;

  createStep(step: SignInStep, nowMs: number): Promise<void>;

  findStep(tokenDigest: string, nowMs: number): Promise<SignInStep | undefined>;

  /** Deletes the step; of several concurrent calls one returns true. */
  useStep(tokenDigest: string): Promise<boolean>;

  /**
   * Counts an attempt to sign in for every subject, such as a name and an address. If one of them must still wait, counts nothing and returns
   * until when.
   */
  countAttempt(subjects: readonly ThrottledSubject[], nowMs: number): Promise<number | undefined>;

  /** Takes one attempt back. */
  releaseAttempt(subjects: readonly string[]): Promise<void>;

  /** Returns how many there were. */
  forgetAttempts(subjects: readonly string[]): Promise<number>;

  /** Deletes what ended by its age. */
  pruneSessions(nowMs: number, limits: SessionLimits): Promise<void>;

  close(): Promise<void>;
}
