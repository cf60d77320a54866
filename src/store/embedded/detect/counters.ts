/** Single numbers shared by all processes. */
import type { Database } from '../database.ts';

/**
 * `monitors` increases with every change of monitors and own domains; `news` (a historical name) is the checkpoint in the update log of
 * records; `sightings` is the batch of passive DNS whose sightings were counted last.
 */
type CounterName = 'monitors' | 'news' | 'sightings';

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
