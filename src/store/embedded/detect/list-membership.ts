/**
 * Whether a domain is on a list, recomputed whenever something it depends on changes: its matches, their exclusions, its monitors, its
 * state.
 */
import { type MatchRow, type MemberRow, membershipOf } from '../../detect/rows/membership.ts';
import type { Database } from '../database.ts';
import { Blocklists } from './blocklists.ts';
import { type EventSubject, Events } from './events.ts';

type DomainRow = EventSubject & MemberRow;

export class ListMembership {
  readonly #events: Events;
  readonly #blocklists: Blocklists;
  readonly #domain;
  readonly #matches;
  readonly #putMatch;
  readonly #putDomain;
  readonly #unlist;
  readonly #removeMatches;
  readonly #removeEscalations;
  readonly #removeDecided;
  readonly #forget;
  readonly #block;
  readonly #removeBlock;
  readonly #latestEscalation;

  constructor(database: Database) {
    this.#events = new Events(database);
    this.#blocklists = new Blocklists(database);
    this.#domain = database.prepare(
      `select number, id, account, name, unicode, state, name_servers, listed, announced
       from domain where number = ?`,
    );
    this.#matches = database.prepare(
      `select monitor, excluded, named, state = 'active' as active, deleted, nameserver_exclusions, text_exclusions
       from monitor_match join monitor on number = monitor where domain = ?`,
    );
    this.#putMatch = database.prepare(
      'update monitor_match set excluded = ?, named = ? where domain = ? and monitor = ?',
    );
    this.#putDomain = database.prepare('update domain set listed = ?, announced = ? where number = ?');
    // If it is found again undecided, that is a discovery again.
    this.#unlist = database.prepare(
      "update domain set listed = 0, matched = 0, announced = iif(state = 'new', 0, announced) where number = ?",
    );
    this.#removeMatches = database.prepare('delete from monitor_match where domain = ?');
    this.#removeEscalations = database.prepare('delete from escalation where domain = ?');
    this.#block = database.prepare("select event from escalation where domain = ? and type = 'blocked'");
    this.#removeBlock = database.prepare("delete from escalation where domain = ? and type = 'blocked'");
    this.#latestEscalation = database.prepare(
      `update domain set escalated_ms = (select max(created_ms) from escalation where escalation.domain = domain.number)
       where number = ?`,
    );
    this.#removeDecided = database.prepare('delete from decided_domain where domain = ?');
    this.#forget = database.prepare(
      `update domain set state = 'new', listed = 0, matched = 0, announced = 0, assigned_by = null, assigned_ms = null,
         escalated_ms = null where number = ?`,
    );
  }

  /** Returns whether the domain is listed. The first time it is listed as new, a `discovered` event is appended. */
  update(number: number, atMs: number): boolean {
    const domain = this.#domain.get(number) as DomainRow;
    const matches = this.#matches.all(number) as MatchRow[];
    if (matches.length === 0) {
      this.#unlist.run(number);
      return false;
    }
    const { listed, announces, isChanged, changedMatches } = membershipOf(domain, matches);
    for (const { monitor, excluded, named } of changedMatches)
      this.#putMatch.run(Number(excluded), Number(named), number, monitor);
    if (isChanged) this.#putDomain.run(Number(listed), announces ? 1 : domain.announced, number);
    if (announces) this.#events.append('discovered', domain, atMs);
    return listed;
  }

  /** Takes a domain off the blocklist; what else was decided about it stays. */
  unblock(number: number, atMs: number): void {
    const block = this.#block.get(number) as { event: number | null } | undefined;
    if (!block) return;
    this.#blocklists.raiseVersionFor(number);
    this.#removeBlock.run(number);
    this.#latestEscalation.run(number);
    const subject = this.#domain.get(number) as DomainRow;
    this.#events.appendWithdrawal(subject, atMs, { type: 'blocked', event: block.event ?? undefined });
  }

  /** Takes a domain off all lists, and with it every decision: also off the blocklist. */
  forget(number: number): void {
    this.#blocklists.raiseVersionFor(number);
    this.#removeMatches.run(number);
    this.#removeEscalations.run(number);
    this.#removeDecided.run(number);
    this.#forget.run(number);
  }
}
