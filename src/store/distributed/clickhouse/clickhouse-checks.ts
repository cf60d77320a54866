/** What has to be right about ClickHouse, for `doctor`. */
import type { EngineCheck } from '../../engine/engine-check.ts';
import { capabilitiesOf, supportedVersion } from './capabilities.ts';
import { ClickHouseClient, type ClickHouseOptions } from './clickhouse-client.ts';
import { readReplicaState } from './replica-states.ts';
import { replicaState, tablesOf } from './sql.ts';

export async function checkClickHouse(
  options: ClickHouseOptions & { readonly cluster: string },
): Promise<readonly EngineCheck[]> {
  const checks: EngineCheck[] = [];
  for (const url of options.urls.flatMap((urls) => urls.split(','))) {
    const client = new ClickHouseClient({
      ...options,
      urls: [url],
      database: 'default',
      isReplicated: false,
    });
    const check = `ClickHouse answers (${url})`;
    try {
      const found = await checkServer(client, options);
      checks.push({ check, state: 'ok', advice: '' }, ...found);
    } catch (error) {
      const { cause = error } = error as Error;
      checks.push({ check, state: 'fail', advice: `${(cause as Error).message}: see store.clickhouse` });
    }
  }
  return [...checks, durability(options)];
}

async function checkServer(
  client: ClickHouseClient,
  { database, cluster }: Pick<ClickHouseOptions, 'database'> & { readonly cluster: string },
): Promise<readonly EngineCheck[]> {
  const version = (await client.read('select version()')).toString().trim();
  const isSupported = capabilitiesOf(version).isSupported;
  const tables = Number((await client.read(tablesOf(database))).toString().trim());
  return [
    {
      check: `ClickHouse ${supportedVersion} or later`,
      state: isSupported ? 'ok' : 'warn',
      advice: isSupported ? '' : `this is ${version}, which nobody maintains: upgrade it`,
    },
    {
      check: 'ClickHouse has the tables of passive DNS',
      state: tables === 2 ? 'ok' : 'fail',
      advice: tables === 2 ? '' : 'run "nameglass store migrate"',
    },
    ...(cluster !== '' && tables === 2 ? [await checkReplica(client, database)] : []),
  ];
}

async function checkReplica(client: ClickHouseClient, database: string): Promise<EngineCheck> {
  const { hasTables, isReadOnly, isBehind } = readReplicaState(await client.read(replicaState(database)));
  const check = 'this replica of ClickHouse has everything and accepts inserts';
  const fail = (advice: string): EngineCheck => ({ check, state: 'fail', advice });
  if (!hasTables)
    return fail(
      'its tables are not replicated, but store.clickhouse.cluster is set: drop them, then "nameglass store migrate"',
    );
  if (isReadOnly) return fail('it is not connected to ClickHouse Keeper: see its log');
  if (isBehind)
    return { check, state: 'warn', advice: 'it fetches parts from other replicas, which answer meanwhile' };
  return { check, state: 'ok', advice: '' };
}

function durability({
  urls,
  cluster,
}: Pick<ClickHouseOptions, 'urls'> & { readonly cluster: string }): EngineCheck {
  const isReplicated = cluster !== '' && urls.every((replicas) => replicas.includes(','));
  return {
    check: 'each shard of ClickHouse has a second replica',
    state: isReplicated ? 'ok' : 'warn',
    advice: isReplicated
      ? ''
      : 'when its machine is lost, so is passive DNS since the last backup: see store.clickhouse.cluster',
  };
}
