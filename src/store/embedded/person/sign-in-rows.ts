/** Rows of the tables `sign_in_link`, `sign_in_step` and `sign_in_attempt` of accounts.db. Changes must be called within a write transaction. */
import { hourMs } from '../../../model/durations.ts';
import type { SignInLink, SignInStep, ThrottledSubject } from '../../person/session-store.ts';
import type { Database } from '../database.ts';
import { aheadMaxMs } from './session-rows.ts';

/** A name or an address without an attempt for so long starts anew. */
const attemptMemoryMs = 24 * hourMs;

interface LinkRow {
  digest: string;
  person_id: string;
  expires_ms: number;
  loopback: number;
}

interface StepRow {
  digest: string;
  kind: SignInStep['kind'];
  person_id: string;
  challenge: string | null;
  expires_ms: number;
}

export class SignInRows {
  readonly #statements;

  constructor(database: Database) {
    this.#statements = prepare(database);
  }

  putLink({ tokenDigest, personId, expiresMs, loopbackOnly }: SignInLink, atMs: number): void {
    this.#statements.deleteLinksOf.run(personId);
    this.#statements.insertLink.run(tokenDigest, personId, atMs, expiresMs, loopbackOnly ? 1 : 0);
  }

  findLink(tokenDigest: string, nowMs: number): SignInLink | undefined {
    const row = this.#statements.findLink.get({ digest: tokenDigest, now: nowMs }) as LinkRow | undefined;
    if (!row) return undefined;
    const { person_id: personId, expires_ms: expiresMs } = row;
    return { tokenDigest, personId, expiresMs, loopbackOnly: row.loopback === 1 };
  }

  deleteLink(tokenDigest: string): boolean {
    return this.#statements.deleteLink.run(tokenDigest).changes === 1;
  }

  putStep({ tokenDigest, kind, personId, challenge, expiresMs }: SignInStep, atMs: number): void {
    const given = [tokenDigest, kind, personId, challenge ?? null, atMs, expiresMs];
    this.#statements.insertStep.run(...given);
  }

  findStep(tokenDigest: string, nowMs: number): SignInStep | undefined {
    const row = this.#statements.findStep.get({ digest: tokenDigest, now: nowMs }) as StepRow | undefined;
    if (!row) return undefined;
    const { kind, person_id: personId, challenge, expires_ms: expiresMs } = row;
    return {
      tokenDigest,
      kind,
      personId,
      challenge: challenge ?? undefined,
      expiresMs,
    };
  }

  deleteStep(tokenDigest: string): boolean {
    return this.#statements.deleteStep.run(tokenDigest).changes === 1;
  }

  findRetryMs(subject: string, nowMs: number): number | undefined {
    return this.#statements.retryMs.get({ subject, now: nowMs }) as number | undefined;
  }

  countAttempt({ subject, waitMs }: ThrottledSubject, nowMs: number): void {
    const named = { subject, now: nowMs, memory: attemptMemoryMs };
    const attempts = ((this.#statements.attempts.get(named) as number | undefined) ?? 0) + 1;
    this.#statements.putAttempt.run(subject, attempts, nowMs, nowMs + waitMs(attempts));
  }

  releaseAttempt(subject: string): void {
    this.#statements.releaseAttempt.run(subject);
  }

  forgetAttempts(subject: string): number {
    return (this.#statements.deleteAttempts.get(subject) as number | undefined) ?? 0;
  }

  prune(nowMs: number): void {
    this.#statements.pruneLinks.run({ now: nowMs });
    this.#statements.pruneSteps.run({ now: nowMs });
    this.#statements.pruneAttempts.run({ now: nowMs, memory: attemptMemoryMs });
  }
}

const isOpen = `expires_ms > :now and created_ms <= :now + ${aheadMaxMs}`;
/** An attempt whose time is ahead of the clock locks nobody out. */
const isRecent = `at_ms > :now - :memory and at_ms <= :now + ${aheadMaxMs}`;

function prepare(database: Database) {
  return {
    insertLink: database.prepare('insert into sign_in_link values (?, ?, ?, ?, ?)'),
    findLink: database.prepare(`select * from sign_in_link where digest = :digest and ${isOpen}`),
    deleteLink: database.prepare('delete from sign_in_link where digest = ?'),
    deleteLinksOf: database.prepare('delete from sign_in_link where person_id = ?'),
    pruneLinks: database.prepare('delete from sign_in_link where expires_ms <= :now'),
    insertStep: database.prepare('insert into sign_in_step values (?, ?, ?, ?, ?, ?)'),
    findStep: database.prepare(`select * from sign_in_step where digest = :digest and ${isOpen}`),
    deleteStep: database.prepare('delete from sign_in_step where digest = ?'),
    pruneSteps: database.prepare('delete from sign_in_step where expires_ms <= :now'),
    retryMs: database
      .prepare(
        `select until_ms from sign_in_attempt
         where subject = :subject and until_ms > :now and at_ms <= :now + ${aheadMaxMs}`,
      )
      .pluck(),
    attempts: database
      .prepare(`select attempts from sign_in_attempt where subject = :subject and ${isRecent}`)
      .pluck(),
    putAttempt: database.prepare(
      `insert into sign_in_attempt values (?, ?, ?, ?)
       on conflict (subject) do update set attempts = excluded.attempts, at_ms = excluded.at_ms, until_ms = excluded.until_ms`,
    ),
    releaseAttempt: database.prepare(
      'update sign_in_attempt set attempts = max(0, attempts - 1), until_ms = at_ms where subject = ?',
    ),
    deleteAttempts: database
      .prepare('delete from sign_in_attempt where subject = ? returning attempts')
      .pluck(),
    pruneAttempts: database.prepare('delete from sign_in_attempt where at_ms <= :now - :memory'),
  };
}
