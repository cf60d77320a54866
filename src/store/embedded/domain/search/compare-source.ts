/** Domains whose number in a column compares to a value. */
import type { Comparison } from '../../../../model/record/condition.ts';
import type { ColumnReader, NumberRange } from '../columns.ts';
import { chunkIds, chunkOfLows, type IdChunk, lowsOf } from '../id-chunk.ts';
import type { MatchSource } from './match-source.ts';

const [least, most] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];

const ranges: Readonly<Record<Comparison, (value: number) => NumberRange>> = {
  '=': (value) => ({ min: value, max: value, excluded: Number.NaN }),
  '<': (value) => ({ min: least, max: value, excluded: value }),
  '<=': (value) => ({ min: least, max: value, excluded: Number.NaN }),
  '>': (value) => ({ min: value, max: most, excluded: value }),
  '>=': (value) => ({ min: value, max: most, excluded: Number.NaN }),
};

export class ComparedIds implements MatchSource {
  readonly estimate: number;
  readonly #column: ColumnReader;
  readonly #range: NumberRange;

  constructor(column: ColumnReader, comparison: Comparison, value: number, domains: number) {
    this.#column = column;
    this.#range = ranges[comparison](value);
    this.estimate = domains;
  }

  narrow(chunk: number, among: IdChunk): IdChunk {
    return chunkOfLows(this.#column.between(chunk * chunkIds, lowsOf(among), this.#range));
  }
}
