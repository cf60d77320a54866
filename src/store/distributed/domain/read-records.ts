/** Records as they are stored, with how many domains have each of their values. */
import { SharedCalls } from '../../../concurrency/shared-calls.ts';
import { Problem } from '../../../model/problem.ts';
import type { RecordPart } from '../../../model/record/attributes.ts';
import { keysIn } from '../../domain/record-keys.ts';
import { KeyCounts } from '../../domain/search/key-counts.ts';
import type { ValueKey } from '../../domain/value-keys.ts';
import type { DomainId, StoredRecord } from '../../domain-store.ts';
import type { PostgresDatabase } from '../postgres/database.ts';
import { arrayText } from './array-texts.ts';
import { countsOfKeys } from './posting/posting-rows.ts';
import { keyColumns } from './record-rows.ts';
import { idsByShard, localId, shardOfId } from './shard-ids.ts';

/** Records that are read by one statement. */
const batchRecords = 500;
/** Calls for so many records at most share a statement, and so many calls. */
const fewRecords = 32;
const togetherMax = 16;
/** Values that are counted by one statement. */
const countedAtOnce = 32_768;

interface ReadRecord {
  readonly json: string;
  /** One array per requested part. */
  readonly keys: readonly BigInt64Array[];
}

type RecordsById = ReadonlyMap<DomainId, ReadRecord>;

type Row = { readonly id: DomainId; readonly record: string } & Readonly<Record<string, Buffer>>;

/** Records of one database. Calls that come together and want few records share a statement. */
export class RecordReader {
  readonly database: PostgresDatabase;
  readonly #few = new Map<string, SharedCalls<readonly DomainId[], RecordsById>>();

  constructor(database: PostgresDatabase) {
    this.database = database;
  }

  /** By their ids in the shard; more than those that are wanted may be found. */
  read(ids: readonly DomainId[], parts: readonly RecordPart[]): Promise<RecordsById> {
    return ids.length > fewRecords ? readShard(this.database, ids, parts) : this.#fewOf(parts).call(ids);
  }

  #fewOf(parts: readonly RecordPart[]): SharedCalls<readonly DomainId[], RecordsById> {
    const known = this.#few.get(parts.join());
    if (known) return known;
    const calls = new SharedCalls<readonly DomainId[], RecordsById>(async (wanted) => {
      const found = await readShard(this.database, [...new Set(wanted.flat())], parts);
      return wanted.map(() => found);
    }, togetherMax);
    this.#few.set(parts.join(), calls);
    return calls;
  }
}

/** In the order of the ids. Values are counted in all shards. */
export async function readRecords(
  shards: readonly RecordReader[],
  ids: readonly DomainId[],
  parts: readonly RecordPart[],
): Promise<readonly StoredRecord[]> {
  const read = await Promise.all(
    idsByShard(ids, shards.length).map((some, shard) => (shards[shard] as RecordReader).read(some, parts)),
  );
  const records = ids.map((id) => {
    const record = read[shardOfId(id)]?.get(localId(id));
    if (!record) throw new Problem('not-found', `one of the domain ids ${ids.join()} does not exist`);
    return record;
  });
  if (parts.length === 0) return records.map(({ json }) => ({ json, counts: {} }));
  const counted = await countKeys(
    shards.map(({ database }) => database),
    records.flatMap(({ keys }) => keys),
  );
  return records.map(({ json }, index) => ({
    json,
    counts: Object.fromEntries(parts.map((part, offset) => [part, counted[index * parts.length + offset]])),
  }));
}

/** By their ids in the shard. */
async function readShard(
  shard: PostgresDatabase,
  ids: readonly DomainId[],
  parts: readonly RecordPart[],
): Promise<RecordsById> {
  const records = new Map<DomainId, ReadRecord>();
  for (let at = 0; at < ids.length; at += batchRecords) {
    const some = arrayText(ids.slice(at, at + batchRecords));
    const rows = await shard.read((sql) => {
      const columns = sql(['id', 'record', ...parts.map((part) => keyColumns[part])]);
      return sql<Row[]>`select ${columns} from record where id = any(${some}::bigint[])`;
    });
    for (const row of rows)
      records.set(row.id, {
        json: row.record,
        keys: parts.map((part) => keysIn(row[keyColumns[part]] as Buffer)),
      });
  }
  return records;
}

async function countKeys(
  shards: readonly PostgresDatabase[],
  lists: readonly BigInt64Array[],
): Promise<readonly Uint32Array[]> {
  const counted = new KeyCounts(lists);
  for (const keys of counted.listUnknown(countedAtOnce))
    counted.put(keys, await countsInShards(shards, keys));
  return counted.finish();
}

/** How many domains of all shards have each value. */
export async function countsInShards(
  shards: readonly PostgresDatabase[],
  keys: readonly ValueKey[],
): Promise<Uint32Array> {
  const [first, ...others] = await Promise.all(
    shards.map((shard) => shard.read((sql) => countsOfKeys(sql, keys))),
  );
  const sums = first as Uint32Array;
  for (const counts of others)
    for (let at = 0; at < keys.length; at += 1) sums[at] = (sums[at] as number) + (counts[at] as number);
  return sums;
}
