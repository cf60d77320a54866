/**
 * Changes that affect more rows than one transaction should touch: a monitor is deleted, its exclusions change, a domain becomes an own
 * domain. The intent is durable before a sweep begins, so that the next process to open the store resumes an interrupted sweep. Sweeps are
 * idempotent, and safe to run concurrently.
 */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { DomainState } from '../../../model/detect/watchlist.ts';
import { unmatchedKeptMs } from '../../detect/rows/domain-rows.ts';
import type { DeletedMonitor } from '../../monitor-store.ts';
import { type Database, write } from '../database.ts';
import { ListMembership } from './list-membership.ts';
import { OwnDomains } from './own-domains.ts';

/** Rows per transaction: other writers wait some milliseconds for it. */
const matchesMax = 250;
const namesMax = 2500;

interface NamedRow {
  readonly number: number;
  readonly name: string;
}

export class Sweeps {
  readonly #database: Database;
  readonly #membership: ListMembership;
  readonly #ownDomains: OwnDomains;
  readonly #unfinishedMonitors;
  readonly #unsweptAccounts;
  readonly #matches;
  readonly #deletion;
  readonly #domain;
  readonly #isBlocked;
  readonly #removeMatch;
  readonly #removeMonitor;
  readonly #updated;
  readonly #applied;
  readonly #names;
  readonly #unsweptNames;
  readonly #swept;
  readonly #hasUnscheduled;
  readonly #schedulePurge;
  readonly #purge;

  constructor(database: Database) {
    this.#database = database;
    this.#membership = new ListMembership(database);
    this.#ownDomains = new OwnDomains(database);
    this.#unfinishedMonitors = database.prepare(
      'select number, deleted from monitor where deleted = 1 or applied_ms < updated_ms',
    );
    this.#unsweptAccounts = database
      .prepare('select distinct account from own_domain where swept = 0')
      .pluck();
    this.#matches = database
      .prepare('select domain from monitor_match where monitor = ? and domain > ? order by domain limit ?')
      .pluck();
    this.#deletion = database.prepare('select forgotten, unblocked from monitor where number = ?');
    this.#domain = database.prepare('select state, matched from domain where number = ?');
    this.#isBlocked = database
      .prepare("select 1 from escalation where domain = ? and type = 'blocked'")
      .pluck();
    this.#removeMatch = database.prepare('delete from monitor_match where domain = ? and monitor = ?');
    this.#removeMonitor = database.prepare('delete from monitor where number = ? and deleted = 1');
    this.#updated = database.prepare('select updated_ms from monitor where number = ?').pluck();
    this.#applied = database.prepare('update monitor set applied_ms = max(applied_ms, ?) where number = ?');
    this.#names = database.prepare(
      'select number, name from domain where account = ? and name > ? order by name limit ?',
    );
    this.#unsweptNames = database
      .prepare('select name from own_domain where account = ? and swept = 0')
      .pluck();
    const undecided =
      "matched = 0 and state = 'new' and not exists (select 1 from note where note.domain = domain.number)";
    // Polled every minute, so the write lock is taken only if something is due.
    this.#hasUnscheduled = database
      .prepare(`select 1 from domain where ${undecided} and (purge_ms is null or purge_ms <= ?) limit 1`)
      .pluck();
    this.#schedulePurge = database.prepare(
      `update domain set purge_ms = ? where number in (
         select number from domain where ${undecided} and purge_ms is null limit ?)`,
    );
    this.#purge = database.prepare(
      `delete from domain where number in (select number from domain where ${undecided} and purge_ms <= ? limit ?)`,
    );
    this.#swept = database.prepare('update own_domain set swept = 1 where account = ? and name = ?');
  }

  /** Fast in the usual case, when nothing is left to do. */
  isUnfinished(): boolean {
    return this.#unfinishedMonitors.get() !== undefined || this.#unsweptAccounts.get() !== undefined;
  }

  async finish(): Promise<void> {
    const monitors = this.#unfinishedMonitors.all() as { number: number; deleted: number }[];
    for (const { number, deleted } of monitors) {
      if (deleted === 1) await this.removeMonitor(number);
      else await this.applySettings(number);
    }
    for (const account of this.#unsweptAccounts.all() as string[]) await this.removeOwnDomains(account);
  }

  /** Removes its matches, takes domains without another match off the lists, and finally removes the monitor. */
  async removeMonitor(monitor: number): Promise<DeletedMonitor> {
    const counts = { removed: 0, remembered: 0, blocked: 0 };
    // A transaction that has to be repeated must not count twice.
    let step = counts;
    const isDone = () => {
      step = { ...counts };
      const domains = this.#matches.all(monitor, 0, matchesMax) as number[];
      for (const domain of domains) this.#removeFrom(monitor, domain, step);
      if (domains.length === matchesMax) return false;
      this.#removeMonitor.run(monitor);
      return true;
    };
    for (;;) {
      const done = await write(this.#database, isDone);
      Object.assign(counts, step);
      if (done) return counts;
      await yieldToEventLoop();
    }
  }

  #removeFrom(monitor: number, domain: number, counts: Record<keyof DeletedMonitor, number>): void {
    this.#removeMatch.run(domain, monitor);
    this.#membership.update(domain, this.#updatedMs(monitor));
    const { state, matched } = this.#domain.get(domain) as { state: DomainState; matched: number };
    if (matched === 1) return;
    counts.removed += 1;
    const { forgotten, unblocked } = this.#deletion.get(monitor) as { forgotten: number; unblocked: number };
    if (forgotten === 1) {
      this.#membership.forget(domain);
      return;
    }
    if (unblocked === 1) this.#membership.unblock(domain, this.#updatedMs(monitor));
    if (state !== 'new') counts.remembered += 1;
    if (this.#isBlocked.get(domain) !== undefined) counts.blocked += 1;
  }

  /**
   * Deletes the rows of undecided domains without notes that no monitor has matched for a while. Not at once: pages of a list that was begun earlier
   * still show them, and their row number must not become that of another domain.
   */
  async pruneUnmatched(nowMs: number): Promise<void> {
    const isDone = () => {
      const { changes: scheduled } = this.#schedulePurge.run(nowMs + unmatchedKeptMs, matchesMax);
      const { changes: purged } = this.#purge.run(nowMs, matchesMax);
      return scheduled < matchesMax && purged < matchesMax;
    };
    if (this.#hasUnscheduled.get(nowMs) === undefined) return;
    while (!(await write(this.#database, isDone))) await yieldToEventLoop();
  }

  /** Each step applies the current settings. A concurrent change of the settings starts its own sweep. */
  async applySettings(monitor: number): Promise<void> {
    const settingsOf = this.#updated.get(monitor) as number | undefined;
    if (settingsOf === undefined) return;
    let after = 0;
    const isDone = () => {
      const domains = this.#matches.all(monitor, after, matchesMax) as number[];
      for (const domain of domains) this.#membership.update(domain, this.#updatedMs(monitor));
      after = domains.at(-1) ?? after;
      if (domains.length === matchesMax) return false;
      this.#applied.run(settingsOf, monitor);
      return true;
    };
    while (!(await write(this.#database, isDone))) await yieldToEventLoop();
  }

  /** Takes own domains off the account's lists. */
  async removeOwnDomains(account: string): Promise<void> {
    const sweeping = this.#unsweptNames.all(account) as string[];
    if (sweeping.length === 0) return;
    let after = '';
    const isDone = () => {
      const domains = this.#names.all(account, after, namesMax) as NamedRow[];
      for (const { number, name } of domains) {
        if (this.#ownDomains.covers(account, name)) this.#membership.forget(number);
      }
      after = domains.at(-1)?.name ?? after;
      if (domains.length === namesMax) return false;
      for (const name of sweeping) this.#swept.run(account, name);
      return true;
    };
    while (!(await write(this.#database, isDone))) await yieldToEventLoop();
  }

  #updatedMs(monitor: number): number {
    return (this.#updated.get(monitor) as number | undefined) ?? 0;
  }
}
