/** Names that searches put in order, at hand for the next: a domain keeps its name for ever, so nothing here grows old. */
import type { DomainId } from '../../domain-store.ts';
import type { RecordRows } from './record-rows.ts';

/** Some ten megabytes. */
const namesMax = 100_000;

export class KnownNames {
  readonly #rows: Pick<RecordRows, 'namesOf'>;
  readonly #names = new Map<DomainId, string>();
  readonly #namesMax: number;

  constructor(rows: Pick<RecordRows, 'namesOf'>, max = namesMax) {
    this.#rows = rows;
    this.#namesMax = max;
  }

  /** Of domains that are there, in the order asked for; soonest in the order of ids. */
  of(ids: readonly DomainId[]): readonly string[] {
    const known = ids.map((id) => this.#names.get(id));
    const unknown = ids.filter((_, place) => known[place] === undefined);
    if (unknown.length === 0) return known as string[];
    const learnt = this.#rows.namesOf(unknown);
    let next = 0;
    const names = known.map((name) => name ?? (learnt[next++] as string));
    if (this.#names.size + unknown.length > this.#namesMax) this.#names.clear();
    for (const [place, id] of unknown.slice(0, this.#namesMax).entries())
      this.#names.set(id, learnt[place] as string);
    return names;
  }
}
