/** Rows of the tables `sign_in_link`, `sign_in_step` and `sign_in_attempt` of accounts.db. Changes must be called within a write transaction. */
import {
  type AttemptRow,
  aheadMaxMs,
  attemptMemoryMs,
  countedAttempt,
  type LinkRow,
  linkOf,
  retryMsOf,
  type StepRow,
  stepOf,
} from '../../person/session-rows.ts';
import type { SignInLink, SignInStep, ThrottledSubject } from '../../person/session-store.ts';
import type { Database } from '../database.ts';

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
    return row && linkOf(row);
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
    return row && stepOf(row);
  }

  deleteStep(tokenDigest: string): boolean {
    return this.#statements.deleteStep.run(tokenDigest).changes === 1;
  }

  /** Until when the subject must wait. */
  findRetryMs(subject: string, nowMs: number): number | undefined {
    const attempt = this.#findAttempt(subject);
    return attempt && retryMsOf(attempt, nowMs);
  }

  countAttempt(throttled: ThrottledSubject, nowMs: number): void {
    const before = this.#findAttempt(throttled.subject);
    this.#statements.putAttempt.run(countedAttempt(throttled, before, nowMs));
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

  #findAttempt(subject: string): AttemptRow | undefined {
    return this.#statements.attempt.get(subject) as AttemptRow | undefined;
  }
}

const isOpen = `expires_ms > :now and created_ms <= :now + ${aheadMaxMs}`;

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
    attempt: database.prepare('select * from sign_in_attempt where subject = ?'),
    putAttempt: database.prepare(
      `insert into sign_in_attempt values (:subject, :attempts, :at_ms, :until_ms)
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
