/** Single numbers that all processes share. */
import type { Database } from '../database.ts';

/** `monitors` rises with every change to monitors and own domains; `news` is a place in the log of updates. */
type CounterName = 'monitors' | 'news';

export class Counters {
  readonly #find;
  readonly #put;

  constructor(database: Database) {
    this.#find = database.prepare('select value from counter where name = ?').pluck();
    this.#put = database.prepare(
      'insert into counter (name, value) values (:name, :value) on conflict do update set value = :value',
    );
  }

  get(name: CounterName): number {
    return (this.#find.get(name) as number | undefined) ?? 0;
  }

  set(name: CounterName, value: number): void {
    this.#put.run({ name, value });
  }

  raise(name: CounterName): void {
    this.set(name, this.get(name) + 1);
  }
}
