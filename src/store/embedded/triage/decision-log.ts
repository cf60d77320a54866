/** The log of decisions: what each changed, and what that was before. */
import type { DecisionTarget, DomainState, WatchlistId } from '../../../model/detect/watchlist.ts';
import type { Actor, DecisionOfDomain, LoggedDecision } from '../../decision-store.ts';
import {
  type DecisionRow,
  decisionOf,
  decisionOfDomain,
  namesShown,
  type OfDomainRow,
} from '../../detect/triage/decision-rows.ts';
import type { Database } from '../database.ts';
import { Events } from '../detect/events.ts';
import { uniqueIds } from '../detect/unique-ids.ts';

/** A decision that is being made; it has no row before it changes something. */
export interface OpenDecision {
  readonly id: WatchlistId;
  readonly accountId: string;
  readonly target: DecisionTarget;
  readonly by: Actor;
  readonly note: string | undefined;
  /** Of its row. */
  number?: number;
}

/** What is put back when the decision is undone. */
export interface DomainBefore {
  readonly number: number;
  readonly state: DomainState;
  readonly assigned_by: string | null;
  readonly assigned_ms: number | null;
}

type NumberedRow = DecisionRow & { readonly number: number };

const rows = `select decision.*,
    (select count(*) from decided_domain where decision = decision.number) as domains,
    exists (select 1 from decided_domain left join escalation on escalation.id = escalation
      where decision = decision.number and undone = 0 and ifnull(submission, '') <> 'submitted') as can_undo
  from decision`;

export class DecisionLog {
  readonly #events: Events;
  readonly #newId: () => string;
  readonly #insert;
  readonly #insertDomain;
  readonly #find;
  readonly #page;
  readonly #pageBy;
  readonly #firstNames;
  readonly #ofDomain;

  constructor(database: Database) {
    this.#events = new Events(database);
    this.#newId = uniqueIds(database, 'decision');
    this.#insert = database.prepare(
      `insert into decision (id, account, username, at_ms, target, note)
       values (:id, :account, :username, :atMs, :target, :note)`,
    );
    this.#insertDomain = database.prepare(
      `insert into decided_domain (decision, domain, from_state, from_by, from_ms, escalation)
       values (:decision, :domain, :state, :by, :ms, :escalation)`,
    );
    this.#find = database.prepare(`${rows} where account = ? and id = ?`);
    const before =
      'decision.number < iif(:beforeId is null, 9e18, (select number from decision where account = :account and id = :beforeId))';
    const newest = 'order by decision.number desc limit :limit';
    this.#page = database.prepare(`${rows} where account = :account and ${before} ${newest}`);
    this.#pageBy = database.prepare(
      `${rows} where account = :account and username = :by and ${before} ${newest}`,
    );
    this.#firstNames = database
      .prepare(
        `select name from decided_domain join domain on domain.number = domain
         where decision = ? order by decided_domain.number limit ${namesShown}`,
      )
      .pluck();
    this.#ofDomain = database.prepare(
      `select decision.id as decisionId, username as by, at_ms as atMs, from_state as "from", target,
         iif(undone, undone_by, null) as undoneBy, undone_ms as undoneMs
       from decided_domain join decision on decision.number = decision
         join domain on domain.number = domain
       where domain.account = ? and domain.id = ? order by decided_domain.number desc limit ?`,
    );
  }

  open(accountId: string, target: DecisionTarget, by: Actor, note?: string): OpenDecision {
    return { id: this.#newId(), accountId, target, by, note };
  }

  add(decision: OpenDecision, before: DomainBefore, escalation: WatchlistId | undefined): void {
    decision.number ??= this.#insertDecision(decision);
    this.#insertDomain.run({
      decision: decision.number,
      domain: before.number,
      state: before.state,
      by: before.assigned_by,
      ms: before.assigned_ms,
      escalation: escalation ?? null,
    });
  }

  /** Notifies those who work on the same watchlist. */
  publish({ id, accountId, target, by }: OpenDecision, domainIds: readonly WatchlistId[]): void {
    if (domainIds.length === 0) return;
    this.#events.appendDecision('decided', accountId, by.atMs, {
      decisionId: id,
      by: by.username,
      target,
      domainIds,
    });
  }

  find(accountId: string, id: WatchlistId): LoggedDecision | undefined {
    const row = this.#find.get(accountId, id) as NumberedRow | undefined;
    return row && this.#decisionOf(row);
  }

  list(
    accountId: string,
    page: { readonly beforeId?: WatchlistId; readonly by?: string; readonly limit: number },
  ): readonly LoggedDecision[] {
    const values = { account: accountId, beforeId: page.beforeId ?? null, limit: page.limit };
    const found =
      page.by === undefined ? this.#page.all(values) : this.#pageBy.all({ ...values, by: page.by });
    return (found as NumberedRow[]).map((row) => this.#decisionOf(row));
  }

  listOf(accountId: string, domainId: WatchlistId, limit: number): readonly DecisionOfDomain[] {
    return (this.#ofDomain.all(accountId, domainId, limit) as OfDomainRow[]).map(decisionOfDomain);
  }

  #insertDecision({ id, accountId, target, by, note }: OpenDecision): number {
    const { lastInsertRowid } = this.#insert.run({
      id,
      account: accountId,
      username: by.username,
      atMs: by.atMs,
      target,
      note: note ?? null,
    });
    return Number(lastInsertRowid);
  }

  #decisionOf(row: NumberedRow): LoggedDecision {
    return decisionOf(row, this.#firstNames.all(row.number) as string[]);
  }
}
