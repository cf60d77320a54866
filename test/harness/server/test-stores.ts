/**
 * The stores of a test server: files in its directory, or, where `TEST_ENGINES` names servers, distributed stores with a database of their own for
 * each directory. Two servers on one directory share their stores either way.
 */
import { hash, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../../src/model/clock.ts';
import type { Settings } from '../../../src/model/settings/settings.ts';
import type { S3Options } from '../../../src/store/distributed/s3/s3-requests.ts';
import { usualCacheSizes } from '../../../src/store/embedded/cache-sizes.ts';
import { openEmbeddedStores } from '../../../src/store/embedded/open-stores.ts';
import { openServerSecret } from '../../../src/store/key-vault.ts';
import type { Stores } from '../../../src/stores.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import type { TestScope } from '../test-scope.ts';
import { copyPreparedData } from './prepared-data.ts';

export interface TestEngines {
  readonly postgresUrl: string;
  readonly s3: S3Options;
  /** By default files of the node. */
  readonly passiveDns?: Settings['store']['passiveDns'];
  /** Where passive DNS is there. */
  readonly clickhouseUrl?: string;
}

const given = process.env['TEST_ENGINES'];
const engines = given === undefined ? undefined : (JSON.parse(given) as TestEngines);

/** `test(title, { skip: onEngines('it damages a file of the embedded store') }, …)` */
export function onEngines(reason: string): string | false {
  return engines ? reason : false;
}

/** The same where passive DNS is not in files of the node. */
export function onSharedPassiveDns(reason: string): string | false {
  return engines?.passiveDns ? reason : false;
}

/** The directory of a new installation, whose stores are empty. */
export async function newTestData(scope: TestScope): Promise<string> {
  const data = temporaryDirectory(scope);
  if (!engines) await copyPreparedData(data);
  else {
    const { cloneDatabase, dropDatabase } = await import('../engines/cloned-database.ts');
    await cloneDatabase(engines.postgresUrl, databaseOf(data));
    scope.after(() => dropDatabase(engines.postgresUrl, databaseOf(data)));
    if (engines.clickhouseUrl !== undefined) {
      const { newTestTables } = await import('../engines/clickhouse.ts');
      await newTestTables(scope, clickhouseOn(engines, databaseOf(data)));
    }
  }
  // Every server is an installation of its own, with its own secret.
  writeFileSync(join(data, 'secret.key'), `${randomBytes(32).toString('hex')}\n`, { mode: 0o600 });
  return data;
}

export async function openTestStores(data: string, clock: Clock): Promise<Stores> {
  if (!engines) return openEmbeddedStores({ data, clock });
  const { isNodes, openDistributedStores } = await import('../../../src/store/distributed/open-stores.ts');
  const { openLocalStores } = await import('../../../src/store/embedded/open-local-stores.ts');
  const settings = { ...(await settingsOn(engines, data)), data, caches: usualCacheSizes };
  const hasRrsets = isNodes(settings.store);
  const local = openLocalStores({ data, clock, hasRrsets });
  const options = { settings, clock, local };
  // Tests have clocks of their own, which PostgreSQL does not share.
  return { ...(await openDistributedStores(options)), findFaults: async () => [] };
}

/** Of a command that is to use the stores of a server, as `nameglass` wants it. */
export async function environmentOf(data: string): Promise<Readonly<Record<string, string>>> {
  if (!engines) return { NAMEGLASS_DATA: data };
  const { secret, store } = await settingsOn(engines, data);
  const { postgres, s3, clickhouse } = store;
  return {
    NAMEGLASS_DATA: data,
    NAMEGLASS_SECRET: secret,
    NAMEGLASS_STORE_KIND: store.kind,
    NAMEGLASS_STORE_PASSIVE_DNS: store.passiveDns,
    NAMEGLASS_STORE_POSTGRES_URL: postgres.url,
    NAMEGLASS_STORE_POSTGRES_SCHEMA: postgres.schema,
    NAMEGLASS_STORE_S3_ENDPOINT: s3.endpoint,
    NAMEGLASS_STORE_S3_BUCKET: s3.bucket,
    NAMEGLASS_STORE_S3_PREFIX: s3.prefix,
    NAMEGLASS_STORE_S3_ACCESS_KEY: s3.accessKey,
    NAMEGLASS_STORE_S3_SECRET_KEY: s3.secretKey,
    NAMEGLASS_STORE_CLICKHOUSE_URLS: JSON.stringify(clickhouse.urls),
    NAMEGLASS_STORE_CLICKHOUSE_DATABASE: clickhouse.database,
    NAMEGLASS_STORE_CLICKHOUSE_ALLOW_OLD: String(clickhouse.allowOld),
  };
}

const databaseOf = (data: string) => `test_${hash('sha1', data).slice(0, 20)}`;

const clickhouseOn = ({ clickhouseUrl }: TestEngines, database: string): Settings['store']['clickhouse'] => ({
  urls: clickhouseUrl === undefined ? [] : [clickhouseUrl],
  database,
  user: 'default',
  password: '',
  cluster: '',
  // Debian has no recent one.
  allowOld: true,
});

async function settingsOn(named: TestEngines, data: string): Promise<Pick<Settings, 'store' | 'secret'>> {
  const { schema, urlOfDatabase } = await import('../engines/cloned-database.ts');
  const name = databaseOf(data);
  const store: Settings['store'] = {
    kind: 'distributed',
    postgres: { url: urlOfDatabase(named.postgresUrl, name), schema, poolMax: 4, shards: [] },
    s3: { ...named.s3, prefix: `${name}/` },
    clickhouse: clickhouseOn(named, name),
    passiveDns: named.passiveDns ?? 'node',
    cacheDirectory: '',
    cacheBytesMax: 1_000_000_000,
    unsealedBytesMax: 10_000_000_000,
    accountCacheMs: 0,
    usageDurable: false,
  };
  return { store, secret: openServerSecret(data, '').toString('hex') };
}
