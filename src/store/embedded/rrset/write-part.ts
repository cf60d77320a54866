/** One part of a new run, made from a batch of observations or by merging that part of older runs. */
import { nameText } from '../../../model/dns/name.ts';
import { rdataText } from '../../../model/dns/rdata-text.ts';
import { BlockCache } from './block-cache.ts';
import { type Entry, KeyArena } from './key-arena.ts';
import { addDistinctKeys, addForwardKey, addInverseKeys, distincts, readTwo } from './keys.ts';
import { BatchReader } from './observation-batch.ts';
import { PartMerge } from './part-merge.ts';
import { PartReader } from './part-reader.ts';
import { type PartSummary, PartWriter } from './part-writer.ts';
import { type PartName, partPath } from './run-files.ts';
import {
  type Bucket,
  bucketBytesMax,
  fade,
  isSingle,
  readBuckets,
  SightingSum,
  startOf,
  unitOf,
  units,
  writeBucket,
  writeBuckets,
} from './time-buckets.ts';
import { TrigramWriter } from './trigrams.ts';

export type DataPart = Exclude<PartName, 'trigram'>;

/** Merged runs with fewer distinct texts, and new runs, are searched whole. */
const trigramsFromEntries = 50_000;
const era = units.indexOf('era');

export interface WrittenPart extends PartSummary {
  /** Of the distinct part, where it is large. */
  readonly trigram?: PartSummary;
}

/** Entries in, files out: a part and, where it is worth it, its index of trigrams. */
class PartOutput {
  readonly #part: PartWriter;
  readonly #trigramPart: PartWriter | undefined;
  readonly #trigrams: TrigramWriter | undefined;
  readonly #sum = new SightingSum();
  readonly #merged: boolean;
  #value = new Uint8Array(4096);

  constructor(directory: string, run: string, part: DataPart, withTrigrams: boolean) {
    // Texts are searched over all time, so their sightings are kept as one.
    this.#merged = part === 'distinct';
    if (withTrigrams) {
      this.#trigramPart = new PartWriter(partPath(directory, run, 'trigram'));
      this.#trigrams = new TrigramWriter(this.#trigramPart);
    }
    this.#part = new PartWriter(partPath(directory, run, part), (offset) =>
      this.#trigrams?.closeLeaf(offset),
    );
  }

  /** An entry whose sighting is already encoded as a single bucket, or as buckets that need no change. */
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
    const shown = this.#merged
      ? [{ unit: era, startSeconds: 0, firstSeconds, lastSeconds, count }]
      : fade(buckets, nowSeconds);
    const room = shown.length * bucketBytesMax;
    if (this.#value.length < room) this.#value = new Uint8Array(room * 2);
    this.#add(key, start, length, this.#value, 0, writeBuckets(this.#value, 0, shown));
  }

  finish(): WrittenPart {
    const summary = this.#part.finish();
    if (!this.#trigrams || !this.#trigramPart) return summary;
    this.#trigrams.finish();
    return { ...summary, trigram: this.#trigramPart.finish() };
  }

  #add(
    key: Uint8Array,
    start: number,
    length: number,
    value: Uint8Array,
    at: number,
    valueLength: number,
  ): void {
    if (this.#trigrams && !(key[start] === distincts.owner && this.#trigrams.addName(key, start + 1))) {
      const text = searchedText(key, start, length);
      if (text !== undefined) this.#trigrams.add(text);
    }
    this.#part.add(key, start, length, value, at, valueLength, this.#sum.firstSeconds, this.#sum.lastSeconds);
  }
}

/** The text of an entry of the distinct part that flexible search looks at. */
export function searchedText(key: Uint8Array, start: number, length: number): string | undefined {
  const kind = key[start];
  if (kind === distincts.owner) return nameText(key, start + 1);
  if (kind !== distincts.rdata) return undefined;
  const rdataLength = readTwo(key, start + length - 2);
  const rdata = key.slice(start + 1, start + 1 + rdataLength);
  return rdataText(readTwo(key, start + 1 + rdataLength), rdata);
}

/** Each thread writes one part after another, so one stretch of memory serves them all. */
const arena = new KeyArena(1 << 16, 1 << 10);

const keysOf = { forward: addForwardKey, inverse: addInverseKeys, distinct: addDistinctKeys } as const;

export function writePartOf(
  batchBytes: Uint8Array,
  directory: string,
  run: string,
  part: DataPart,
): WrittenPart {
  const batch = new BatchReader(batchBytes);
  arena.clear();
  while (batch.next()) {
    const { first, last, count } = batch;
    arena.observe(first, last, count, part === 'distinct' ? era : unitOf(first, last));
    keysOf[part](batch, arena);
  }
  const order = arena.sorted();
  const output = new PartOutput(directory, run, part, false);
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

export function mergeParts(
  directory: string,
  runs: readonly string[],
  into: string,
  part: DataPart,
  nowSeconds: number,
): WrittenPart {
  const cache = new BlockCache(1 << 20);
  const parts = runs.map((run) => new PartReader(partPath(directory, run, part), cache));
  const entries = parts.reduce((sum, one) => sum + one.entries, 0);
  const output = new PartOutput(directory, into, part, part === 'distinct' && entries >= trigramsFromEntries);
  const merge = new PartMerge(parts);
  const buckets: Bucket[] = [];
  for (let more = merge.seek(new Uint8Array(0)); more; more = merge.step()) {
    const holder = merge.holders[0];
    if (!holder) continue;
    if (merge.holderCount === 1 && isSingle(holder.bytes, holder.valueStart)) {
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
  for (const one of parts) one.close();
  return output.finish();
}
