/** Which values are frequent among some domains, and how risky the domains of a value are. */

import { valuesOf } from '../../../model/record/attributes.ts';
import type { Attribute } from '../../../model/record/condition.ts';
import type { DomainId, SharedValue, TopValue } from '../../domain-store.ts';
import type { Database } from '../database.ts';
import { Columns } from './columns.ts';
import { Postings } from './postings.ts';
import { RecordRows } from './record-rows.ts';
import { ValueKeys } from './value-keys.ts';

interface Counted {
  value: string;
  domains: number;
}

export class Tally {
  readonly #database: Database;
  readonly #rows: RecordRows;
  readonly #keys: ValueKeys;
  readonly #postings: Postings;
  readonly #columns: Columns;

  constructor(database: Database) {
    this.#database = database;
    this.#rows = new RecordRows(database);
    this.#keys = new ValueKeys(database);
    this.#postings = new Postings(database);
    this.#columns = new Columns(database);
  }

  listTopValues(ids: Iterable<DomainId>, attribute: Attribute, limit: number): readonly TopValue[] {
    return this.#database.transaction(() => {
      const top = this.#count(ids, attribute).sort(
        (left, right) => right.domains - left.domains || (left.value < right.value ? -1 : 1),
      );
      return top.slice(0, limit).map(({ value, domains }) => ({
        value,
        domains,
        averageRisk: this.#averageRisk({ attribute, value }),
      }));
    })();
  }

  averageRisksOf(values: readonly SharedValue[]): readonly (number | undefined)[] {
    return this.#database.transaction(() => values.map((value) => this.#averageRisk(value)))();
  }

  /** Of texts that are equal but for letter case, the first in order is shown. */
  #count(ids: Iterable<DomainId>, attribute: Attribute): Counted[] {
    const counted = new Map<bigint, Counted>();
    for (const id of ids) {
      const record = this.#rows.findRecord(id);
      const met = new Set<bigint>();
      for (const { attribute: of, value } of record ? valuesOf(record) : []) {
        if (of !== attribute) continue;
        const key = this.#keys.keyOf(attribute, value);
        const known = counted.get(key) ?? { value, domains: 0 };
        counted.set(key, known);
        if (!met.has(key)) known.domains += 1;
        met.add(key);
        if (value < known.value) known.value = value;
      }
    }
    return [...counted.values()];
  }

  /** From the scores as they are: keeping averages would mean a change of every value whenever a score changes. */
  #averageRisk({ attribute, value }: SharedValue): number | undefined {
    const scores = this.#columns.reader('risk_score');
    let sum = 0;
    let scored = 0;
    for (const id of this.#postings.scanIds(this.#keys.keyOf(attribute, value))) {
      const score = scores.numberOf(id);
      if (Number.isNaN(score)) continue;
      sum += score;
      scored += 1;
    }
    return scored === 0 ? undefined : sum / scored;
  }
}
