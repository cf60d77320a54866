/** Puts one domain back into the state it was in before a decision, and withdraws the escalation that the decision made. */
import type { DomainState, EscalationType } from '../../../model/detect/watchlist.ts';
import type { ChangedDomain, KeptDomain } from '../../decision-store.ts';
import { type MadeEscalation, whyNotWithdrawn } from '../../detect/triage/decision-rows.ts';
import type { Database } from '../database.ts';
import { type EventSubject, Events } from '../detect/events.ts';
import { ListMembership } from '../detect/list-membership.ts';

/** What a decision changed. */
export interface DecidedRow {
  /** In the log. */
  readonly number: number;
  readonly domain: number;
  readonly from_state: DomainState;
  readonly from_by: string | null;
  readonly from_ms: number | null;
  readonly escalation: string | null;
}

export type Restored = KeptDomain | (ChangedDomain & { readonly withdrawn: EscalationType | undefined });

export class DomainRestorer {
  readonly #events: Events;
  readonly #membership: ListMembership;
  readonly #isDecidedSince;
  readonly #escalation;
  readonly #removeEscalation;
  readonly #subject;
  readonly #restore;
  readonly #setUndone;

  constructor(database: Database) {
    this.#events = new Events(database);
    this.#membership = new ListMembership(database);
    this.#isDecidedSince = database
      .prepare('select 1 from decided_domain where domain = ? and number > ? and undone = 0')
      .pluck();
    this.#escalation = database.prepare(
      'select id, type, submission, attempts, event from escalation where id = ?',
    );
    this.#removeEscalation = database.prepare('delete from escalation where id = ?');
    this.#subject = database.prepare('select number, id, account, name, state from domain where number = ?');
    this.#restore = database.prepare(
      `update domain set state = :state, assigned_by = :by, assigned_ms = :ms,
         escalated_ms = (select max(created_ms) from escalation where domain = :number)
       where number = :number`,
    );
    this.#setUndone = database.prepare('update decided_domain set undone = 1 where number = ?');
  }

  restore(row: DecidedRow, atMs: number): Restored {
    const subject = this.#subject.get(row.domain) as EventSubject;
    const { id, name: domain, state: from } = subject;
    if (this.#isDecidedSince.get(row.domain, row.number) !== undefined) return { id, why: 'decided' };
    const escalation = this.#escalation.get(row.escalation) as MadeEscalation | undefined;
    const whyKept = escalation && whyNotWithdrawn(escalation);
    if (whyKept) return { id, why: whyKept };
    if (escalation) this.#withdraw(escalation, subject, atMs);
    const to = row.from_state;
    this.#restore.run({ number: row.domain, state: to, by: row.from_by, ms: row.from_ms });
    this.#membership.update(row.domain, atMs);
    this.#setUndone.run(row.number);
    return { id, domain, from, to, withdrawn: escalation?.type };
  }

  #withdraw({ id, type, event }: MadeEscalation, subject: EventSubject, atMs: number): void {
    this.#removeEscalation.run(id);
    this.#events.appendWithdrawal(subject, atMs, { type, event: event ?? undefined });
  }
}
