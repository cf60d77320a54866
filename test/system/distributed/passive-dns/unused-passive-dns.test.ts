/** Passive DNS in a place that the settings do not name: `doctor` and the start of a server report it. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readConfig } from '../../../../src/config.ts';
import type { Settings } from '../../../../src/model/settings/settings.ts';
import { distributedEngines } from '../../../../src/store/distributed/distributed-engines.ts';
import { openDistributedStores } from '../../../../src/store/distributed/open-stores.ts';
import { openLocalStores } from '../../../../src/store/embedded/open-local-stores.ts';
import { record } from '../../../conformance/rrset-store.ts';
import { startClickHouse } from '../../../harness/engines/clickhouse.ts';
import { startPostgres } from '../../../harness/engines/postgres.ts';
import { startRadosGateway } from '../../../harness/engines/rados-gateway.ts';
import { observationsOf, rowsPerBatch } from '../../../harness/engines/rrset-importer.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';
import { fileScope } from '../../../harness/test-scope.ts';

const scope = fileScope();
const postgres = await startPostgres(scope);
const gateway = await startRadosGateway(scope);
const clickhouse = await startClickHouse(scope);
const clock = { now: Date.now };
const check = 'passive DNS is stored nowhere else';

if (postgres && gateway && clickhouse) {
  const data = temporaryDirectory(scope);
  const s3 = gateway.newOptions();
  const engines = distributedEngines(clock);

  const settingsWith = (passiveDns: string): Settings =>
    readConfig({
      flags: {},
      environment: {
        NAMEGLASS_DATA: data,
        NAMEGLASS_SECRET: '0'.repeat(64),
        NAMEGLASS_STORE_KIND: 'distributed',
        NAMEGLASS_STORE_PASSIVE_DNS: passiveDns,
        NAMEGLASS_STORE_POSTGRES_URL: postgres.url,
        NAMEGLASS_STORE_POSTGRES_SCHEMA: 'unused_passive_dns',
        NAMEGLASS_STORE_S3_ENDPOINT: s3.endpoint,
        NAMEGLASS_STORE_S3_BUCKET: s3.bucket,
        NAMEGLASS_STORE_S3_PREFIX: s3.prefix,
        NAMEGLASS_STORE_S3_ACCESS_KEY: s3.accessKey,
        NAMEGLASS_STORE_S3_SECRET_KEY: s3.secretKey,
        NAMEGLASS_STORE_CLICKHOUSE_URLS: JSON.stringify([clickhouse.url]),
        NAMEGLASS_STORE_CLICKHOUSE_ALLOW_OLD: 'true',
      },
    }).settings;

  /** What the start of a server warns of. */
  const open = async (passiveDns: string) => {
    const settings = settingsWith(passiveDns);
    const local = openLocalStores({ data, clock, hasRrsets: passiveDns === 'node' });
    const warnings: string[] = [];
    const onWarning = (warning: string) => void warnings.push(warning);
    const stores = await openDistributedStores({ settings, clock, local, onWarning });
    return { stores, warnings };
  };
  const warningsOf = async (passiveDns: string) => {
    const { stores, warnings } = await open(passiveDns);
    await stores.close();
    const found = (await engines.check(settingsWith(passiveDns))).filter((each) => each.check === check);
    const advice = found.filter(({ state }) => state === 'warn').map((each) => each.advice);
    assert.deepEqual(advice, warnings);
    assert.equal(
      found.some(({ state }) => state === 'ok'),
      warnings.length === 0,
    );
    return warnings;
  };
  const store = async (passiveDns: string) => {
    const { stores } = await open(passiveDns);
    await record(stores.rrsets, observationsOf(1));
    await stores.close();
  };

  test('passive DNS that the settings do not show is reported with what to do, by doctor and at the start', async () => {
    await engines.migrate(settingsWith('clickhouse'));
    for (const passiveDns of ['segments', 'clickhouse', 'node'])
      assert.deepEqual(await warningsOf(passiveDns), []);
    await store('node');
    assert.deepEqual(await warningsOf('node'), []);
    const [inDirectory = '', ...none] = await warningsOf('segments');
    assert.deepEqual(none, []);
    assert.ok(
      inDirectory.startsWith(`${join(data, 'rrsets')} has passive DNS, which is not shown`),
      inDirectory,
    );
    assert.match(inDirectory, /store\.passiveDns is segments: set it to node on this node/);
    await store('clickhouse');
    assert.deepEqual(await warningsOf('clickhouse'), [inDirectory.replace('is segments', 'is clickhouse')]);
    await store('segments');
    const all = await warningsOf('other-node');
    assert.equal(all.length, 3);
    assert.match(
      all[1] ?? '',
      new RegExp(`^ClickHouse has ${rowsPerBatch} RRsets, .* set it to clickhouse on all`),
    );
    assert.match(
      all[2] ?? '',
      new RegExp(`^the object store has ${rowsPerBatch} RRsets, .* set it to segments on all`),
    );
    rmSync(join(data, 'rrsets'), { recursive: true });
    assert.equal((await warningsOf('segments')).length, 1);
  });
}
