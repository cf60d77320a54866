/** A cache of the names that results were sorted by. The name of a domain never changes, so no entry becomes stale. */
import type { DomainId } from '../../../domain-store.ts';
import type { RecordRows } from '../record-rows.ts';

/** Some ten megabytes. */
const namesMax = 100_000;

export class NameCache {
  readonly #rows: Pick<RecordRows, 'namesOf'>;
  readonly #names = new Map<DomainId, string>();
  readonly #namesMax: number;

  constructor(rows: Pick<RecordRows, 'namesOf'>, max = namesMax) {
    this.#rows = rows;
    this.#namesMax = max;
  }

  /** Of existing domains, in the order of `ids`; fastest for ascending ids. */
  of(ids: readonly DomainId[]): readonly string[] {
    const known = ids.map((id) => this.#names.get(id));
    const unknown = ids.filter((_, index) => known[index] === undefined);
    if (unknown.length === 0) return known as string[];
    const read = this.#rows.namesOf(unknown);
    let next = 0;
    const names = known.map((name) => name ?? (read[next++] as string));
    if (this.#names.size + unknown.length > this.#namesMax) this.#names.clear();
    for (const [index, id] of unknown.slice(0, this.#namesMax).entries())
      this.#names.set(id, read[index] as string);
    return names;
  }
}
