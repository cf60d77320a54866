/** Merges one table of several segments into that of a new one (compaction). */
import { BlockCache } from './block-cache.ts';
import { copyBytes } from './byte-order.ts';
import { LoserTree } from './loser-tree.ts';
import { checksumOf, type SegmentSource, tablePath } from './segment-files.ts';
import { TableOutput, type TableTarget, type WrittenTable } from './table-output.ts';
import { TableCursor, TableReader } from './table-reader.ts';
import { type Bucket, isSingleBucket, readBuckets } from './time-buckets.ts';

/** Only compacted segments with at least this many distinct texts get a trigram index; reading all of a smaller one is cheap. */
const trigramIndexEntriesMin = 50_000;

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
    for (const { file } of tables) file.assertUsable();
    return mergeTables(tables, target, nowSeconds);
  } finally {
    for (const one of tables) one.close();
  }
}

function mergeTables(tables: readonly TableReader[], target: TableTarget, nowSeconds: number): WrittenTable {
  const entries = tables.reduce((sum, one) => sum + one.entries, 0);
  const output = new TableOutput(target, target.table === 'distinct' && entries >= trigramIndexEntriesMin);
  const merge = new LoserTree(tables.map((table) => new TableCursor(table)));
  let merged: MergedEntry | undefined;
  for (let cursor = merge.next(); cursor; cursor = merge.next()) {
    if (merged && merge.isRepeated) merged.add(cursor);
    else {
      merged?.write(merge.key, merge.keyLength);
      merged ??= new MergedEntry(output, nowSeconds);
      merged.begin(merge.takeKey(), cursor);
    }
  }
  merged?.write(merge.key, merge.keyLength);
  return output.finish();
}

/** The entry that is being put together from all tables that have its key. */
class MergedEntry {
  readonly #output: TableOutput;
  readonly #nowSeconds: number;
  #shared = 0;
  /** The encoded bucket, if there is but one. */
  #value = new Uint8Array(64);
  #valueLength = 0;
  readonly #buckets: Bucket[] = [];

  constructor(output: TableOutput, nowSeconds: number) {
    this.#output = output;
    this.#nowSeconds = nowSeconds;
  }

  begin(shared: number, cursor: TableCursor): void {
    const { bytes, valueStart, valueEnd } = cursor;
    this.#shared = shared;
    this.#buckets.length = 0;
    this.#valueLength = 0;
    if (valueStart === valueEnd || !isSingleBucket(bytes, valueStart)) return this.add(cursor);
    this.#valueLength = valueEnd - valueStart;
    if (this.#value.length < this.#valueLength) this.#value = new Uint8Array(this.#valueLength * 2);
    copyBytes(bytes, valueStart, this.#valueLength, this.#value, 0);
  }

  add({ bytes, valueStart }: TableCursor): void {
    if (this.#valueLength > 0) readBuckets(this.#value, 0, this.#buckets);
    this.#valueLength = 0;
    readBuckets(bytes, valueStart, this.#buckets);
  }

  write(key: Uint8Array, keyLength: number): void {
    const [shared, valueLength] = [this.#shared, this.#valueLength];
    if (valueLength > 0) this.#output.addEncoded(shared, key, keyLength, this.#value, valueLength);
    else this.#output.addBuckets(shared, key, 0, keyLength, this.#buckets, this.#nowSeconds);
  }
}
