/** Whether PostgreSQL, the object store and ClickHouse answer, tables and clocks are right: for readiness, which balancers ask for every few seconds. */
import { settlesWithin } from '../../concurrency/deadline.ts';
import type { Clock } from '../../model/clock.ts';
import { secondMs } from '../../model/durations.ts';
import type { StoreFault } from '../engine/store-fault.ts';
import type { PostgresDatabase } from './postgres/database.ts';
import { clockSkewMs, skewAdvice } from './postgres/postgres-checks.ts';
import { schemaFault } from './postgres/schema-fault.ts';
import type { Objects } from './s3/open-objects.ts';
import { unsealedAdvice, unsealedBytes } from './stream/unsealed-bytes.ts';

export interface FaultNeeds {
  readonly database: PostgresDatabase;
  /** Of domain records; none where they are in the database. */
  readonly shards: readonly PostgresDatabase[];
  readonly objects: Objects;
  readonly clock: Clock;
  readonly unsealedBytesMax: number;
  /** Throws where the servers of passive DNS do not answer, if it has some of its own. What it returns is wrong though they do. */
  readonly askPassiveDns?: (() => Promise<string | undefined>) | undefined;
}

/** What was found out so long ago is asked for again. */
const freshMs = 2 * secondMs;
/** Less than balancers wait: where the object store hangs, they would take all nodes out otherwise. */
const answerMs = 2 * secondMs;

export function storeFaults(needs: FaultNeeds): () => Promise<readonly StoreFault[]> {
  let found: { readonly atMs: number; readonly faults: Promise<readonly StoreFault[]> } | undefined;
  const find = async () => {
    const { database, shards, objects } = needs;
    const faults = [postgresFaults(needs), ...shards.map(shardFaults), objectFaults(objects)];
    const more = [unsealedFaults(database, needs.unsealedBytesMax), passiveDnsFaults(needs)];
    return (await Promise.all([...faults, ...more])).flat();
  };
  return () => {
    const nowMs = performance.now();
    if (!found || nowMs - found.atMs > freshMs) found = { atMs: nowMs, faults: find() };
    return found.faults;
  };
}

async function postgresFaults({
  database,
  clock,
}: Pick<FaultNeeds, 'database' | 'clock'>): Promise<readonly StoreFault[]> {
  try {
    const [skewMs, schema] = await inTime(Promise.all([clockSkewMs(database, clock), schemaFault(database)]));
    return [...faultOf('clock', skewAdvice(skewMs)), ...faultOf('schema', schema)];
  } catch {
    return faultOf('postgres', 'PostgreSQL does not answer');
  }
}

/** Feeds, limits, the watchlist and passive DNS work without it, and no other node has it. */
async function shardFaults(shard: PostgresDatabase, index: number): Promise<readonly StoreFault[]> {
  const name = `shard ${index + 1} of store.postgres.shards`;
  try {
    const schema = await inTime(schemaFault(shard));
    return faultOf(`schema_shard_${index + 1}`, schema && `${name}: ${schema}`);
  } catch {
    const message = `${name} does not answer: domain records and searches for them are answered with 503`;
    return [{ part: `postgres_shard_${index + 1}`, message, isPartial: true }];
  }
}

/** Feeds, limits and records work without it. */
async function objectFaults(objects: Objects): Promise<readonly StoreFault[]> {
  try {
    await inTime(objects.ask());
    return [];
  } catch {
    return [{ part: 's3', message: 'the object store does not answer', isPartial: true }];
  }
}

/** Where PostgreSQL does not answer, that is reported already. */
async function unsealedFaults(database: PostgresDatabase, bytesMax: number): Promise<readonly StoreFault[]> {
  try {
    const message = unsealedAdvice(await inTime(unsealedBytes(database)), bytesMax);
    return message === undefined ? [] : [{ part: 'unsealed', message, isPartial: true }];
  } catch {
    return [];
  }
}

/** Everything else works without it. */
async function passiveDnsFaults({
  askPassiveDns,
}: Pick<FaultNeeds, 'askPassiveDns'>): Promise<readonly StoreFault[]> {
  try {
    const message = askPassiveDns && (await inTime(askPassiveDns()));
    return message === undefined ? [] : [{ part: 'clickhouse', message, isPartial: true }];
  } catch {
    const message = 'ClickHouse does not answer: passive DNS is answered with 503';
    return [{ part: 'clickhouse', message, isPartial: true }];
  }
}

/** One without which this node can answer nothing. */
function faultOf(part: string, message: string | undefined): readonly StoreFault[] {
  return message === undefined ? [] : [{ part, message, isPartial: false }];
}

async function inTime<Result>(asking: Promise<Result>): Promise<Result> {
  if (await settlesWithin(asking, answerMs)) return asking;
  throw new Error(`no answer within ${answerMs} ms`);
}
