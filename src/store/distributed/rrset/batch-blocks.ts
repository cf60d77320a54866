/** Makes the blocks that a batch of observations is inserted as. It takes a second of a processor for a large batch, so it is done in a thread. */
import { nameText } from '../../../model/dns/name.ts';
import { rdataText } from '../../../model/dns/rdata-text.ts';
import { typeText } from '../../../model/dns/rr-type.ts';
import { BatchReader } from '../../rrset/observation-batch.ts';
import { type Entry, KeyArena } from '../../rrset/segment/key-arena.ts';
import {
  addDistinctKeys,
  addForwardKey,
  addInverseKeys,
  distinctKinds,
  inverseKinds,
  readForwardKey,
  readUint16,
  typeOfInverseKey,
} from '../../rrset/segment/keys.ts';
import { searchedText } from '../../rrset/segment/table-output.ts';
import { type Bucket, downsample, SightingSum, startOf, unitOf } from '../../rrset/segment/time-buckets.ts';
import { dialectOf, type RowKind, rowKinds } from '../clickhouse/sql.ts';
import { KnownNames } from './known-names.ts';
import { BatchRowWriter, noBytes, RowWriter, type WrittenRow } from './row-writer.ts';
import { shardOfKey } from './shard-of.ts';

export interface BlockOptions {
  readonly batchId: Uint8Array;
  readonly sequence: number;
  readonly hasSimpleAggregates: boolean;
  readonly shards: number;
  /** Whether what it contains is kept until it is published. */
  readonly publish: boolean;
  /** Whether its base domains are known at once, since no batch before it is still to be published. */
  readonly isKnownAtOnce: boolean;
}

export interface BatchBlocks {
  /** For each shard. */
  readonly rows: readonly Uint8Array<ArrayBuffer>[];
  /** For the table of batches, in the first shard; undefined where it needs none. */
  readonly batch: Uint8Array<ArrayBuffer> | undefined;
  readonly rrsets: number;
  readonly minFirst: number;
  readonly maxLast: number;
}

type KeyDetails = Pick<WrittenRow, 'type' | 'labels' | 'bailiwick' | 'text'>;

const tablesOfKeys = [
  { kind: rowKinds.forward, addKeys: addForwardKey, detailsOf: forwardDetails },
  { kind: rowKinds.inverse, addKeys: addInverseKeys, detailsOf: inverseDetails },
  { kind: rowKinds.distinct, addKeys: addDistinctKeys, detailsOf: distinctDetails },
] as const;

/** A thread makes one batch at a time, so all of them share one arena. */
const arena = new KeyArena(1 << 16, 1 << 10);

export function batchBlocks(bytes: Uint8Array, options: BlockOptions): BatchBlocks {
  const dialect = dialectOf(options);
  const { sequence, publish, isKnownAtOnce } = options;
  const writer = new ShardedWriter(options.shards, () => new RowWriter(dialect, sequence));
  const batchWriter = new BatchRowWriter(dialect, sequence);
  const sum = new SightingSum();
  let rrsets = 0;
  for (const { kind, addKeys, detailsOf } of tablesOfKeys) {
    readKeys(bytes, addKeys, kind === rowKinds.distinct);
    for (const { key, buckets } of groupedKeys()) {
      addRows(writer, buckets, { kind, key, ...detailsOf(key) });
      if (kind !== rowKinds.forward) continue;
      rrsets += 1;
      if (publish) batchWriter.add({ kind, key, ...totalOf(buckets) });
      for (const { firstSeconds, lastSeconds } of buckets) sum.add(firstSeconds, lastSeconds, 1);
    }
  }
  const known = knownNamesOf(bytes);
  for (const text of known.seen) addPlain(writer, rowKinds.seen, text, { first: 0, last: 0, count: 0 });
  for (const [text, { first, last, isSensed }] of known.domains) {
    const sighting = { first, last, count: isSensed ? 1 : 0 };
    if (isKnownAtOnce) addPlain(writer, rowKinds.domain, text, sighting);
    else batchWriter.add({ kind: rowKinds.domain, key: Buffer.from(text, 'latin1'), ...sighting });
  }
  return {
    rows: writer.finish(options.batchId),
    batch: batchWriter.rows === 0 ? undefined : batchWriter.finish(),
    rrsets,
    minFirst: sum.firstSeconds,
    maxLast: sum.lastSeconds,
  };
}

/** Each row goes to its shard. */
class ShardedWriter {
  readonly #writers: readonly RowWriter[];

  constructor(shards: number, newWriter: () => RowWriter) {
    this.#writers = Array.from({ length: shards }, newWriter);
  }

  add(row: WrittenRow): void {
    this.#writers[shardOfKey(row.kind, row.key, this.#writers.length)]?.add(row);
  }

  finish(batchId: Uint8Array): readonly Uint8Array<ArrayBuffer>[] {
    return this.#writers.map((writer) => {
      writer.addMarker(batchId);
      return writer.finish();
    });
  }
}

function readKeys(bytes: Uint8Array, addKeys: typeof addForwardKey, isMerged: boolean): void {
  arena.clear();
  const batch = new BatchReader(bytes);
  while (batch.next()) {
    const { first, last, count } = batch;
    arena.observe(first, last, count, isMerged ? era : unitOf(first, last));
    addKeys(batch, arena);
  }
}

/** Texts have no time buckets. */
const era = 5;

/** Each key once, in order, with its time buckets. */
function* groupedKeys(): Generator<{ readonly key: Uint8Array; readonly buckets: readonly Bucket[] }> {
  const order = arena.sorted();
  for (let from = 0; from < order.length; ) {
    const entry = order[from] as Entry;
    let to = from + 1;
    while (to < order.length && arena.sameKey(entry, order[to] as Entry)) to += 1;
    const start = arena.startOf(entry);
    const key = arena.bytes.subarray(start, start + arena.lengthOf(entry));
    const buckets = [...order.subarray(from, to)].map(bucketOf);
    // At time 0 no bucket is old: those of the same unit and start are merged.
    yield { key, buckets: buckets.length === 1 ? buckets : downsample(buckets, 0) };
    from = to;
  }
}

function bucketOf(entry: Entry): Bucket {
  const unit = arena.unitOf(entry);
  const firstSeconds = arena.firstOf(entry);
  const startSeconds = startOf(unit, firstSeconds);
  return { unit, startSeconds, firstSeconds, lastSeconds: arena.lastOf(entry), count: arena.countOf(entry) };
}

function addRows(
  writer: ShardedWriter,
  buckets: readonly Bucket[],
  row: KeyDetails & Pick<WrittenRow, 'kind' | 'key'>,
): void {
  for (const { unit, startSeconds, firstSeconds: first, lastSeconds: last, count } of buckets) {
    writer.add({ ...row, unit, startSeconds, first, last, count });
  }
}

function addPlain(
  writer: ShardedWriter,
  kind: RowKind,
  text: string,
  sighting: Pick<WrittenRow, 'first' | 'last' | 'count'>,
): void {
  const key = Buffer.from(text, 'latin1');
  writer.add({
    kind,
    key,
    unit: 0,
    startSeconds: 0,
    type: 0,
    labels: 0,
    bailiwick: noBytes,
    text: '',
    ...sighting,
  });
}

function totalOf(buckets: readonly Bucket[]) {
  const sum = new SightingSum();
  for (const { firstSeconds, lastSeconds, count } of buckets) sum.add(firstSeconds, lastSeconds, count);
  return { first: sum.firstSeconds, last: sum.lastSeconds, count: sum.count };
}

function knownNamesOf(bytes: Uint8Array): KnownNames {
  const known = new KnownNames();
  const batch = new BatchReader(bytes);
  while (batch.next()) known.add(batch);
  return known;
}

function forwardDetails(key: Uint8Array): KeyDetails {
  const { owner, type, bailiwick, rdata } = readForwardKey(key, key.length);
  // For the views of analysts: presentation forms have no tab.
  let text = `${nameText(owner)}\t${typeText(type)}\t${nameText(bailiwick)}`;
  for (const one of rdata) {
    if (text.length > textCharactersMax) break;
    text += `\t${rdataText(type, one)}`;
  }
  return { type, labels: labelCount(key, 0), bailiwick, text };
}

/** Of an RRset with very much data, the views show a part. */
const textCharactersMax = 16_384;

function inverseDetails(key: Uint8Array): KeyDetails {
  const labels = key[0] === inverseKinds.name ? labelCount(key, 1) : 0;
  return { type: typeOfInverseKey(key, key.length), labels, bailiwick: noBytes, text: '' };
}

/** Patterns ignore case, and so the text has none. */
function distinctDetails(key: Uint8Array): KeyDetails {
  const typeAt = key[0] === distinctKinds.rdata ? 1 + readUint16(key, key.length - 2) : key.length - 2;
  const text = (searchedText(key, 0, key.length) ?? '').toLowerCase();
  return { type: readUint16(key, typeAt), labels: 0, bailiwick: noBytes, text };
}

/** The labels of a name, in either order. */
export function labelCount(bytes: Uint8Array, at: number): number {
  let labels = 0;
  for (let offset = at; bytes[offset] !== 0 && offset < bytes.length; labels += 1) {
    offset += (bytes[offset] as number) + 1;
  }
  return labels;
}
