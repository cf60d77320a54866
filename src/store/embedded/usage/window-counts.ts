/**
 * Counts of calendar windows, blocks and tallies, one row per window. A window is named by its first millisecond, and its row is found
 * again whichever way the clock comes to it: a limit grants its size once per window, however often the clock is set.
 */
import type { CountedLimit } from '../../../model/account/limit.ts';
import { counterOf } from '../../usage/counter-of.ts';
import { periodsOf, type TallyRow, talliesByItem, windowStart, windowsKept } from '../../usage/windows.ts';
import type { Charge, Tally } from '../../usage-store.ts';
import type { Database } from '../database.ts';

interface RaisedTally extends NonNullable<Charge['tally']> {
  readonly periods: ReturnType<typeof periodsOf>;
  readonly amount: number;
}

interface TallyOfPeriod extends NonNullable<Charge['tally']> {
  readonly period: 'day' | 'month';
  readonly windowMs: number;
  readonly amount: number;
}

export class WindowCounts {
  readonly #used;
  readonly #raise;
  readonly #add;
  readonly #trim;
  readonly #raiseTally;
  readonly #addTally;
  readonly #trimTally;
  readonly #tallies;
  /** Of the transaction that runs: charges of one group are mostly of one account, and are added up before they are written. */
  readonly #notWritten = new Map<string, RaisedTally>();

  constructor(database: Database) {
    this.#used = database
      .prepare('select used from window_count where counter = ? and window_ms = ?')
      .pluck();
    this.#raise = database.prepare(
      'update window_count set used = used + :amount where counter = :counter and window_ms = :windowMs',
    );
    this.#add = database.prepare(
      `insert into window_count (counter, window_ms, used, n)
       values (:counter, :windowMs, :amount, (select ifnull(max(n), 0) + 1 from window_count where counter = :counter))`,
    );
    this.#trim = database.prepare(
      `delete from window_count where counter = :counter
         and n <= (select max(n) from window_count where counter = :counter) - ${windowsKept}`,
    );
    const isItem = 'owner = :owner and item = :item and period = :period';
    this.#raiseTally = database.prepare(
      `update tally set used = used + :amount where ${isItem} and window_ms = :windowMs`,
    );
    this.#addTally = database.prepare(
      `insert into tally (owner, item, period, window_ms, used, n)
       values (:owner, :item, :period, :windowMs, :amount, (select ifnull(max(n), 0) + 1 from tally where ${isItem}))`,
    );
    this.#trimTally = database.prepare(
      `delete from tally where ${isItem} and n <= (select max(n) from tally where ${isItem}) - ${windowsKept}`,
    );
    this.#tallies = database.prepare(
      `select item, period, used from tally where owner = :owner and
         (period = 'day' and window_ms = :dayMs or period = 'month' and window_ms = :monthMs)`,
    );
  }

  usedOf(limit: CountedLimit, nowMs: number): number {
    return (this.#used.get(counterOf(limit), windowStart(limit, nowMs)) as number | undefined) ?? 0;
  }

  count(limit: CountedLimit, nowMs: number): void {
    const [counter, windowMs] = [counterOf(limit), windowStart(limit, nowMs)];
    const { amount = 1 } = limit;
    if (this.#raise.run({ counter, windowMs, amount }).changes > 0) return;
    this.#add.run({ counter, windowMs, amount });
    this.#trim.run({ counter });
  }

  /** What a transaction before did not write, because it was rolled back, is forgotten. */
  begin(): void {
    this.#notWritten.clear();
  }

  /** Written by `writeTallies`, in the same transaction. */
  countTally({ owner, item }: NonNullable<Charge['tally']>, nowMs: number): void {
    const periods = periodsOf(nowMs);
    const key = `${owner}\n${item}\n${periods.dayMs}`;
    const amount = (this.#notWritten.get(key)?.amount ?? 0) + 1;
    this.#notWritten.set(key, { owner, item, periods, amount });
  }

  writeTallies(): void {
    for (const { owner, item, periods, amount } of this.#notWritten.values()) {
      this.#raiseOrAdd({ owner, item, period: 'day', windowMs: periods.dayMs, amount });
      this.#raiseOrAdd({ owner, item, period: 'month', windowMs: periods.monthMs, amount });
    }
  }

  #raiseOrAdd({ amount, windowMs, ...counted }: TallyOfPeriod): void {
    if (this.#raiseTally.run({ ...counted, windowMs, amount }).changes > 0) return;
    this.#addTally.run({ ...counted, windowMs, amount });
    this.#trimTally.run(counted);
  }

  /** The items of the current month. */
  talliesOf(owner: string, nowMs: number): ReadonlyMap<string, Tally> {
    const rows = this.#tallies.all({ owner, ...periodsOf(nowMs) }) as TallyRow[];
    return talliesByItem(rows);
  }
}
