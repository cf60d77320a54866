/** Makes the database, its tables and views, on each replica of a shard. Statements that were done before change nothing. */
import type { Capabilities } from './capabilities.ts';
import type { ClickHouseClient } from './clickhouse-client.ts';
import { type Column, dialectOf, tables } from './sql.ts';
import { viewStatements } from './views.ts';

export interface SchemaOptions {
  readonly capabilities: Capabilities;
  /** Of the configuration of ClickHouse, where its tables are replicated; empty otherwise. */
  readonly cluster: string;
}

export async function createTables(client: ClickHouseClient, options: SchemaOptions): Promise<void> {
  for (const statement of tableStatements(client.database, options)) await client.runOnAll(statement);
}

export function tableStatements(
  database: string,
  { capabilities, cluster }: SchemaOptions,
): readonly string[] {
  const dialect = dialectOf(capabilities);
  const { columns, batchColumns } = dialect;
  const { isModern } = capabilities;
  const engine = (name: string, table: string) =>
    cluster === ''
      ? name
      : `Replicated${name}('/clickhouse/${cluster}/{shard}/${database}/${table}', '{replica}')`;
  const index = isModern ? ', index text_trigrams text type ngrambf_v1(3, 4096, 2, 0) granularity 4' : '';
  // An acknowledged insert survives a power failure: by its files, or by another replica.
  const durable = isModern && cluster === '' ? ', fsync_after_insert = 1, fsync_part_directory = 1' : '';
  return [
    `create table if not exists ${tables.rows} (${columnList(columns, isModern)}${index})
      engine = ${engine('AggregatingMergeTree', tables.rows)} order by (kind, key, unit, start)
      settings index_granularity = 1024${durable}`,
    `create table if not exists ${tables.batch} (${columnList(batchColumns, isModern)})
      engine = ${engine('MergeTree', tables.batch)} partition by sequence order by (kind, key)
      settings index_granularity = 1024${durable}`,
    ...viewStatements(dialect),
  ];
}

/** In a request of its own, since a database that is not there cannot be named in one. */
export async function createDatabase(client: ClickHouseClient, database: string): Promise<void> {
  await client.runOnAll(`create database if not exists \`${database}\``);
}

function columnList(columns: readonly Column[], hasCodecs: boolean): string {
  return columns
    .map(({ name, type }) => `${name} ${type}${hasCodecs && type === 'String' ? ' codec(ZSTD(3))' : ''}`)
    .join(', ');
}
