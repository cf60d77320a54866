/**
 * usage.db. Tables: `grant_log` (sliding windows), `window_count` (calendar windows and blocks), `bucket` (token buckets), `tally` (requests of the day and the
 * month), `daily_use` and `key_use` (statistics), `mark` (saved texts), `claim` (signatures already used). All but the claims have a bounded number of rows per counter.
 *
 * Charges and claims that arrive in the same iteration of the event loop share one transaction (group commit). What holds when the clock
 * is set is in docs/decisions/0040-clock-steps.md.
 */
import { join } from 'node:path';
import { GroupedCalls } from '../../concurrency/grouped-calls.ts';
import { type CountedLimit, calendarWindow, dayPeriod } from '../../model/account/limit.ts';
import type {
  Charge,
  ChargeOutcome,
  Claim,
  DailyUse,
  KeyRefusal,
  KeyUse,
  LastUse,
  Tally,
  UsageStore,
} from '../usage-store.ts';
import { changeDetector, type Database, openDatabase, write } from './database.ts';
import { Buckets } from './usage/buckets.ts';
import { Claims } from './usage/claims.ts';
import { GrantLog } from './usage/grant-log.ts';
import { KeyUses } from './usage/key-uses.ts';
import { WindowCounts } from './usage/window-counts.ts';

/** The tally cache is cleared when it reaches this size. */
const tallyOwnersMax = 10_000;

/** `monotonicMs` is a clock that nobody sets. */
export function openUsageStore(directory: string, monotonicMs = () => performance.now()): UsageStore {
  return new EmbeddedUsageStore(openDatabase(join(directory, 'usage.db'), 'usage', 'normal'), monotonicMs);
}

class EmbeddedUsageStore implements UsageStore {
  readonly #database: Database;
  readonly #grants: GrantLog;
  readonly #windows: WindowCounts;
  readonly #buckets: Buckets;
  readonly #claims: Claims;
  readonly #uses: KeyUses;
  readonly #savedText;
  readonly #saveText;
  readonly #changedElsewhere: () => boolean;
  /** A cache, valid until this or another process counts anything, or the day ends. */
  readonly #tallies = new Map<string, { dayMs: number; byItem: ReadonlyMap<string, Tally> }>();
  readonly #writes: GroupedCalls<() => unknown, unknown>;

  constructor(database: Database, monotonicMs: () => number) {
    this.#database = database;
    this.#grants = new GrantLog(database);
    this.#windows = new WindowCounts(database);
    this.#buckets = new Buckets(database);
    this.#claims = new Claims(database, monotonicMs);
    this.#uses = new KeyUses(database);
    this.#savedText = database.prepare('select text from mark where name = ?').pluck();
    this.#saveText = database.prepare(
      'insert into mark (name, text) values (:name, :text) on conflict (name) do update set text = excluded.text',
    );
    this.#changedElsewhere = changeDetector(database);
    this.#writes = new GroupedCalls(async (group) => {
      const results = await write(database, () => this.#runTogether(group));
      this.#tallies.clear();
      return results;
    });
  }

  charge(charge: Charge, nowMs: number): Promise<ChargeOutcome> {
    return this.#writeBatched(() => this.#charge(charge, nowMs));
  }

  async remainingOf(limits: readonly CountedLimit[], nowMs: number): Promise<readonly number[]> {
    return limits.map((limit) => this.#remainingOf(limit, nowMs));
  }

  async talliesOf(owner: string, nowMs: number): Promise<ReadonlyMap<string, Tally>> {
    return this.talliesOfSync(owner, nowMs);
  }

  talliesOfSync(owner: string, nowMs: number): ReadonlyMap<string, Tally> {
    if (this.#changedElsewhere() || this.#tallies.size >= tallyOwnersMax) this.#tallies.clear();
    const dayMs = calendarWindow(dayPeriod, nowMs).startMs;
    const cached = this.#tallies.get(owner);
    if (cached?.dayMs === dayMs) return cached.byItem;
    const byItem = this.#windows.talliesOf(owner, nowMs);
    this.#tallies.set(owner, { dayMs, byItem });
    return byItem;
  }

  async findSavedText(name: string): Promise<string | undefined> {
    return this.#savedText.get(name) as string | undefined;
  }

  claim(claims: readonly Claim[], expiresMs: number, nowMs: number): Promise<boolean> {
    return this.#writeBatched(() => this.#claims.claim(claims, expiresMs, nowMs));
  }

  releaseClaims(ids: readonly Buffer[]): Promise<void> {
    return this.#writeBatched(() => this.#claims.release(ids));
  }

  noteUse(use: KeyUse, nowMs: number): void {
    this.#uses.note(use, nowMs);
  }

  noteRefusal(userId: string, refusal: KeyRefusal): void {
    this.#uses.noteRefusal(userId, refusal);
  }

  dailyUses(accountId: string, fromMs: number): Promise<readonly DailyUse[]> {
    return this.#uses.dailyUses(accountId, fromMs);
  }

  lastUses(userIds: readonly string[]): Promise<ReadonlyMap<string, LastUse>> {
    return this.#uses.lastUses(userIds);
  }

  pruneUsage(nowMs: number): Promise<void> {
    return this.#claims.prune(nowMs);
  }

  async close(): Promise<void> {
    await this.#writes.finish();
    await this.#uses.close();
    this.#database.close();
  }

  #runTogether(group: readonly (() => unknown)[]): readonly unknown[] {
    this.#grants.begin();
    this.#windows.begin();
    const results = group.map((run) => run());
    this.#windows.writeTallies();
    return results;
  }

  #charge(charge: Charge, nowMs: number): ChargeOutcome {
    const refused = this.#longestWait(charge.limits, nowMs);
    if (refused) return refused;
    for (const limit of charge.limits) this.#count(limit, nowMs);
    if (charge.tally) this.#windows.countTally(charge.tally, nowMs);
    if (charge.savedText) this.#saveText.run(charge.savedText);
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
    const { amount = 1 } = limit;
    if (limit.size < amount) return Number.POSITIVE_INFINITY;
    if (window.kind === 'sliding') return this.#grants.waitMs(limit, window.seconds * 1000, nowMs);
    if (window.kind === 'bucket') return this.#buckets.waitMs(limit, window.perSecond, nowMs);
    if (this.#usedOf(limit, nowMs) + amount <= limit.size) return 0;
    return window.kind === 'block'
      ? Number.POSITIVE_INFINITY
      : calendarWindow(window.period, nowMs).endMs - nowMs;
  }

  #remainingOf(limit: CountedLimit, nowMs: number): number {
    return Math.max(0, limit.size - this.#usedOf(limit, nowMs));
  }

  #usedOf(limit: CountedLimit, nowMs: number): number {
    const { window } = limit;
    if (window.kind === 'sliding') return this.#grants.usedOf(limit, window.seconds * 1000, nowMs);
    if (window.kind === 'bucket') return this.#buckets.usedOf(limit, window.perSecond, nowMs);
    return this.#windows.usedOf(limit, nowMs);
  }

  #count(limit: CountedLimit, nowMs: number): void {
    const { window } = limit;
    if (window.kind === 'sliding') this.#grants.count(limit, nowMs);
    else if (window.kind === 'bucket') this.#buckets.count(limit, window.perSecond, nowMs);
    else this.#windows.count(limit, nowMs);
  }

  #writeBatched<Result>(run: () => Result): Promise<Result> {
    return this.#writes.call(run) as Promise<Result>;
  }
}
