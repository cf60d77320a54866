/** Aggregates over domains: the most frequent values of an attribute, and the average risk of the domains with a value. */
import { valuesOf } from '../../../../model/record/attributes.ts';
import type { Attribute } from '../../../../model/record/condition.ts';
import type { DomainId, SharedValue, TopValue } from '../../../domain-store.ts';
import type { Database } from '../../database.ts';
import { Columns } from '../columns.ts';
import { Postings } from '../postings.ts';
import { RecordRows } from '../record-rows.ts';
import { ValueKeys } from '../value-keys.ts';

interface Counted {
  value: string;
  domains: number;
}

export class ValueAggregates {
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

  /** Values that differ in letter case alone are one; the first of them in order is shown. */
  #count(ids: Iterable<DomainId>, attribute: Attribute): Counted[] {
    const counted = new Map<bigint, Counted>();
    for (const id of ids) {
      const record = this.#rows.findRecord(id);
      const seen = new Set<bigint>();
      for (const { attribute: of, value } of record ? valuesOf(record) : []) {
        if (of !== attribute) continue;
        const key = this.#keys.keyOf(attribute, value);
        const known = counted.get(key) ?? { value, domains: 0 };
        counted.set(key, known);
        if (!seen.has(key)) known.domains += 1;
        seen.add(key);
        if (value < known.value) known.value = value;
      }
    }
    return [...counted.values()];
  }

  /** Computed on demand: stored averages would mean updating every value of a domain whenever its score changes. */
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
