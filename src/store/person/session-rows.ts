/** Rows of sessions, links and sign-in steps, as every adapter keeps them, and what is decided about them. */
import { hourMs, minuteMs } from '../../model/durations.ts';
import { canSignIn, type Session } from '../../model/person/person.ts';
import { Problem } from '../../model/problem.ts';
import type { Flag } from '../account/account-rows.ts';
import type { FoundPerson } from './person-store.ts';
import type { FoundSession, SignInLink, SignInStep, ThrottledSubject } from './session-store.ts';

/** How far a stored time may be ahead of the clock: processes of one installation may run on machines whose clocks differ a little. */
export const aheadMaxMs: number = 5 * minuteMs;
/** How long the token before a rotation still works. */
export const rotationMs: number = minuteMs;
/** A name or an address without an attempt for so long starts anew. */
export const attemptMemoryMs: number = 24 * hourMs;

export interface SessionRow {
  id: string;
  person_id: string;
  must_rotate: Flag;
  created_ms: number;
  seen_ms: number;
  address: string;
  agent: string;
}

export function sessionOf(row: SessionRow): Session {
  return {
    id: row.id,
    personId: row.person_id,
    createdMs: row.created_ms,
    seenMs: row.seen_ms,
    address: row.address,
    agent: row.agent,
  };
}

export function foundSessionOf(row: SessionRow, found: FoundPerson): FoundSession {
  return { session: sessionOf(row), ...found, mustRotate: Boolean(row.must_rotate) };
}

export interface LinkRow {
  digest: string;
  person_id: string;
  expires_ms: number;
  loopback: Flag;
}

export function linkOf(row: LinkRow): SignInLink {
  const { digest: tokenDigest, person_id: personId, expires_ms: expiresMs } = row;
  return { tokenDigest, personId, expiresMs, loopbackOnly: Boolean(row.loopback) };
}

export interface StepRow {
  digest: string;
  kind: SignInStep['kind'];
  person_id: string;
  challenge: string | null;
  expires_ms: number;
}

export function stepOf(row: StepRow): SignInStep {
  const { digest: tokenDigest, kind, person_id: personId, challenge, expires_ms: expiresMs } = row;
  return { tokenDigest, kind, personId, challenge: challenge ?? undefined, expiresMs };
}

export interface AttemptRow {
  subject: string;
  attempts: number;
  at_ms: number;
  until_ms: number;
}

/** Until when a subject must wait; undefined: it need not. An attempt whose time is ahead of the clock makes nobody wait. */
export function retryMsOf({ until_ms: untilMs, at_ms: atMs }: AttemptRow, nowMs: number): number | undefined {
  return untilMs > nowMs && atMs <= nowMs + aheadMaxMs ? untilMs : undefined;
}

/** The row after one more attempt. */
export function countedAttempt(
  { subject, waitMs }: ThrottledSubject,
  before: AttemptRow | undefined,
  nowMs: number,
): AttemptRow {
  const isRecent = before && before.at_ms > nowMs - attemptMemoryMs && before.at_ms <= nowMs + aheadMaxMs;
  const attempts = (isRecent ? before.attempts : 0) + 1;
  return { subject, attempts, at_ms: nowMs, until_ms: nowMs + waitMs(attempts) };
}

export function refuseSignIn(found: FoundPerson): void {
  if (!canSignIn(found)) throw new Problem('credentials-invalid', 'This person cannot sign in.');
}

export function refuseLink({ person }: FoundPerson): void {
  if (person.disabledMs !== undefined)
    throw new Problem('conflict', `${person.name} is disabled and cannot sign in.`);
}

/** For the audit log. */
export function linkDetail({ loopbackOnly, expiresMs }: SignInLink): object {
  return { loopbackOnly, expires: new Date(expiresMs).toISOString() };
}

export function noSession(): Problem {
  return new Problem('not-found', 'There is no such session, or it has ended.');
}
