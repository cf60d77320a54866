/** Domains whose number in a column compares to a value. */
import type { Comparison } from '../../../../model/record/condition.ts';
import { type ColumnReader, type NumberRange, rangeOf } from '../../../domain/columns.ts';
import { chunkIds, chunkOfLows, type IdChunk, lowsOf } from '../../../domain/id-chunk.ts';
import type { MatchSource } from './match-source.ts';

export class ComparedIds implements MatchSource {
  readonly estimate: number;
  readonly #column: ColumnReader;
  readonly #range: NumberRange;

  constructor(column: ColumnReader, comparison: Comparison, value: number, domains: number) {
    this.#column = column;
    this.#range = rangeOf(comparison, value);
    this.estimate = domains;
  }

  narrow(chunk: number, among: IdChunk): IdChunk {
    return chunkOfLows(this.#column.between(chunk * chunkIds, lowsOf(among), this.#range));
  }
}
