/** Queries of the table of passive DNS. */

import type { Sighting } from '../../../model/dns/rrset.ts';
import { DamagedData } from '../../damage.ts';
import { type Bucket, startOf } from '../../rrset/segment/time-buckets.ts';
import type { SightingFilter } from '../../rrset-store.ts';
import type { ClickHouseClient } from '../clickhouse/clickhouse-client.ts';
import { ClickHouseError, isDamageCode } from '../clickhouse/clickhouse-errors.ts';
import { type RowReader, readRows } from '../clickhouse/row-binary.ts';
import {
  bucketRows,
  type Dialect,
  dialectOf,
  type KeyQuery,
  keysInOrder,
  mergedRows,
  tables,
} from '../clickhouse/sql.ts';
import { shardOfOwner } from './shard-of.ts';

type StatementIn = (dialect: Dialect) => string;

export interface KeySighting extends Sighting {
  readonly key: Uint8Array;
}

export interface KeyBuckets {
  readonly key: Uint8Array;
  readonly buckets: readonly Bucket[];
}

/** Larger than any statement, and what the answer needs no more than. */
const limits = { max_query_size: 1 << 26, max_ast_elements: 1 << 20, max_expanded_ast_elements: 1 << 21 };

export class RowTable {
  readonly #shards: readonly ClickHouseClient[];

  constructor(shards: readonly ClickHouseClient[]) {
    this.#shards = shards;
  }

  /** Whether the server may skip rows: it does not know those of other shards. */
  get isWhole(): boolean {
    return this.#shards.length === 1;
  }

  async readMerged(query: KeyQuery, filter: SightingFilter, signal: AbortSignal): Promise<KeySighting[]> {
    const shards = this.#shardsOf(query);
    const found = await this.#readFrom(
      shards,
      (dialect) => mergedRows(dialect, query, filter),
      readSighting,
      signal,
    );
    return firstOf(found, query, (row) => row.key);
  }

  async readBuckets(query: KeyQuery, signal: AbortSignal): Promise<KeyBuckets[]> {
    const shards = this.#shardsOf(query);
    const found = await this.#readFrom(
      shards,
      (dialect) => bucketRows(dialect, query),
      readKeyBuckets,
      signal,
    );
    return firstOf(found, query, (row) => row.key);
  }

  async readKeys(query: KeyQuery, signal: AbortSignal): Promise<Uint8Array[]> {
    const found = await this.#readFrom(
      this.#shards,
      () => keysInOrder(query),
      (row) => row.string(),
      signal,
    );
    return firstOf(found, query, (key) => key);
  }

  /** The rows of all shards, one after the other. */
  async read<Row>(statementIn: StatementIn, readRow: (reader: RowReader) => Row): Promise<Row[]> {
    return (await this.#readFrom(this.#shards, statementIn, readRow)).flat();
  }

  /** The table of batches is in the first shard. */
  async readBatch<Row>(statementIn: StatementIn, readRow: (reader: RowReader) => Row): Promise<Row[]> {
    return (await this.#readFrom(this.#shards.slice(0, 1), statementIn, readRow)).flat();
  }

  #shardsOf({ owner }: KeyQuery): readonly ClickHouseClient[] {
    if (!owner) return this.#shards;
    const shard = shardOfOwner(owner, this.#shards.length);
    return this.#shards.slice(shard, shard + 1);
  }

  /** Where one of them is away, nobody gets a part of the result as if it were all. */
  #readFrom<Row>(
    shards: readonly ClickHouseClient[],
    statementIn: StatementIn,
    readRow: (reader: RowReader) => Row,
    signal?: AbortSignal,
  ): Promise<Row[][]> {
    return Promise.all(shards.map((shard) => readShard(shard, statementIn, readRow, signal)));
  }
}

async function readShard<Row>(
  client: ClickHouseClient,
  statementIn: StatementIn,
  readRow: (reader: RowReader) => Row,
  signal: AbortSignal | undefined,
): Promise<Row[]> {
  const capabilities = await client.capabilities();
  const settings = capabilities.readsInOrder ? { ...limits, optimize_aggregation_in_order: 1 } : limits;
  try {
    const statement = statementIn(dialectOf(capabilities));
    return readRows(await client.read(statement, { signal, settings }), readRow);
  } catch (error) {
    if (error instanceof ClickHouseError && isDamageCode(error.code)) throw damagedBy(error);
    throw error;
  }
}

/** Each shard gave its first ones, so the first of all of them are there. */
function firstOf<Row>(found: readonly Row[][], { limit }: KeyQuery, keyOf: (row: Row) => Uint8Array): Row[] {
  const [only = []] = found;
  if (found.length === 1) return only;
  return found
    .flat()
    .sort((left, right) => Buffer.compare(keyOf(left), keyOf(right)))
    .slice(0, limit);
}

function damagedBy(error: Error): DamagedData {
  return new DamagedData(
    { file: `ClickHouse table ${tables.rows}`, problem: error.message },
    { cause: error },
  );
}

export function readSighting(row: RowReader): KeySighting {
  return {
    key: row.string(),
    firstSeconds: row.uint32(),
    lastSeconds: row.uint32(),
    count: row.uint64(),
  };
}

function readKeyBuckets(row: RowReader): KeyBuckets {
  const key = row.string();
  const buckets: Bucket[] = [];
  for (let left = row.length(); left > 0; left -= 1) {
    const unit = row.uint8();
    const firstSeconds = row.uint32();
    const startSeconds = startOf(unit, firstSeconds);
    buckets.push({ unit, startSeconds, firstSeconds, lastSeconds: row.uint32(), count: row.uint64() });
  }
  return { key, buckets };
}
