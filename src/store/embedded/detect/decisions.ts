/** Users' decisions about domains: watching, ignoring and escalating them. */
import type {
  DomainState,
  Escalation,
  EscalationType,
  WatchlistDomain,
  WatchlistId,
} from '../../../model/detect/watchlist.ts';
import type { EscalationObstacle, EscalationOutcome } from '../../escalation-store.ts';
import type { Database } from '../database.ts';
import { Blocklists } from './blocklists.ts';
import { DomainRows } from './domain-rows.ts';
import { type EventSubject, Events } from './events.ts';
import { ListMembership } from './list-membership.ts';
import { uniqueIds } from './unique-ids.ts';

interface Actor {
  readonly username: string;
  readonly atMs: number;
}

type Found = { readonly numbers: readonly number[] } | { readonly unknownIds: readonly WatchlistId[] };

export class Decisions {
  readonly #rows: DomainRows;
  readonly #membership: ListMembership;
  readonly #events: Events;
  readonly #blocklists: Blocklists;
  readonly #newEscalationId: () => string;
  readonly #subject;
  readonly #assign;
  readonly #isEscalated;
  readonly #insert;
  readonly #setEscalated;

  constructor(database: Database) {
    this.#rows = new DomainRows(database);
    this.#membership = new ListMembership(database);
    this.#events = new Events(database);
    this.#blocklists = new Blocklists(database);
    this.#newEscalationId = uniqueIds(database, 'escalation');
    this.#subject = database.prepare('select number, id, account, name, state from domain where number = ?');
    this.#assign = database.prepare(
      'update domain set state = :state, assigned_by = :by, assigned_ms = :atMs where number = :number and state <> :state',
    );
    this.#isEscalated = database.prepare('select 1 from escalation where domain = ? and type = ?').pluck();
    this.#insert = database.prepare(
      `insert into escalation (id, account, domain, name, type, created_ms, updated_ms, created_by, submission, next_ms)
       values (:id, :account, :number, :name, :type, :atMs, :atMs, :by, :submission, :nextMs)`,
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
    for (const number of found.numbers) this.#decide(number, state, by);
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
    const escalations = found.numbers.map((number) => this.#escalateOne(number, type, by));
    if (type === 'blocked' && escalations.length > 0) this.#blocklists.raiseVersion(accountId);
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

  #escalateOne(number: number, type: EscalationType, by: Actor): Escalation {
    const { username, atMs } = by;
    this.#decide(number, 'watched', by);
    const subject = this.#subjectOf(number);
    const id = this.#newEscalationId();
    const isSubmitted = type === 'external_safe';
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
    });
    this.#setEscalated.run({ number, atMs });
    this.#events.append('escalated', subject, atMs, { type });
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

  /** A decision that changes nothing is not recorded: the earlier user stays assigned. */
  #decide(number: number, state: DomainState, { username, atMs }: Actor): void {
    const { changes } = this.#assign.run({ number, state, by: username, atMs });
    if (changes > 0) this.#membership.update(number, atMs);
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
