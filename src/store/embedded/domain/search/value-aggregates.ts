/** Aggregates over domains: the most frequent values of an attribute, and the average risk of the domains with a value. */
import type { Attribute } from '../../../../model/record/condition.ts';
import { TopValues } from '../../../domain/search/top-values.ts';
import type { ValueKeys } from '../../../domain/value-keys.ts';
import type { DomainId, SharedValue, TopValue } from '../../../domain-store.ts';
import type { Database } from '../../database.ts';
import { Columns } from '../columns.ts';
import { Postings } from '../postings.ts';
import { RecordRows } from '../record-rows.ts';
import { valueKeysOf } from '../stored-salt.ts';

export class ValueAggregates {
  readonly #database: Database;
  readonly #rows: RecordRows;
  readonly #keys: ValueKeys;
  readonly #postings: Postings;
  readonly #columns: Columns;

  constructor(database: Database) {
    this.#database = database;
    this.#rows = new RecordRows(database);
    this.#keys = valueKeysOf(database);
    this.#postings = new Postings(database);
    this.#columns = new Columns(database);
  }

  listTopValues(
    ids: Iterable<DomainId>,
    attributes: readonly Attribute[],
    limit: number,
  ): readonly (readonly TopValue[])[] {
    return this.#database.transaction(() => {
      const top = new TopValues(this.#keys, attributes);
      for (const id of ids) {
        const record = this.#rows.findRecord(id);
        if (record) top.add(record);
      }
      return attributes.map((attribute) => top.list(attribute, limit));
    })();
  }

  averageRisksOf(values: readonly SharedValue[]): readonly (number | undefined)[] {
    return this.#database.transaction(() => values.map((value) => this.#averageRisk(value)))();
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
