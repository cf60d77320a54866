/** Who used what: the tables `daily_use` and `key_use`. */
import { type KeyRow, keyRowOf, lastUseOf } from '../../usage/key-row.ts';
import { type AccountDay, daysKept, NotedUses } from '../../usage/noted-uses.ts';
import type { DailyUse, KeyRefusal, KeyUse, LastUse } from '../../usage-store.ts';
import type { PostgresDatabase, Transaction } from '../postgres/database.ts';

/** Rows per statement: an account with many users has tens of thousands. */
const pageSize = 5000;

export class KeyUses {
  readonly #database: PostgresDatabase;
  readonly #noted: NotedUses;

  constructor(database: PostgresDatabase) {
    this.#database = database;
    this.#noted = new NotedUses((days, keys) =>
      database.write(async (sql) => {
        await addDays(sql, days);
        await putKeys(sql, keys);
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
    for (let after = { dayMs: fromMs, username: '', item: '' }; ; ) {
      const page = await this.#database.read(
        (sql) => sql<DailyUse[]>`
          select day_ms as "dayMs", username, item, used from daily_use
          where account_id = ${accountId} and (day_ms, username, item) > (${after.dayMs}, ${after.username}, ${after.item})
          order by day_ms, username, item limit ${pageSize}`,
      );
      for (const { dayMs, username, item, used } of page) uses.push({ dayMs, username, item, used });
      const last = page.at(-1);
      if (!last || page.length < pageSize) return uses;
      after = last;
    }
  }

  async lastUses(userIds: readonly string[]): Promise<ReadonlyMap<string, LastUse>> {
    await this.#noted.flush();
    const rows = await this.#database.read(
      (sql) => sql<KeyRow[]>`select * from key_use where user_id = any(${userIds}::text[])`,
    );
    const uses = new Map(rows.map((row) => [row.user_id, lastUseOf(row)]));
    return new Map(
      userIds.flatMap((id) => {
        const use = uses.get(id);
        return use ? [[id, use] as const] : [];
      }),
    );
  }

  close(): Promise<void> {
    return this.#noted.close();
  }
}

async function addDays(sql: Transaction, days: readonly AccountDay[]): Promise<void> {
  const added = await sql<{ accountId: string; isNew: boolean }[]>`
    insert into daily_use as daily (account_id, day_ms, username, item, used)
    select * from unnest(
      ${days.map(({ accountId }) => accountId)}::text[], ${days.map(({ dayMs }) => dayMs)}::bigint[],
      ${days.map(({ username }) => username)}::text[], ${days.map(({ item }) => item)}::text[],
      ${days.map(({ used }) => used)}::bigint[]) day (account_id, day_ms, username, item, used)
    order by 1, 2, 3, 4
    on conflict (account_id, day_ms, username, item) do update set used = daily.used + excluded.used
    returning daily.account_id as "accountId", daily.xmax = 0 as "isNew"`;
  const accounts = [...new Set(added.filter(({ isNew }) => isNew).map(({ accountId }) => accountId))];
  if (accounts.length > 0) await trimDays(sql, accounts);
}

async function trimDays(sql: Transaction, accounts: readonly string[]): Promise<void> {
  await sql`
    delete from daily_use daily using (
      select account_id, (
        select min(day_ms) from (
          select distinct day_ms from daily_use d where d.account_id = account.account_id
          order by day_ms desc limit ${daysKept}) kept) as day_ms
      from unnest(${accounts}::text[]) account (account_id)) oldest
    where daily.account_id = oldest.account_id and daily.day_ms < oldest.day_ms`;
}

async function putKeys(sql: Transaction, keys: ReadonlyMap<string, LastUse>): Promise<void> {
  const rows = [...keys].map(([userId, use]) => keyRowOf(userId, use));
  await sql`
    insert into key_use as key (user_id, at_ms, address, refused_ms, refused_address, refused_why)
    select * from unnest(
      ${rows.map((row) => row.user_id)}::text[], ${rows.map((row) => row.at_ms)}::bigint[],
      ${rows.map((row) => row.address)}::text[], ${rows.map((row) => row.refused_ms)}::bigint[],
      ${rows.map((row) => row.refused_address)}::text[], ${rows.map((row) => row.refused_why)}::text[]) use
    order by 1
    on conflict (user_id) do update set
      at_ms = coalesce(excluded.at_ms, key.at_ms), address = coalesce(excluded.address, key.address),
      refused_ms = coalesce(excluded.refused_ms, key.refused_ms),
      refused_address = coalesce(excluded.refused_address, key.refused_address),
      refused_why = coalesce(excluded.refused_why, key.refused_why)`;
}
