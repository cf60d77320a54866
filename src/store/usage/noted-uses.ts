/**
 * Who used what: uses are added up in memory and written together, so that a request costs no write of its own. What is in memory when a
 * process is killed is lost: the uses of a few seconds, and never a count that a limit depends on.
 */
import { calendarWindow, dayPeriod } from '../../model/account/limit.ts';
import { secondMs } from '../../model/durations.ts';
import type { DailyUse, KeyRefusal, KeyUse, LastUse } from '../usage-store.ts';

/** How long uses stay in memory. */
const flushAfterMs = 5 * secondMs;
/** They are written earlier when there are so many different ones. */
const pendingMax = 1000;
/** The address of a user is read at most this often. */
const addressEveryMs = secondMs;

/** Days remembered per account: the oldest goes when this many newer ones were entered, as with the windows of limits. */
export const daysKept = 40;

export interface AccountDay extends DailyUse {
  readonly accountId: string;
}

interface PendingDay extends Omit<AccountDay, 'used'> {
  used: number;
}

type PendingKey = { -readonly [Name in keyof LastUse]: LastUse[Name] };

/** Days have the uses to add; keys, by user, what is to be replaced. */
export type WriteUses = (days: readonly AccountDay[], keys: ReadonlyMap<string, LastUse>) => Promise<void>;

export class NotedUses {
  readonly #write: WriteUses;
  /** By day, account, user and item: one name of all of them would have to be put together and hashed for every request. */
  #days = new Map<number, Map<string, Map<string, Map<string, PendingDay>>>>();
  #pendingDays: PendingDay[] = [];
  #keys = new Map<string, PendingKey>();
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(write: WriteUses) {
    this.#write = write;
  }

  note({ accountId, username, item, key }: KeyUse, nowMs: number): void {
    const dayMs = calendarWindow(dayPeriod, nowMs).startMs;
    const day = this.#days.get(dayMs)?.get(accountId)?.get(username)?.get(item);
    if (day) day.used += 1;
    else this.#addPendingDay({ accountId, dayMs, username, item, used: 1 });
    if (key) this.#noteKey(key, nowMs);
    this.#flushLater();
  }

  noteRefusal(userId: string, refused: KeyRefusal): void {
    this.#pendingKey(userId).refused = refused;
    this.#flushLater();
  }

  /** One after another: who reads afterwards must find what was noted before. */
  flush(): Promise<void> {
    const before = this.#flushing;
    const flushing = before.then(() => this.#flush());
    this.#flushing = flushing.catch(() => undefined);
    return flushing;
  }

  async close(): Promise<void> {
    await this.flush();
    this.#closed = true;
  }

  #addPendingDay(day: PendingDay): void {
    const accounts = this.#days.get(day.dayMs) ?? new Map<string, Map<string, Map<string, PendingDay>>>();
    const users = accounts.get(day.accountId) ?? new Map<string, Map<string, PendingDay>>();
    const items = users.get(day.username) ?? new Map<string, PendingDay>();
    this.#days.set(day.dayMs, accounts.set(day.accountId, users.set(day.username, items.set(day.item, day))));
    this.#pendingDays.push(day);
  }

  #noteKey({ userId, client }: NonNullable<KeyUse['key']>, nowMs: number): void {
    const last = this.#pendingKey(userId);
    if (Math.abs(nowMs - (last.atMs ?? 0)) < addressEveryMs) return;
    last.atMs = nowMs;
    last.address = client.ip;
  }

  async #flush(): Promise<void> {
    if (this.#closed) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const [days, keys] = [this.#pendingDays, this.#keys];
    if (days.length === 0 && keys.size === 0) return;
    [this.#days, this.#pendingDays, this.#keys] = [new Map(), [], new Map()];
    await this.#write(days, keys);
  }

  #flushLater(): void {
    if (this.#pendingDays.length + this.#keys.size >= pendingMax) this.#flushSoon(0);
    else if (this.#timer === undefined) this.#flushSoon(flushAfterMs);
  }

  #flushSoon(afterMs: number): void {
    clearTimeout(this.#timer);
    // A write that fails, as on a full disk, loses statistics alone; no request waits for it.
    this.#timer = setTimeout(() => void this.flush().catch(() => undefined), afterMs).unref();
  }

  #pendingKey(userId: string): PendingKey {
    const known = this.#keys.get(userId);
    if (known) return known;
    const added: PendingKey = {};
    this.#keys.set(userId, added);
    return added;
  }
}
