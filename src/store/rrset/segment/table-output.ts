/** Writes the entries of one table of a segment in the order of their keys, and its trigram index where it has one. */
import { nameText } from '../../../model/dns/name.ts';
import { rdataText } from '../../../model/dns/rdata-text.ts';
import { distinctKinds, readUint16 } from './keys.ts';
import { type TableName, tablePath } from './segment-files.ts';
import { type TableSummary, TableWriter } from './table-writer.ts';
import {
  type Bucket,
  bucketBytesMax,
  downsample,
  SightingSum,
  units,
  writeBucket,
  writeBuckets,
} from './time-buckets.ts';
import { TrigramWriter } from './trigram-index.ts';

export type DataTable = Exclude<TableName, 'trigram'>;

/** The unit of a table without time buckets: each entry has one sighting of all time. */
export const era = units.indexOf('era');

export interface WrittenTable extends TableSummary {
  /** The trigram index of a large distinct table. */
  readonly trigram?: TableSummary;
}

/** Where a table is written. */
export interface TableTarget {
  readonly directory: string;
  readonly segment: string;
  readonly table: DataTable;
}

/** `shared` is, wherever it is a parameter, the length of the prefix that a key has in common with the one before. */
export class TableOutput {
  readonly #table: TableWriter;
  readonly #trigramTable: TableWriter | undefined;
  readonly #trigrams: TrigramWriter | undefined;
  readonly #sum = new SightingSum();
  readonly #merged: boolean;
  #value = new Uint8Array(4096);

  constructor({ directory, segment, table }: TableTarget, withTrigrams: boolean) {
    // Text searches have no time buckets, so each text has one merged sighting.
    this.#merged = table === 'distinct';
    if (withTrigrams) {
      this.#trigramTable = new TableWriter(tablePath(directory, segment, 'trigram'));
      this.#trigrams = new TrigramWriter(this.#trigramTable);
    }
    this.#table = new TableWriter(tablePath(directory, segment, table), (offset) =>
      this.#trigrams?.closeLeaf(offset),
    );
  }

  /** Adds an entry whose time buckets are already encoded and need no change. */
  addEncoded(shared: number, key: Uint8Array, length: number, value: Uint8Array, valueLength: number): void {
    this.#sum.clear();
    this.#sum.addList(value, 0);
    this.#add(shared, key, 0, length, value, valueLength);
  }

  addSighting(
    shared: number,
    key: Uint8Array,
    start: number,
    length: number,
    unit: number,
    first: number,
    last: number,
    count: number,
  ) {
    this.#sum.clear();
    this.#sum.add(first, last, count);
    const end = writeBucket(this.#value, 0, this.#merged ? era : unit, first, last, count);
    this.#add(shared, key, start, length, this.#value, end);
  }

  addBuckets(
    shared: number,
    key: Uint8Array,
    start: number,
    length: number,
    buckets: readonly Bucket[],
    nowSeconds: number,
  ): void {
    this.#sum.clear();
    for (const { firstSeconds, lastSeconds, count } of buckets)
      this.#sum.add(firstSeconds, lastSeconds, count);
    const { firstSeconds, lastSeconds, count } = this.#sum;
    const kept = this.#merged
      ? [{ unit: era, startSeconds: 0, firstSeconds, lastSeconds, count }]
      : downsample(buckets, nowSeconds);
    const bytesMax = kept.length * bucketBytesMax;
    if (this.#value.length < bytesMax) this.#value = new Uint8Array(bytesMax * 2);
    this.#add(shared, key, start, length, this.#value, writeBuckets(this.#value, 0, kept));
  }

  finish(): WrittenTable {
    const summary = this.#table.finish();
    if (!this.#trigrams || !this.#trigramTable) return summary;
    this.#trigrams.finish();
    return { ...summary, trigram: this.#trigramTable.finish() };
  }

  #add(
    shared: number,
    key: Uint8Array,
    start: number,
    length: number,
    value: Uint8Array,
    valueLength: number,
  ): void {
    if (this.#trigrams && !(key[start] === distinctKinds.owner && this.#trigrams.addName(key, start + 1))) {
      const text = searchedText(key, start, length);
      if (text !== undefined) this.#trigrams.add(text);
    }
    const { firstSeconds, lastSeconds } = this.#sum;
    this.#table.add(shared, key, start, length, value, 0, valueLength, firstSeconds, lastSeconds);
  }
}

/** The text of an entry of the distinct table, as flexible search matches it. */
export function searchedText(key: Uint8Array, start: number, length: number): string | undefined {
  const kind = key[start];
  if (kind === distinctKinds.owner) return nameText(key, start + 1);
  if (kind !== distinctKinds.rdata) return undefined;
  const rdataLength = readUint16(key, start + length - 2);
  const rdata = key.slice(start + 1, start + 1 + rdataLength);
  return rdataText(readUint16(key, start + 1 + rdataLength), rdata);
}
