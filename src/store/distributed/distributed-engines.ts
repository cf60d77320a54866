/** PostgreSQL, the object store and ClickHouse: their tables, and what may be wrong with them. */
import type { Clock } from '../../model/clock.ts';
import { Problem } from '../../model/problem.ts';
import type { Settings } from '../../model/settings/settings.ts';
import type { EngineCheck } from '../engine/engine-check.ts';
import type { Engines } from '../engine/engines.ts';
import { checkClickHouse } from './clickhouse/clickhouse-checks.ts';
import { type DatabaseOptions, PostgresDatabase } from './postgres/database.ts';
import { migrate } from './postgres/migrations.ts';
import { checkPostgres } from './postgres/postgres-checks.ts';
import { schemaFault } from './postgres/schema-fault.ts';
import { migrateClickHouse } from './rrset/open-clickhouse-rrsets.ts';
import { checkS3 } from './s3/s3-checks.ts';
import { unsealedAdvice, unsealedBytes } from './stream/unsealed-bytes.ts';
import { checkUnusedPassiveDns } from './unused-passive-dns.ts';

export function distributedEngines(clock: Clock): Engines {
  return {
    async migrate({ store }) {
      const done: string[] = [];
      for (const options of databasesOf(store)) {
        const made = await withDatabase(options, (database) => migrate(database));
        done.push(...made.map(({ part, number }) => `${part} ${number}`));
      }
      if (store.passiveDns === 'clickhouse') await migrateClickHouse(store.clickhouse);
      return done;
    },

    async check({ store, data }) {
      const checks: EngineCheck[] = [];
      for (const [index, options] of databasesOf(store).entries()) {
        const more = index === 0 ? checkMain(store, data) : async () => [];
        checks.push(...(await checkDatabase(options, clock, more)));
      }
      checks.push(...(await checkS3(store.s3)));
      if (store.passiveDns === 'clickhouse') checks.push(...(await checkClickHouse(store.clickhouse)));
      return checks;
    },
  };
}

/** The main database, then the shards of records. Throws without the settings that it needs. */
export function databasesOf(store: Settings['store']): readonly DatabaseOptions[] {
  const { url, shards, schema, poolMax } = store.postgres;
  if (url === '')
    throw new Problem(
      'invalid-parameters',
      'store.postgres.url is empty: with store.kind distributed it names PostgreSQL',
    );
  return [url, ...shards].map((each) => ({ url: each, schema, poolMax }));
}

type Check = (database: PostgresDatabase) => Promise<readonly EngineCheck[]>;

/** Where the tables are missing, that is reported already. */
const checkMain =
  (store: Settings['store'], data: string): Check =>
  async (database) => {
    if ((await schemaFault(database)) !== undefined) return [];
    const advice = unsealedAdvice(await unsealedBytes(database), store.unsealedBytesMax);
    const check = 'closed minutes of feeds and channels are in the object store';
    return [
      { check, state: advice === undefined ? 'ok' : 'warn', advice: advice ?? '' },
      ...(await checkUnusedPassiveDns(database, { store, data })),
    ];
  };

async function checkDatabase(
  options: DatabaseOptions,
  clock: Clock,
  more: Check,
): Promise<readonly EngineCheck[]> {
  const check = `PostgreSQL answers (${hostsOf(options.url)})`;
  try {
    const found = await withDatabase(options, async (database) => [
      ...(await checkPostgres(database, clock)),
      ...(await more(database)),
    ]);
    return [{ check, state: 'ok', advice: '' }, ...found];
  } catch (error) {
    const { cause = error } = error as Error;
    return [{ check, state: 'fail', advice: `${(cause as Error).message}: see store.postgres.url` }];
  }
}

/** Never the password. */
function hostsOf(url: string): string {
  return /^[a-z]+:\/\/(?:[^@/]*@)?([^/?]*)/.exec(url)?.[1] ?? 'an address that cannot be read';
}

async function withDatabase<Result>(
  options: DatabaseOptions,
  work: (database: PostgresDatabase) => Promise<Result>,
): Promise<Result> {
  const database = new PostgresDatabase(options);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
