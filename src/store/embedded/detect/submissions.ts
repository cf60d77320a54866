/** Lists of escalations, and their submission to external services. */
import type { Escalation, EscalationType, WatchlistId } from '../../../model/detect/watchlist.ts';
import { escalationTypes } from '../../../model/detect/watchlist.ts';
import { type EscalationRow, escalationOf, submissionWaitMsMax } from '../../detect/rows/escalation-rows.ts';
import type { SubmissionOutcome } from '../../escalation-store.ts';
import type { Database } from '../database.ts';

const rows = `select escalation.*, escalation.account as account_id, domain.id as domain_id from escalation join domain on domain.number = domain`;

export class Submissions {
  readonly #page;
  readonly #due;
  readonly #lease;
  readonly #row;
  readonly #setOutcome;

  constructor(database: Database) {
    this.#page = database.prepare(
      `${rows} where escalation.account = :account and type = :type and escalation.number <
         iif(:beforeId is null, 9e18, (select number from escalation where account = :account and id = :beforeId))
       order by escalation.number desc limit :limit`,
    );
    this.#due = database
      .prepare(
        `select number from escalation
         where submission = 'waiting' and (next_ms <= :nowMs or next_ms > :nowMs + ${submissionWaitMsMax})
         order by next_ms, number limit :limit`,
      )
      .pluck();
    this.#lease = database.prepare(
      'update escalation set next_ms = ?, attempts = attempts + 1 where number = ?',
    );
    this.#row = database.prepare(`${rows} where escalation.number = ?`);
    this.#setOutcome = database.prepare(
      `update escalation set submission = :status, error = :error, next_ms = :nextMs, updated_ms = :atMs
       where id = :id and submission = 'waiting'`,
    );
  }

  list(
    accountId: string,
    page: { readonly type?: EscalationType; readonly beforeId?: WatchlistId; readonly limit: number },
  ): readonly Escalation[] {
    const { type, beforeId = null, limit } = page;
    const found = (type === undefined ? escalationTypes : [type]).flatMap(
      (each) => this.#page.all({ account: accountId, type: each, beforeId, limit }) as EscalationRow[],
    );
    return found
      .sort((one, other) => other.number - one.number)
      .slice(0, limit)
      .map(escalationOf);
  }

  hasDue(nowMs: number): boolean {
    return this.#due.get({ nowMs, limit: 1 }) !== undefined;
  }

  /** Attempts are counted when they begin, so that one that crashes the process counts too. */
  lease(limit: number, nowMs: number, untilMs: number): readonly (Escalation & { accountId: string })[] {
    const numbers = this.#due.all({ nowMs, limit }) as number[];
    return numbers.map((number) => {
      this.#lease.run(untilMs, number);
      const row = this.#row.get(number) as EscalationRow;
      return { ...escalationOf(row), accountId: row.account_id };
    });
  }

  /** A final outcome is never overwritten by a late one. */
  recordOutcome(id: WatchlistId, { status, error, nextMs, atMs }: SubmissionOutcome): void {
    this.#setOutcome.run({ id, status, error: error ?? null, nextMs: nextMs ?? atMs, atMs });
  }
}
