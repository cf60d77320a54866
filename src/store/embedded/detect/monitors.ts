/** Rows of monitors. A monitor that is being deleted is treated as missing. */
import type { Monitor, MonitorSettings, WatchlistId } from '../../../model/detect/watchlist.ts';
import { changedMonitor, declaredText, type MonitorRow, monitorOf } from '../../detect/rows/monitor-rows.ts';
import type {
  ActiveMonitor,
  MatchCounts,
  MonitorChange,
  MonitorDeletion,
  SearchProgress,
} from '../../monitor-store.ts';
import type { Database } from '../database.ts';
import { Counters } from './counters.ts';
import { uniqueIds } from './unique-ids.ts';

/** With the name that the column has elsewhere. */
export const monitorColumns = 'monitor.*, account as account_id';

export class Monitors {
  readonly #counters: Counters;
  readonly #newId: () => string;
  readonly #find;
  readonly #active;
  readonly #insert;
  readonly #update;
  readonly #setProgress;
  readonly #delete;
  readonly #countMatches;

  constructor(database: Database) {
    this.#counters = new Counters(database);
    this.#newId = uniqueIds(database, 'monitor');
    this.#find = database.prepare(
      `select ${monitorColumns} from monitor where account = ? and id = ? and deleted = 0`,
    );
    this.#active = database.prepare(
      `select ${monitorColumns} from monitor where number > ? and state = 'active' and deleted = 0 order by number limit ?`,
    );
    this.#insert = database.prepare(
      `insert into monitor (id, account, term, substring_variations, nameserver_exclusions, text_exclusions,
         state, status, created_by, created_ms, updated_ms, applied_ms, passive_only)
       values (:id, :account, :term, :variations, :nameservers, :texts, 'active', 'pending', :by, :atMs, :atMs, :atMs,
         :passiveOnly)`,
    );
    this.#update = database.prepare(
      `update monitor set substring_variations = :variations, nameserver_exclusions = :nameservers,
         text_exclusions = :texts, state = :state, status = :status, updated_ms = :updatedMs,
         searched_names = :names, searched_of = :ofNames, declared = :declared, passive_only = :passiveOnly,
         applied_ms = iif(:sameMatches and applied_ms = updated_ms, :updatedMs, applied_ms)
       where number = :number`,
    );
    this.#setProgress = database.prepare(
      `update monitor set searched_names = :names, searched_of = :ofNames, status = iif(:done, 'completed', status)
       where account = :account and id = :id and deleted = 0 and status = 'pending' and updated_ms = :updatedMs`,
    );
    this.#delete = database.prepare(
      `update monitor set deleted = 1, forgotten = :forgotten, unblocked = :unblocked,
         updated_ms = max(updated_ms, :unblockedMs) where number = :number`,
    );
    this.#countMatches = database.prepare(
      `select count(*) as domains, ifnull(sum(alone), 0) as removed,
         ifnull(sum(alone and state <> 'new'), 0) as remembered, ifnull(sum(alone and blocked), 0) as blocked
       from (
         select domain.state as state,
           not exists (select 1 from monitor_match as other
             where other.domain = domain.number and other.monitor <> :monitor) as alone,
           exists (select 1 from escalation where escalation.domain = domain.number and type = 'blocked') as blocked
         from monitor_match join domain on domain.number = monitor_match.domain
         where monitor_match.monitor = :monitor)`,
    );
  }

  find(accountId: string, id: WatchlistId): Monitor | undefined {
    const row = this.#findRow(accountId, id);
    return row && monitorOf(row);
  }

  findNumber(accountId: string, id: WatchlistId): number | undefined {
    return this.#findRow(accountId, id)?.number;
  }

  /** A page of the active monitors of all accounts, and the cursor of the next page. */
  listActive(after: number, limit: number): { monitors: ActiveMonitor[]; next: number | undefined } {
    const rows = this.#active.all(after, limit) as MonitorRow[];
    return {
      monitors: rows.map((row) => ({ accountId: row.account_id, monitor: monitorOf(row) })),
      next: rows.length < limit ? undefined : rows.at(-1)?.number,
    };
  }

  create(accountId: string, settings: MonitorSettings, by: { username: string; atMs: number }): Monitor {
    const id = this.#newId();
    this.#insert.run({
      id,
      account: accountId,
      term: settings.term,
      variations: settings.matchSubstringVariations ? 1 : 0,
      nameservers: JSON.stringify(settings.nameserverExclusions),
      texts: JSON.stringify(settings.textExclusions),
      passiveOnly: settings.passiveOnly ? 1 : 0,
      by: by.username,
      atMs: by.atMs,
    });
    this.#counters.raise('monitors');
    return this.find(accountId, id) as Monitor;
  }

  /** A sweep must re-evaluate its matches afterwards, unless the change does not affect them. */
  update(accountId: string, id: WatchlistId, change: MonitorChange, atMs: number): number | undefined {
    const row = this.#findRow(accountId, id);
    if (!row) return undefined;
    const { after, sameMatches } = changedMonitor(monitorOf(row), change, atMs);
    this.#update.run({
      number: row.number,
      variations: after.matchSubstringVariations ? 1 : 0,
      nameservers: JSON.stringify(after.nameserverExclusions),
      texts: JSON.stringify(after.textExclusions),
      state: after.state,
      status: after.status,
      ...after.searched,
      declared: declaredText(after),
      passiveOnly: after.passiveOnly ? 1 : 0,
      updatedMs: after.updatedMs,
      sameMatches: sameMatches ? 1 : 0,
    });
    this.#counters.raise('monitors');
    return row.number;
  }

  recordSearchProgress(accountId: string, id: WatchlistId, progress: SearchProgress): void {
    const { names, ofNames, done, updatedMs } = progress;
    this.#setProgress.run({ account: accountId, id, names, ofNames, done: done ? 1 : 0, updatedMs });
  }

  /** Takes effect immediately; a sweep must remove its matches afterwards. */
  delete(accountId: string, id: WatchlistId, deletion: MonitorDeletion): number | undefined {
    const number = this.findNumber(accountId, id);
    if (number === undefined) return undefined;
    const { forget = false, unblockedMs } = deletion;
    const unblocked = unblockedMs === undefined ? 0 : 1;
    this.#delete.run({ number, forgotten: forget ? 1 : 0, unblocked, unblockedMs: unblockedMs ?? 0 });
    this.#counters.raise('monitors');
    return number;
  }

  countMatches(accountId: string, id: WatchlistId): MatchCounts | undefined {
    const monitor = this.findNumber(accountId, id);
    if (monitor === undefined) return undefined;
    const { domains, ...alone } = this.#countMatches.get({ monitor }) as MatchCounts['alone'] & {
      domains: number;
    };
    return { domains, alone };
  }

  #findRow(accountId: string, id: WatchlistId): MonitorRow | undefined {
    return this.#find.get(accountId, id) as MonitorRow | undefined;
  }
}
