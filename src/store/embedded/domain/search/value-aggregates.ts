/** Aggregates over domains: the most frequent values of an attribute, and the average risk of the domains with a value. */
import { valuesOf } from '../../../../model/record/attributes.ts';
import type { Attribute } from '../../../../model/record/condition.ts';
import type { DomainId, SharedValue, TopValue } from '../../../domain-store.ts';
import type { Database } from '../../database.ts';
import { Columns } from '../columns.ts';
import { Postings } from '../postings.ts';
import { RecordRows } from '../record-rows.ts';
import { ValueKeys } from '../value-keys.ts';

type Counted = { -readonly [Member in keyof TopValue]: TopValue[Member] };

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

  listTopValues(
    ids: Iterable<DomainId>,
    attributes: readonly Attribute[],
    limit: number,
  ): readonly (readonly TopValue[])[] {
    return this.#database.transaction(() => {
      const counted = this.#count(ids, attributes);
      return attributes.map((attribute) => {
        const top = [...(counted.get(attribute)?.values() ?? [])].sort(
          (left, right) => right.domains - left.domains || (left.value < right.value ? -1 : 1),
        );
        return top.slice(0, limit);
      });
    })();
  }

  averageRisksOf(values: readonly SharedValue[]): readonly (number | undefined)[] {
    return this.#database.transaction(() => values.map((value) => this.#averageRisk(value)))();
  }

  /** Values that differ in letter case alone are one; the first of them in order is shown. */
  #count(
    ids: Iterable<DomainId>,
    attributes: readonly Attribute[],
  ): ReadonlyMap<Attribute, ReadonlyMap<bigint, Counted>> {
    const counted = new Map(attributes.map((attribute) => [attribute, new Map<bigint, Counted>()]));
    for (const id of ids) {
      const record = this.#rows.findRecord(id);
      const seen = new Set<bigint>();
      for (const { attribute, value } of record ? valuesOf(record) : []) {
        const values = counted.get(attribute);
        if (!values) continue;
        const key = this.#keys.keyOf(attribute, value);
        const known = values.get(key) ?? { value, domains: 0 };
        values.set(key, known);
        if (!seen.has(key)) known.domains += 1;
        seen.add(key);
        if (value < known.value) known.value = value;
      }
    }
    return counted;
  }

  averageRiskOf(ids: Iterable<DomainId>): number | undefined {
    return this.#database.transaction(() => this.#average(ids))();
  }

  /** Computed on demand: stored averages would mean updating every value of a domain whenever its score changes. */
  #averageRisk({ attribute, value }: SharedValue): number | undefined {
    return this.#average(this.#postings.scanIds(this.#keys.keyOf(attribute, value)));
  }

  #average(ids: Iterable<DomainId>): number | undefined {
    const scores = this.#columns.reader('risk_score');
    let sum = 0;
    let scored = 0;
    for (const id of ids) {
      const score = scores.numberOf(id);
      if (Number.isNaN(score)) continue;
      sum += score;
      scored += 1;
    }
    return scored === 0 ? undefined : sum / scored;
  }
}
