/** Queries of the table of passive DNS. */

import type { Sighting } from '../../../model/dns/rrset.ts';
import { DamagedData } from '../../damage.ts';
import { isPast } from '../../rrset/scan/key-ranges.ts';
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
  mergedRowsOfEach,
  tables,
} from '../clickhouse/sql.ts';
import { LookupGatherer } from './lookup-gatherer.ts';
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
  readonly #gatherers: ReadonlyMap<ClickHouseClient, LookupGatherer>;

  constructor(shards: readonly ClickHouseClient[]) {
    this.#shards = shards;
    this.#gatherers = new Map(shards.map((shard) => [shard, gathererOf(shard)]));
  }

  /** Whether the server may skip rows: it does not know those of other shards. */
  get isWhole(): boolean {
    return this.#shards.length === 1;
  }

  async readMerged(
    query: KeyQuery,
    filter: SightingFilter,
    signal: AbortSignal,
  ): Promise<readonly KeySighting[]> {
    const found = await Promise.all(
      this.#shardsOf(query).map((shard) => {
        const gatherer = query.isPoint ? this.#gatherers.get(shard) : undefined;
        return gatherer ? gatherer.read(query, filter, signal) : readMerged(shard, query, filter, signal);
      }),
    );
    return firstOf(found, query, (row) => row.key);
  }

  async readBuckets(query: KeyQuery, signal: AbortSignal): Promise<readonly KeyBuckets[]> {
    const shards = this.#shardsOf(query);
    const found = await this.#readFrom(
      shards,
      (dialect) => bucketRows(dialect, query),
      readKeyBuckets,
      signal,
    );
    return firstOf(found, query, (row) => row.key);
  }

  async readKeys(query: KeyQuery, signal: AbortSignal): Promise<readonly Uint8Array[]> {
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

  /** Changes the table of batches, or what follows from it. It may be done twice. */
  async writeBatch(statementIn: StatementIn): Promise<void> {
    const [shard] = this.#shards;
    if (shard) await shard.write(statementIn(dialectOf(await shard.capabilities())), limits);
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

function readMerged(
  shard: ClickHouseClient,
  query: KeyQuery,
  filter: SightingFilter,
  signal: AbortSignal,
): Promise<KeySighting[]> {
  return readShard(shard, (dialect) => mergedRows(dialect, query, filter), readSighting, signal);
}

/** Lookups of names and addresses, which are apart from each other, in one query. */
function gathererOf(shard: ClickHouseClient): LookupGatherer {
  return new LookupGatherer(async (queries, filter, signal) => {
    const [first] = queries;
    if (!first) return [];
    if (queries.length === 1) return [await readMerged(shard, first, filter, signal)];
    const points = queries.flatMap(({ ranges }, index) => ranges.map((range) => ({ range, index })));
    points.sort((left, right) => Buffer.compare(left.range.from, right.range.from));
    const query = { ...first, ranges: points.map(({ range }) => range) };
    const rows = await readShard(
      shard,
      (dialect) => mergedRowsOfEach(dialect, query, filter),
      readSighting,
      signal,
    );
    const found = queries.map((): KeySighting[] => []);
    let at = 0;
    for (const row of rows) {
      for (let point = points[at]; point && isPast(point.range, row.key, row.key.length); point = points[at])
        at += 1;
      found[points[at]?.index ?? -1]?.push(row);
    }
    return found;
  });
}

async function readShard<Row>(
  client: ClickHouseClient,
  statementIn: StatementIn,
  readRow: (reader: RowReader) => Row,
  signal: AbortSignal | undefined,
): Promise<Row[]> {
  const capabilities = await client.capabilities();
  const settings = {
    ...limits,
    ...(capabilities.readsInOrder && { optimize_aggregation_in_order: 1 }),
    // The server then ends a query whose connection is closed, beside our own request to end it.
    ...(capabilities.isModern && signal && { readonly: 2, cancel_http_readonly_queries_on_client_close: 1 }),
  };
  try {
    const statement = statementIn(dialectOf(capabilities));
    return readRows(await client.read(statement, { signal, settings }), readRow);
  } catch (error) {
    if (error instanceof ClickHouseError && isDamageCode(error.code)) throw damagedBy(error);
    throw error;
  }
}

/** Each shard gave its first ones, so the first of all of them are there. */
function firstOf<Row>(
  found: readonly (readonly Row[])[],
  { limit }: KeyQuery,
  keyOf: (row: Row) => Uint8Array,
): readonly Row[] {
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
