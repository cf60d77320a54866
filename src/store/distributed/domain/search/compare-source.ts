/** Domains whose number in a column compares to a value. */
import type { Condition } from '../../../../model/record/condition.ts';
import { type NumberRange, rangeOf } from '../../../domain/columns.ts';
import { chunkIds, chunkOfLows, type IdChunk, lowsOf } from '../../../domain/id-chunk.ts';
import type { Transaction } from '../../postgres/database.ts';
import { readColumn } from '../column-rows.ts';
import { combined, type IdSet, idsIn } from './id-set.ts';
import type { MatchSource } from './match-source.ts';

type Comparison = Extract<Condition, { kind: 'compare' }>;

export class ComparedIds implements MatchSource {
  readonly estimate: number;
  readonly #sql: Transaction;
  readonly #compared: Comparison;
  readonly #range: NumberRange;

  constructor(sql: Transaction, compared: Comparison, domains: number) {
    this.#sql = sql;
    this.#compared = compared;
    this.#range = rangeOf(compared.comparison, compared.value);
    this.estimate = domains;
  }

  async narrow(candidates: IdSet): Promise<IdSet> {
    const column = await readColumn(this.#sql, this.#compared.column, idsIn(candidates));
    return combined(candidates.keys(), (chunk) =>
      chunkOfLows(column.between(chunk * chunkIds, lowsOf(candidates.get(chunk) as IdChunk), this.#range)),
    );
  }
}
