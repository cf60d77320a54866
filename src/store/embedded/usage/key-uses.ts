/**
 * Who used what: the tables `daily_use` and `key_use`. Uses are added up in memory and written together, so that a request costs no write
 * of its own. What is in memory when a process is killed is lost: the uses of a few seconds, and never a count that a limit depends on.
 */
import { yieldIfIterationIsFull } from '../../../concurrency/event-loop-slices.ts';
import { calendarWindow, dayPeriod } from '../../../model/account/limit.ts';
import { secondMs } from '../../../model/durations.ts';
import type { DailyUse, KeyRefusal, KeyUse, LastUse } from '../../usage-store.ts';
import { type Database, write } from '../database.ts';

/** How long uses stay in memory. */
const flushAfterMs = 5 * secondMs;
/** They are written earlier when there are so many different ones. */
const pendingMax = 1000;
/** The address of a user is read at most this often. */
const addressEveryMs = secondMs;
/** Days remembered per account: the oldest goes when this many newer ones were entered, as with the windows of limits. */
const daysKept = 40;

interface PendingDay extends Pick<DailyUse, 'username' | 'item' | 'dayMs'> {
  readonly accountId: string;
  used: number;
}

type PendingKey = { -readonly [Name in keyof LastUse]: LastUse[Name] };

interface KeyRow {
  user_id: string;
  at_ms: number | null;
  address: string | null;
  refused_ms: number | null;
  refused_address: string | null;
  refused_why: KeyRefusal['why'] | null;
}

export class KeyUses {
  readonly #database: Database;
  readonly #statements;
  /** By day, account, user and item: one name of all of them would have to be put together and hashed for every request. */
  #days = new Map<number, Map<string, Map<string, Map<string, PendingDay>>>>();
  #pendingDays: PendingDay[] = [];
  #keys = new Map<string, PendingKey>();
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(database: Database) {
    this.#database = database;
    this.#statements = prepare(database);
  }

  note({ accountId, username, item, key }: KeyUse, nowMs: number): void {
    const dayMs = calendarWindow(dayPeriod, nowMs).startMs;
    const day = this.#days.get(dayMs)?.get(accountId)?.get(username)?.get(item);
    if (day) day.used += 1;
    else this.#addPendingDay({ accountId, dayMs, username, item, used: 1 });
    if (key) this.#noteKey(key, nowMs);
    this.#flushLater();
  }

  #addPendingDay(day: PendingDay): void {
    const accounts = this.#days.get(day.dayMs) ?? new Map<string, Map<string, Map<string, PendingDay>>>();
    const users = accounts.get(day.accountId) ?? new Map<string, Map<string, PendingDay>>();
    const items = users.get(day.username) ?? new Map<string, PendingDay>();
    this.#days.set(day.dayMs, accounts.set(day.accountId, users.set(day.username, items.set(day.item, day))));
    this.#pendingDays.push(day);
  }

  #nextDay(accountId: string, fromMs: number): number | null {
    return this.#statements.nextDay.get(accountId, fromMs) as number | null;
  }

  #noteKey({ userId, client }: NonNullable<KeyUse['key']>, nowMs: number): void {
    const last = this.#pendingKey(userId);
    if (Math.abs(nowMs - (last.atMs ?? 0)) < addressEveryMs) return;
    last.atMs = nowMs;
    last.address = client.ip;
  }

  noteRefusal(userId: string, refused: KeyRefusal): void {
    this.#pendingKey(userId).refused = refused;
    this.#flushLater();
  }

  async dailyUses(accountId: string, fromMs: number): Promise<readonly DailyUse[]> {
    await this.flush();
    const uses: DailyUse[] = [];
    // Day by day: an account with many users has tens of thousands of rows.
    for (
      let next = this.#nextDay(accountId, fromMs);
      next !== null;
      next = this.#nextDay(accountId, next + 1)
    ) {
      await yieldIfIterationIsFull();
      for (const use of this.#statements.day.all(accountId, next)) uses.push(use as DailyUse);
    }
    return uses;
  }

  async lastUses(userIds: readonly string[]): Promise<ReadonlyMap<string, LastUse>> {
    await this.flush();
    const rows = userIds.flatMap((id) => (this.#statements.key.get(id) as KeyRow | undefined) ?? []);
    return new Map(rows.map((row) => [row.user_id, lastUseOf(row)]));
  }

  /** One after another: who reads afterwards must find what was noted before. */
  flush(): Promise<void> {
    const before = this.#flushing;
    const flushing = before.then(() => this.#flush());
    this.#flushing = flushing.catch(() => undefined);
    return flushing;
  }

  async #flush(): Promise<void> {
    if (this.#closed) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const [days, keys] = [this.#pendingDays, this.#keys];
    if (days.length === 0 && keys.size === 0) return;
    [this.#days, this.#pendingDays, this.#keys] = [new Map(), [], new Map()];
    await write(this.#database, () => {
      for (const day of days) this.#addDay(day);
      for (const [userId, use] of keys) this.#putKey(userId, use);
    });
  }

  async close(): Promise<void> {
    await this.flush();
    this.#closed = true;
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

  #addDay({ accountId, dayMs, ...day }: PendingDay): void {
    const isNewDay = this.#statements.hasDay.get(accountId, dayMs) === undefined;
    this.#statements.addDay.run({ account_id: accountId, day_ms: dayMs, ...day });
    if (isNewDay) this.#statements.trim.run({ account_id: accountId });
  }

  #putKey(userId: string, { atMs, address, refused }: PendingKey): void {
    this.#statements.putKey.run({
      user_id: userId,
      at_ms: atMs ?? null,
      address: address ?? null,
      refused_ms: refused?.atMs ?? null,
      refused_address: refused?.address ?? null,
      refused_why: refused?.why ?? null,
    });
  }
}

function lastUseOf(row: KeyRow): LastUse {
  const { at_ms: atMs, address, refused_ms: refusedMs } = row;
  return {
    ...(atMs === null ? {} : { atMs, address: address ?? '' }),
    ...(refusedMs === null
      ? {}
      : {
          refused: {
            atMs: refusedMs,
            address: row.refused_address ?? '',
            why: row.refused_why ?? 'address',
          },
        }),
  };
}

function prepare(database: Database) {
  return {
    nextDay: database
      .prepare('select min(day_ms) from daily_use where account_id = ? and day_ms >= ?')
      .pluck(),
    day: database.prepare(
      `select day_ms as dayMs, username, item, used from daily_use
       where account_id = ? and day_ms = ? order by username, item`,
    ),
    hasDay: database.prepare('select 1 from daily_use where account_id = ? and day_ms = ? limit 1').pluck(),
    addDay: database.prepare(
      `insert into daily_use (account_id, day_ms, username, item, used)
       values (:account_id, :day_ms, :username, :item, :used)
       on conflict do update set used = used + excluded.used`,
    ),
    trim: database.prepare(
      `delete from daily_use where account_id = :account_id and day_ms < (
         select day_ms from (select distinct day_ms from daily_use where account_id = :account_id)
         order by day_ms desc limit 1 offset ${daysKept - 1})`,
    ),
    key: database.prepare('select * from key_use where user_id = ?'),
    putKey: database.prepare(
      `insert into key_use (user_id, at_ms, address, refused_ms, refused_address, refused_why)
       values (:user_id, :at_ms, :address, :refused_ms, :refused_address, :refused_why)
       on conflict (user_id) do update set
         at_ms = ifnull(excluded.at_ms, at_ms), address = ifnull(excluded.address, address),
         refused_ms = ifnull(excluded.refused_ms, refused_ms),
         refused_address = ifnull(excluded.refused_address, refused_address),
         refused_why = ifnull(excluded.refused_why, refused_why)`,
    ),
  };
}
