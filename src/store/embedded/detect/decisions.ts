/** Users' decisions about domains: watching, ignoring and escalating them. All that change something are logged. */
import type {
  DomainState,
  Escalation,
  EscalationType,
  WatchlistDomain,
  WatchlistId,
} from '../../../model/detect/watchlist.ts';
import type { Actor } from '../../decision-store.ts';
import type { EscalationObstacle, EscalationOutcome } from '../../escalation-store.ts';
import type { Database } from '../database.ts';
import { DecisionLog, type DomainBefore, type OpenDecision } from '../triage/decision-log.ts';
import { Blocklists } from './blocklists.ts';
import { DomainRows } from './domain-rows.ts';
import { type EventSubject, Events } from './events.ts';
import { ListMembership } from './list-membership.ts';
import { uniqueIds } from './unique-ids.ts';

type Found = { readonly numbers: readonly number[] } | { readonly unknownIds: readonly WatchlistId[] };

/** What became of a domain. */
export interface Decided {
  readonly state: DomainState;
  readonly escalation: Escalation | undefined;
}

export class Decisions {
  readonly #rows: DomainRows;
  readonly #membership: ListMembership;
  readonly #events: Events;
  readonly #blocklists: Blocklists;
  readonly #log: DecisionLog;
  readonly #newEscalationId: () => string;
  readonly #subject;
  readonly #before;
  readonly #assign;
  readonly #isEscalated;
  readonly #insert;
  readonly #setEscalated;

  constructor(database: Database) {
    this.#rows = new DomainRows(database);
    this.#membership = new ListMembership(database);
    this.#events = new Events(database);
    this.#blocklists = new Blocklists(database);
    this.#log = new DecisionLog(database);
    this.#newEscalationId = uniqueIds(database, 'escalation');
    this.#subject = database.prepare('select number, id, account, name, state from domain where number = ?');
    this.#before = database.prepare(
      'select number, state, assigned_by, assigned_ms from domain where number = ?',
    );
    this.#assign = database.prepare(
      'update domain set state = :state, assigned_by = :by, assigned_ms = :atMs where number = :number',
    );
    this.#isEscalated = database.prepare('select 1 from escalation where domain = ? and type = ?').pluck();
    this.#insert = database.prepare(
      `insert into escalation (id, account, domain, name, type, created_ms, updated_ms, created_by, submission, next_ms, event)
       values (:id, :account, :number, :name, :type, :atMs, :atMs, :by, :submission, :nextMs, :event)`,
    );
    this.#setEscalated = database.prepare(
      'update domain set escalated_ms = max(ifnull(escalated_ms, :atMs), :atMs) where number = :number',
    );
  }

  triage(
    accountId: string,
    ids: readonly WatchlistId[],
    state: Extract<DomainState, 'watched' | 'ignored'>,
    by: Actor,
  ): { domains: readonly WatchlistDomain[] } | { unknownIds: readonly WatchlistId[] } {
    const found = this.#find(accountId, ids);
    if ('unknownIds' in found) return found;
    const decision = this.#log.open(accountId, state, by);
    const changed = found.numbers.filter((number) => this.decide(decision, number) !== undefined);
    this.finish(
      decision,
      changed.map((number) => this.#subjectOf(number).id),
    );
    return { domains: found.numbers.map((number) => this.#rows.get(number)) };
  }

  escalate(
    accountId: string,
    ids: readonly WatchlistId[],
    type: EscalationType,
    by: Actor,
  ): EscalationOutcome {
    const found = this.#findEscalatable(accountId, ids, type);
    if ('outcome' in found) return found;
    const decision = this.#log.open(accountId, type, by);
    const escalations = found.numbers.flatMap((number) => this.decide(decision, number)?.escalation ?? []);
    this.finish(
      decision,
      escalations.map(({ domainId }) => domainId),
    );
    return { outcome: 'escalated', escalations };
  }

  findEscalationObstacle(
    accountId: string,
    ids: readonly WatchlistId[],
    type: EscalationType,
  ): EscalationObstacle | undefined {
    const found = this.#findEscalatable(accountId, ids, type);
    return 'outcome' in found ? found : undefined;
  }

  /** Undefined if it changes nothing: that is not recorded, and the earlier user stays assigned. */
  decide(decision: OpenDecision, number: number): Decided | undefined {
    const { target, by } = decision;
    const before = this.#before.get(number) as DomainBefore;
    if (target === 'watched' || target === 'ignored') {
      if (before.state === target) return undefined;
      this.#setState(before, target, by);
      this.#log.add(decision, before, undefined);
      return { state: target, escalation: undefined };
    }
    if (this.#isEscalated.get(number, target) !== undefined) return undefined;
    this.#setState(before, 'watched', by);
    const escalation = this.#insertEscalation(number, target, by);
    this.#log.add(decision, before, escalation.id);
    return { state: 'watched', escalation };
  }

  /** After the domains of one transaction. */
  finish(decision: OpenDecision, changedIds: readonly WatchlistId[]): void {
    if (changedIds.length === 0) return;
    if (decision.target === 'blocked') this.#blocklists.raiseVersion(decision.accountId);
    this.#log.publish(decision, changedIds);
  }

  #findEscalatable(
    accountId: string,
    ids: readonly WatchlistId[],
    type: EscalationType,
  ): { readonly numbers: readonly number[] } | EscalationObstacle {
    const found = this.#find(accountId, ids);
    if ('unknownIds' in found) return { outcome: 'unknown-ids', ids: found.unknownIds };
    const again = found.numbers.filter((number) => this.#isEscalated.get(number, type) !== undefined);
    if (again.length === 0) return found;
    return { outcome: 'already-escalated', ids: again.map((number) => this.#subjectOf(number).id) };
  }

  #insertEscalation(number: number, type: EscalationType, { username, atMs }: Actor): Escalation {
    const subject = this.#subjectOf(number);
    const id = this.#newEscalationId();
    const isSubmitted = type === 'external_safe';
    const event = this.#events.append('escalated', subject, atMs, { type });
    this.#insert.run({
      id,
      account: subject.account,
      number,
      name: subject.name,
      type,
      atMs,
      by: username,
      submission: isSubmitted ? 'waiting' : null,
      nextMs: isSubmitted ? atMs : null,
      event: event ?? null,
    });
    this.#setEscalated.run({ number, atMs });
    return {
      id,
      domainId: subject.id,
      domain: subject.name,
      type,
      createdMs: atMs,
      updatedMs: atMs,
      createdBy: username,
      submission: isSubmitted ? { status: 'waiting', attempts: 0, error: undefined } : undefined,
    };
  }

  #setState({ number, state: from }: DomainBefore, state: DomainState, { username, atMs }: Actor): void {
    if (state === from) return;
    this.#assign.run({ number, state, by: username, atMs });
    this.#membership.update(number, atMs);
  }

  /** Without duplicates, in the order of the request. */
  #find(accountId: string, ids: readonly WatchlistId[]): Found {
    const numbers: number[] = [];
    const unknownIds: WatchlistId[] = [];
    for (const id of new Set(ids)) {
      const number = this.#rows.findNumber(accountId, id);
      if (number === undefined) unknownIds.push(id);
      else numbers.push(number);
    }
    return unknownIds.length > 0 ? { unknownIds } : { numbers };
  }

  #subjectOf(number: number): EventSubject {
    return this.#subject.get(number) as EventSubject;
  }
}
