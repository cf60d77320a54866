/** Builds one table of a new segment: from a batch of observations (flush), or from that table of older segments (compaction). */
import { nameText } from '../../../model/dns/name.ts';
import { rdataText } from '../../../model/dns/rdata-text.ts';
import { BatchReader } from '../observation-batch.ts';
import { BlockCache } from './block-cache.ts';
import { type Entry, KeyArena } from './key-arena.ts';
import { addDistinctKeys, addForwardKey, addInverseKeys, distinctKinds, readUint16 } from './keys.ts';
import { MergingCursor } from './merging-cursor.ts';
import { checksumOf, type SegmentSource, type TableName, tablePath } from './segment-files.ts';
import { TableReader } from './table-reader.ts';
import { type TableSummary, TableWriter } from './table-writer.ts';
import {
  type Bucket,
  bucketBytesMax,
  downsample,
  isSingleBucket,
  readBuckets,
  SightingSum,
  startOf,
  unitOf,
  units,
  writeBucket,
  writeBuckets,
} from './time-buckets.ts';
import { TrigramWriter } from './trigram-index.ts';

export type DataTable = Exclude<TableName, 'trigram'>;

/** Only compacted segments with at least this many distinct texts get a trigram index; reading all of a smaller one is cheap. */
const trigramIndexEntriesMin = 50_000;
const era = units.indexOf('era');

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

/** Writes entries to a table file and, if wanted, its trigram index. */
class TableOutput {
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
  addEncoded(
    key: Uint8Array,
    start: number,
    length: number,
    value: Uint8Array,
    at: number,
    end: number,
  ): void {
    this.#sum.clear();
    this.#sum.addList(value, at);
    this.#add(key, start, length, value, at, end - at);
  }

  addSighting(
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
    this.#add(key, start, length, this.#value, 0, end);
  }

  addBuckets(
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
    this.#add(key, start, length, this.#value, 0, writeBuckets(this.#value, 0, kept));
  }

  finish(): WrittenTable {
    const summary = this.#table.finish();
    if (!this.#trigrams || !this.#trigramTable) return summary;
    this.#trigrams.finish();
    return { ...summary, trigram: this.#trigramTable.finish() };
  }

  #add(
    key: Uint8Array,
    start: number,
    length: number,
    value: Uint8Array,
    at: number,
    valueLength: number,
  ): void {
    if (this.#trigrams && !(key[start] === distinctKinds.owner && this.#trigrams.addName(key, start + 1))) {
      const text = searchedText(key, start, length);
      if (text !== undefined) this.#trigrams.add(text);
    }
    this.#table.add(
      key,
      start,
      length,
      value,
      at,
      valueLength,
      this.#sum.firstSeconds,
      this.#sum.lastSeconds,
    );
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

/** A thread writes one table at a time, so all of them share one arena. */
const arena = new KeyArena(1 << 16, 1 << 10);

const keysOf = { forward: addForwardKey, inverse: addInverseKeys, distinct: addDistinctKeys } as const;

export function writeTable(batchBytes: Uint8Array, target: TableTarget): WrittenTable {
  const { table } = target;
  const batch = new BatchReader(batchBytes);
  arena.clear();
  while (batch.next()) {
    const { first, last, count } = batch;
    arena.observe(first, last, count, table === 'distinct' ? era : unitOf(first, last));
    keysOf[table](batch, arena);
  }
  const order = arena.sorted();
  const output = new TableOutput(target, false);
  for (let from = 0; from < order.length; ) {
    const entry = order[from] as Entry;
    let to = from + 1;
    while (to < order.length && arena.sameKey(entry, order[to] as Entry)) to += 1;
    const start = arena.startOf(entry);
    const length = arena.lengthOf(entry);
    if (to - from === 1) {
      const unit = arena.unitOf(entry);
      const count = arena.countOf(entry);
      output.addSighting(arena.bytes, start, length, unit, arena.firstOf(entry), arena.lastOf(entry), count);
    } else {
      const buckets = [...order.subarray(from, to)].map((same) => bucketOf(arena, same));
      output.addBuckets(arena.bytes, start, length, buckets, 0);
    }
    from = to;
  }
  return output.finish();
}

function bucketOf(keys: KeyArena, entry: Entry): Bucket {
  const unit = keys.unitOf(entry);
  const firstSeconds = keys.firstOf(entry);
  const startSeconds = startOf(unit, firstSeconds);
  return { unit, startSeconds, firstSeconds, lastSeconds: keys.lastOf(entry), count: keys.countOf(entry) };
}

/** Fails with `DamagedData` where a source is damaged, so that damage never gets a new checksum. */
export function compactTables(
  sources: readonly SegmentSource[],
  target: TableTarget,
  nowSeconds: number,
): WrittenTable {
  const { directory, table } = target;
  const cache = new BlockCache(1 << 20);
  const tables = sources.map(
    (source) => new TableReader(tablePath(directory, source.name, table), cache, checksumOf(source, table)),
  );
  try {
    return mergeTables(tables, target, nowSeconds);
  } finally {
    for (const one of tables) one.close();
  }
}

function mergeTables(tables: readonly TableReader[], target: TableTarget, nowSeconds: number): WrittenTable {
  const { table } = target;
  for (const { file } of tables) file.assertUsable();
  const entries = tables.reduce((sum, one) => sum + one.entries, 0);
  const output = new TableOutput(target, table === 'distinct' && entries >= trigramIndexEntriesMin);
  const merge = new MergingCursor(tables);
  const buckets: Bucket[] = [];
  for (let more = merge.seek(new Uint8Array(0)); more; more = merge.step()) {
    const holder = merge.holders[0];
    if (!holder) continue;
    if (merge.holderCount === 1 && isSingleBucket(holder.bytes, holder.valueStart)) {
      output.addEncoded(merge.key, 0, merge.keyLength, holder.bytes, holder.valueStart, holder.valueEnd);
      continue;
    }
    buckets.length = 0;
    for (let index = 0; index < merge.holderCount; index += 1) {
      const { bytes, valueStart } = merge.holders[index] as { bytes: Uint8Array; valueStart: number };
      readBuckets(bytes, valueStart, buckets);
    }
    output.addBuckets(merge.key, 0, merge.keyLength, buckets, nowSeconds);
  }
  return output.finish();
}
