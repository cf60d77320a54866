/** What has to be right about PostgreSQL and its clock: asked now and then for readiness, and in full by `doctor`. */
import type { Clock } from '../../../model/clock.ts';
import type { EngineCheck } from '../../engine/engine-check.ts';
import type { PostgresDatabase } from './database.ts';
import { schemaFault } from './schema-fault.ts';

/** Windows of limits and leases go by the clocks of the nodes. */
const skewMsMax = 2000;
const versionMin = 15;

/** How far the clock of this node is ahead of that of the database; the middle of the question counts as its time. */
export async function clockSkewMs(database: PostgresDatabase, clock: Clock): Promise<number> {
  const askedMs = clock.now();
  const [row] = await database.read(
    (sql) => sql<{ now_ms: number }[]>`select extract(epoch from clock_timestamp())::float8 * 1000 as now_ms`,
  );
  return (askedMs + clock.now()) / 2 - (row?.now_ms ?? 0);
}

export function skewAdvice(skewMs: number): string | undefined {
  if (Math.abs(skewMs) <= skewMsMax) return undefined;
  const seconds = (Math.abs(skewMs) / 1000).toFixed(1);
  return `the clock of this node is ${seconds} s ${skewMs > 0 ? 'ahead of' : 'behind'} that of PostgreSQL; synchronize both (NTP)`;
}

export async function checkPostgres(
  database: PostgresDatabase,
  clock: Clock,
): Promise<readonly EngineCheck[]> {
  const [server] = await database.read(
    (sql) => sql<ServerRow[]>`select current_setting('server_version_num')::int / 10000 as major,
      current_setting('server_version') as version, current_setting('synchronous_commit') as synchronous_commit,
      current_setting('fsync') as fsync, current_setting('max_connections')::int as max_connections,
      exists (select from pg_available_extensions where name = 'pg_trgm') as has_trigrams`,
  );
  if (!server) throw new Error('PostgreSQL says nothing about itself');
  const schema = await schemaFault(database);
  const skew = skewAdvice(await clockSkewMs(database, clock));
  return [
    {
      check: `PostgreSQL ${versionMin} or later`,
      state: server.major >= versionMin ? 'ok' : 'fail',
      advice: server.major >= versionMin ? '' : `this is ${server.version}: upgrade it`,
    },
    {
      check: 'PostgreSQL has the extension pg_trgm',
      state: server.has_trigrams ? 'ok' : 'fail',
      advice: server.has_trigrams ? '' : 'install postgresql-contrib',
    },
    {
      check: 'the tables are those of this version',
      state: schema === undefined ? 'ok' : 'fail',
      advice: schema ?? '',
    },
    { check: 'the clocks agree', state: skew === undefined ? 'ok' : 'fail', advice: skew ?? '' },
    {
      check: 'PostgreSQL writes to disk before it acknowledges',
      state: server.fsync === 'on' ? 'ok' : 'fail',
      advice: server.fsync === 'on' ? '' : 'fsync is off: a crash of the machine destroys the database',
    },
    await checkReplication(database),
  ];
}

interface ServerRow {
  readonly major: number;
  readonly version: string;
  readonly synchronous_commit: string;
  readonly fsync: string;
  readonly max_connections: number;
  readonly has_trigrams: boolean;
}

/** The view is empty for users without `pg_monitor`, which is a warning with the same advice. */
async function checkReplication(database: PostgresDatabase): Promise<EngineCheck> {
  const rows = await database.read(
    (sql) => sql<{ sync_state: string | null }[]>`select sync_state from pg_stat_replication`,
  );
  const check = 'PostgreSQL has a synchronous replica';
  const hasSynchronous = rows.some(({ sync_state: state }) => state === 'sync' || state === 'quorum');
  if (hasSynchronous) return { check, state: 'ok', advice: '' };
  const advice =
    rows.length === 0
      ? 'no replica is connected: when this machine is lost, so is everything since the last backup (or the user lacks pg_monitor)'
      : 'replicas are asynchronous: a failover loses the last moments';
  return { check, state: 'warn', advice };
}
