/**
 * Changes that affect more rows than one transaction should touch: a monitor is deleted, its exclusions change, a domain becomes an own
 * domain. The intent is durable before a sweep begins, so that the next process to open the store resumes an interrupted sweep. Sweeps are
 * idempotent, and safe to run concurrently.
 */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
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
  readonly #removeMatch;
  readonly #removeMonitor;
  readonly #updated;
  readonly #applied;
  readonly #names;
  readonly #unsweptNames;
  readonly #swept;

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
    this.#swept = database.prepare('update own_domain set swept = 1 where account = ? and name = ?');
  }

  /** Fast in the usual case, when nothing is left to do. */
  isUnfinished(): boolean {
    return this.#unfinishedMonitors.get() !== undefined || this.#unsweptAccounts.get() !== undefined;
  }

  async finish(): Promise<void> {
    const monitors = this.#unfinishedMonitors.all() as { number: number; deleted: number }[];
    for (const { number, deleted } of monitors) {
      await (deleted === 1 ? this.removeMonitor(number) : this.applySettings(number));
    }
    for (const account of this.#unsweptAccounts.all() as string[]) await this.removeOwnDomains(account);
  }

  /** Removes its matches, the domains without another match, and finally the monitor. */
  async removeMonitor(monitor: number): Promise<void> {
    const isDone = () => {
      const domains = this.#matches.all(monitor, 0, matchesMax) as number[];
      for (const domain of domains) {
        this.#removeMatch.run(domain, monitor);
        this.#membership.update(domain, this.#updatedMs(monitor));
      }
      if (domains.length === matchesMax) return false;
      this.#removeMonitor.run(monitor);
      return true;
    };
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
        if (this.#ownDomains.covers(account, name)) this.#membership.remove(number);
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
