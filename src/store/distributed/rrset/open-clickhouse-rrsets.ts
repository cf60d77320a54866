/** Opens passive DNS on ClickHouse, and makes its tables. */
import { Problem } from '../../../model/problem.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import { ClickHouseClient } from '../clickhouse/clickhouse-client.ts';
import { createDatabase, createTables } from '../clickhouse/schema.ts';
import { tablesOf } from '../clickhouse/sql.ts';
import type { PostgresDatabase } from '../postgres/database.ts';
import { ClickHouseRrsetStore } from './rrset-store.ts';

type ClickHouseSettings = Settings['store']['clickhouse'];

export interface OpenOptions {
  readonly database: PostgresDatabase;
  readonly settings: ClickHouseSettings;
  /** How long a node that died keeps its batch under way. */
  readonly leaseMs?: number;
}

/**
 * Throws where the version is too old or tables are missing. While ClickHouse is away everything but passive DNS works, so that is not an error:
 * it is found out when it is there.
 */
export async function openClickHouseRrsets({
  database,
  settings,
  leaseMs,
}: OpenOptions): Promise<ClickHouseRrsetStore> {
  requireUrls(settings);
  try {
    await requireUsable(settings);
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'try-again')) throw error;
  }
  const lease = leaseMs === undefined ? {} : { leaseMs };
  return new ClickHouseRrsetStore({ database, shards: shardsOf(settings), ...lease });
}

/** Tables that are there already stay as they are. */
export async function migrateClickHouse(settings: ClickHouseSettings): Promise<void> {
  requireUrls(settings);
  const { database, cluster } = settings;
  const servers = serversOf(settings);
  for (const server of servers) await createDatabase(server, database);
  for (const [index, shard] of shardsOf(settings).entries()) {
    // Of a client that does not ask for tables.
    const capabilities = await (servers[index] ?? shard).capabilities();
    await createTables(shard, { capabilities, cluster });
  }
}

async function requireUsable(settings: ClickHouseSettings): Promise<void> {
  for (const server of serversOf(settings)) {
    await server.capabilities();
    if (Number((await server.read(tablesOf(settings.database))).toString()) === 2) continue;
    throw new Problem(
      'unavailable',
      'ClickHouse lacks the tables of passive DNS; run "nameglass store migrate" first',
    );
  }
}

/** A client for each shard. Its replicas are separated by commas. */
function shardsOf(settings: ClickHouseSettings): readonly ClickHouseClient[] {
  const isReplicated = settings.cluster !== '';
  return settings.urls.map(
    (urls) => new ClickHouseClient({ ...settings, urls: urls.split(','), isReplicated }),
  );
}

/** The same for what is asked without our tables: a database that is not there cannot be named in a request. */
function serversOf(settings: ClickHouseSettings): readonly ClickHouseClient[] {
  return shardsOf({ ...settings, database: 'default', cluster: '' });
}

function requireUrls({ urls, cluster }: ClickHouseSettings): void {
  if (cluster === '' && urls.some((replicas) => replicas.includes(',')))
    throw new Problem(
      'invalid-parameters',
      'store.clickhouse.urls names several replicas of a shard: store.clickhouse.cluster is needed, or each would have a part of the rows',
    );
  if (urls.length > 0) return;
  throw new Problem(
    'invalid-parameters',
    'store.clickhouse.urls is empty: with passive DNS on ClickHouse it names its servers',
  );
}
