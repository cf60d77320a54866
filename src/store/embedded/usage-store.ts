/**
 * usage.db. Tables: `grant_log` (sliding windows), `window_count` (calendar windows and blocks), `tally` (requests of the day and the
 * month), `mark` (saved texts), `claim` (signatures already used). All but the claims have a bounded number of rows per counter.
 *
 * A sliding-window limit of N is exact in constant time: grant n is allowed once grant n-N has left the window, so one lookup decides, and
 * each new row replaces an old one. Windows only move forward: a request that reads the clock just before midnight and is counted just
 * after it counts for the new day. Charges and claims that arrive in the same iteration of the event loop share one transaction (group
 * commit).
 */
import { join } from 'node:path';
import { type CountedLimit, calendarWindow, dayPeriod } from '../../model/account/limit.ts';
import type { Charge, ChargeOutcome, Tally, UsageStore } from '../usage-store.ts';
import { changeDetector, type Database, openDatabase, write } from './database.ts';

/** Claims deleted per transaction, so that pruning never delays a request for long. */
const pruneBatch = 1000;
/** The tally cache is cleared when it reaches this size. */
const tallyOwnersMax = 10_000;

interface PendingWrite {
  readonly run: () => unknown;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

interface TallyRow {
  item: string;
  day_ms: number;
  today: number;
  month_ms: number;
  month: number;
}

export function openUsageStore(directory: string): UsageStore {
  return new EmbeddedUsageStore(openDatabase(join(directory, 'usage.db'), 'usage', 'normal'));
}

class EmbeddedUsageStore implements UsageStore {
  readonly #database: Database;
  readonly #statements;
  readonly #changedElsewhere: () => boolean;
  /** A cache, valid until this or another process counts anything, or the day ends. */
  readonly #tallies = new Map<string, { dayMs: number; byItem: ReadonlyMap<string, Tally> }>();
  #pending: PendingWrite[] = [];
  #flushing: Promise<void> | undefined;

  constructor(database: Database) {
    this.#database = database;
    this.#statements = prepare(database);
    this.#changedElsewhere = changeDetector(database);
  }

  charge(charge: Charge, nowMs: number): Promise<ChargeOutcome> {
    return this.#writeBatched(() => this.#charge(charge, nowMs));
  }

  async remainingOf(limits: readonly CountedLimit[], nowMs: number): Promise<readonly number[]> {
    return limits.map((limit) => this.#remainingOf(limit, nowMs));
  }

  async talliesOf(owner: string, nowMs: number): Promise<ReadonlyMap<string, Tally>> {
    if (this.#changedElsewhere() || this.#tallies.size >= tallyOwnersMax) this.#tallies.clear();
    const dayMs = calendarWindow(dayPeriod, nowMs).startMs;
    const cached = this.#tallies.get(owner);
    if (cached?.dayMs === dayMs) return cached.byItem;
    const monthMs = calendarWindow('month', nowMs).startMs;
    const rows = this.#statements.tallies.all(owner) as TallyRow[];
    const byItem = new Map(
      rows
        .filter((row) => row.month_ms >= monthMs)
        .map((row) => [row.item, { today: row.day_ms >= dayMs ? row.today : 0, month: row.month }]),
    );
    this.#tallies.set(owner, { dayMs, byItem });
    return byItem;
  }

  async findSavedText(name: string): Promise<string | undefined> {
    return this.#statements.savedText.get(name) as string | undefined;
  }

  claimOnce(id: Buffer, expiresMs: number, nowMs: number): Promise<boolean> {
    return this.#writeBatched(() => {
      this.#statements.deleteClaim.run(id, nowMs);
      return this.#statements.claim.run(id, expiresMs).changes === 1;
    });
  }

  async pruneUsage(nowMs: number): Promise<void> {
    for (;;) {
      const { changes } = await write(this.#database, () =>
        this.#statements.pruneClaims.run(nowMs, pruneBatch),
      );
      if (changes < pruneBatch) return;
    }
  }

  async close(): Promise<void> {
    await this.#flushing;
    this.#database.close();
  }

  #charge(charge: Charge, nowMs: number): ChargeOutcome {
    const refused = this.#longestWait(charge.limits, nowMs);
    if (refused) return refused;
    for (const limit of charge.limits) this.#count(limit, nowMs);
    if (charge.tally) {
      this.#statements.addToTally.run({
        ...charge.tally,
        day_ms: calendarWindow(dayPeriod, nowMs).startMs,
        month_ms: calendarWindow('month', nowMs).startMs,
      });
    }
    if (charge.savedText) this.#statements.saveText.run(charge.savedText);
    if (!charge.remainingOf) return { granted: true };
    return { granted: true, remaining: this.#remainingOf(charge.remainingOf, nowMs) };
  }

  /** The exhausted limit with the longest wait: when it has room again, so have all others. */
  #longestWait(limits: readonly CountedLimit[], nowMs: number): ChargeOutcome | undefined {
    const [longest] = limits
      .map((limit) => ({ limit, waitMs: this.#waitOf(limit, nowMs) }))
      .filter(({ waitMs }) => waitMs > 0)
      .sort((left, right) => (left.waitMs > right.waitMs ? -1 : 1));
    if (!longest) return undefined;
    const { limit: refusedBy, waitMs } = longest;
    return { granted: false, refusedBy, ...(Number.isFinite(waitMs) ? { retryAfterMs: waitMs } : {}) };
  }

  /** Milliseconds until the limit has room: 0 if it has, infinite for an exhausted block. */
  #waitOf(limit: CountedLimit, nowMs: number): number {
    const { window } = limit;
    if (limit.size < 1) return Number.POSITIVE_INFINITY;
    if (window.kind === 'sliding') {
      const last = this.#lastGrant(limit);
      const oldest = this.#statements.grantAt.get(counterOf(limit), last + 1 - limit.size) as
        | number
        | undefined;
      return oldest === undefined ? 0 : Math.max(0, oldest + window.seconds * 1000 - nowMs);
    }
    if (this.#usedOf(limit, nowMs) < limit.size) return 0;
    return window.kind === 'block'
      ? Number.POSITIVE_INFINITY
      : calendarWindow(window.period, nowMs).endMs - nowMs;
  }

  #remainingOf(limit: CountedLimit, nowMs: number): number {
    return Math.max(0, limit.size - this.#usedOf(limit, nowMs));
  }

  #usedOf(limit: CountedLimit, nowMs: number): number {
    const { window } = limit;
    if (window.kind === 'sliding') {
      return this.#statements.grantsSince.get(counterOf(limit), nowMs - window.seconds * 1000) as number;
    }
    return (
      (this.#statements.used.get(counterOf(limit), windowStart(limit, nowMs)) as number | undefined) ?? 0
    );
  }

  #count(limit: CountedLimit, nowMs: number): void {
    const counter = counterOf(limit);
    if (limit.window.kind !== 'sliding') {
      this.#statements.raise.run(counter, windowStart(limit, nowMs));
      return;
    }
    const number = this.#lastGrant(limit) + 1;
    this.#statements.insertGrant.run(counter, number, nowMs);
    this.#statements.dropGrants.run(counter, number - limit.size);
  }

  #lastGrant(limit: CountedLimit): number {
    return (this.#statements.lastGrant.get(counterOf(limit)) as number | undefined) ?? 0;
  }

  #writeBatched<Result>(run: () => Result): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#pending.push({ run, resolve: resolve as PendingWrite['resolve'], reject });
      this.#flushing ??= new Promise((done) => {
        setImmediate(() => void this.#flush().finally(done));
      });
    });
  }

  /** All pending writes go into one transaction; those that arrive meanwhile go into the next. */
  async #flush(): Promise<void> {
    while (this.#pending.length > 0) {
      const batch = this.#pending.splice(0);
      try {
        const results = await write(this.#database, () => batch.map((pending) => pending.run()));
        this.#tallies.clear();
        for (const [index, pending] of batch.entries()) pending.resolve(results[index]);
      } catch (error) {
        for (const pending of batch) pending.reject(error);
      }
    }
    this.#flushing = undefined;
  }
}

function counterOf(limit: CountedLimit): string {
  return `${limit.subject}/${limit.name}`;
}

function windowStart(limit: CountedLimit, nowMs: number): number {
  return limit.window.kind === 'calendar' ? calendarWindow(limit.window.period, nowMs).startMs : 0;
}

function prepare(database: Database) {
  return {
    lastGrant: database.prepare('select n from grant_log where counter = ? order by n desc limit 1').pluck(),
    grantAt: database.prepare('select at_ms from grant_log where counter = ? and n = ?').pluck(),
    grantsSince: database.prepare('select count(*) from grant_log where counter = ? and at_ms > ?').pluck(),
    insertGrant: database.prepare('insert into grant_log (counter, n, at_ms) values (?, ?, ?)'),
    dropGrants: database.prepare('delete from grant_log where counter = ? and n <= ?'),
    used: database.prepare('select used from window_count where counter = ? and window_ms >= ?').pluck(),
    raise: database.prepare(
      `insert into window_count (counter, window_ms, used) values (?, ?, 1)
       on conflict (counter) do update set
         used = iif(excluded.window_ms > window_ms, 1, used + 1), window_ms = max(window_ms, excluded.window_ms)`,
    ),
    tallies: database.prepare('select item, day_ms, today, month_ms, month from tally where owner = ?'),
    addToTally: database.prepare(
      `insert into tally values (:owner, :item, :day_ms, 1, :month_ms, 1)
       on conflict (owner, item) do update set
         today = iif(excluded.day_ms > day_ms, 1, today + 1), day_ms = max(day_ms, excluded.day_ms),
         month = iif(excluded.month_ms > month_ms, 1, month + 1), month_ms = max(month_ms, excluded.month_ms)`,
    ),
    savedText: database.prepare('select text from mark where name = ?').pluck(),
    saveText: database.prepare(
      'insert into mark (name, text) values (:name, :text) on conflict (name) do update set text = excluded.text',
    ),
    claim: database.prepare('insert into claim (id, expires_ms) values (?, ?) on conflict do nothing'),
    deleteClaim: database.prepare('delete from claim where id = ? and expires_ms <= ?'),
    pruneClaims: database.prepare(
      'delete from claim where id in (select id from claim where expires_ms <= ? limit ?)',
    ),
  };
}
