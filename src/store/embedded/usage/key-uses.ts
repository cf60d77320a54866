/** Who used what: the tables `daily_use` and `key_use`. */
import { yieldIfIterationIsFull } from '../../../concurrency/event-loop-slices.ts';
import { type KeyRow, keyRowOf, lastUseOf } from '../../usage/key-row.ts';
import { type AccountDay, daysKept, NotedUses } from '../../usage/noted-uses.ts';
import type { DailyUse, KeyRefusal, KeyUse, LastUse } from '../../usage-store.ts';
import { type Database, write } from '../database.ts';

export class KeyUses {
  readonly #statements;
  readonly #noted: NotedUses;

  constructor(database: Database) {
    this.#statements = prepare(database);
    this.#noted = new NotedUses((days, keys) =>
      write(database, () => {
        for (const day of days) this.#addDay(day);
        for (const [userId, use] of keys) this.#statements.putKey.run(keyRowOf(userId, use));
      }),
    );
  }

  note(use: KeyUse, nowMs: number): void {
    this.#noted.note(use, nowMs);
  }

  noteRefusal(userId: string, refused: KeyRefusal): void {
    this.#noted.noteRefusal(userId, refused);
  }

  async dailyUses(accountId: string, fromMs: number): Promise<readonly DailyUse[]> {
    await this.#noted.flush();
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
    await this.#noted.flush();
    const rows = userIds.flatMap((id) => (this.#statements.key.get(id) as KeyRow | undefined) ?? []);
    return new Map(rows.map((row) => [row.user_id, lastUseOf(row)]));
  }

  close(): Promise<void> {
    return this.#noted.close();
  }

  #nextDay(accountId: string, fromMs: number): number | null {
    return this.#statements.nextDay.get(accountId, fromMs) as number | null;
  }

  #addDay({ accountId, dayMs, ...day }: AccountDay): void {
    const isNewDay = this.#statements.hasDay.get(accountId, dayMs) === undefined;
    this.#statements.addDay.run({ account_id: accountId, day_ms: dayMs, ...day });
    if (isNewDay) this.#statements.trim.run({ account_id: accountId });
  }
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
