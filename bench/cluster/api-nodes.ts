/** Requests to one and to two API nodes on one PostgreSQL, asked by clients of their own, beside a server with embedded stores. */
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createUser, unlimitedPdns } from '../../src/product/account/operate.ts';
import { openAccountStore } from '../../src/store/distributed/account/account-store.ts';
import { PostgresDatabase } from '../../src/store/distributed/postgres/database.ts';
import { keyVault } from '../../src/store/key-vault.ts';
import { questions } from '../data/investigate-queries.ts';
import { type BenchContext, type Result, resultOf, type Usage } from '../harness/benchmark.ts';
import { cpuSecondsOf } from '../harness/process-tree.ts';
import { usageTogether } from '../harness/usage.ts';
import { newCaller } from '../serving/accounts.ts';
import { type LoadOptions, load } from '../serving/load.ts';
import { seeded } from '../serving/seeds.ts';
import { type Serving, startServer } from '../serving/serving-process.ts';
import type { DistributedRecords } from './distributed-records.ts';
import { unusedS3 } from './unused-s3.ts';

const nodesMax = 2;
const connections = 16;
const pathsMax = 60;

type Headers = Readonly<Record<string, string>>;

interface Side {
  readonly servers: readonly Serving[];
  readonly headers: Headers;
}

interface Answered extends Usage {
  readonly perSecond: number;
  readonly serverSeconds: number;
}

export async function benchApiNodes(
  count: number,
  records: DistributedRecords,
  context: BenchContext,
): Promise<readonly Result[]> {
  const { data } = await seeded('records', count, context);
  const embedded: Side = {
    headers: await newCaller(data),
    servers: [await startServer({ data, role: 'api' }, context)],
  };
  const nodes = await startNodes(records, context);
  const pivots = Array.from({ length: pathsMax }, (_, at) => {
    const query = questions[0]?.ask(at, count).query;
    return `/v1/intel-investigate/?${new URLSearchParams(query).toString()}`;
  });
  const kinds = [
    { what: 'account endpoint', paths: ['/v1/account/'] },
    { what: 'pivot on an address over HTTP', paths: [...new Set(pivots)] },
  ];
  const results: Result[] = [];
  for (const { what, paths } of kinds) {
    const requests = context.sized({ tiny: 64, small: 2000, full: 20_000 });
    const ask = (side: Side) => askAll(side, { paths, requests }, records.postgres.pid);
    await ask(embedded);
    await ask(nodes);
    for (const servers of [nodes.servers.slice(0, 1), nodes.servers]) {
      const peer = await ask(embedded);
      const ours = await ask({ ...nodes, servers });
      results.push(...resultsOf(`${what}, API nodes: ${servers.length}`, requests, ours, peer));
    }
  }
  for (const server of [...embedded.servers, ...nodes.servers]) await server.stop();
  return results;
}

async function startNodes({ url, schema }: DistributedRecords, context: BenchContext): Promise<Side> {
  const secret = randomBytes(32);
  const database = new PostgresDatabase({ url, schema, poolMax: 1 });
  const accounts = openAccountStore(database, keyVault(secret));
  const username = `bench-${randomBytes(6).toString('hex')}`;
  const user = { username, permissions: ['read'], channels: 'all', pdns: unlimitedPdns } as const;
  const { apiKey } = await createUser(user, { accounts, clock: { now: () => Date.now() } });
  await accounts.close();
  await database.close();
  const settings = {
    secret: secret.toString('hex'),
    'store.kind': 'distributed',
    'store.postgres.url': url,
    'store.postgres.schema': schema,
    'store.s3.endpoint': unusedS3.endpoint,
    'store.s3.bucket': unusedS3.bucket,
  };
  const servers: Serving[] = [];
  for (let node = 1; node <= nodesMax; node += 1) {
    const data = join(context.directory, `node-${node}`);
    mkdirSync(data, { mode: 0o700 });
    servers.push(await startServer({ data, role: 'api', settings }, context));
  }
  return { servers, headers: { 'x-api-key': apiKey } };
}

/** Each server gets its share of requests and connections. */
async function askAll(
  { servers, headers }: Side,
  { paths, requests }: Pick<LoadOptions, 'paths' | 'requests'>,
  pid: number,
): Promise<Answered> {
  const share = { paths, headers, requests: requests / servers.length };
  const before = cpuSecondsOf(pid);
  const loaded = await Promise.all(
    servers.map((server) => load(server, { ...share, connections: connections / servers.length })),
  );
  return {
    ...usageTogether(...loaded),
    perSecond: loaded.reduce((sum, { perSecond }) => sum + perSecond, 0),
    serverSeconds: Math.max(0, cpuSecondsOf(pid) - before),
  };
}

function resultsOf(what: string, requests: number, ours: Answered, peer: Answered): readonly Result[] {
  const [unit, name] = ['requests/s', 'a server with embedded stores'];
  const eachUs = (seconds: number) => (seconds / requests) * 1e6;
  const { cpuSeconds, memoryBytes, serverSeconds } = ours;
  return [
    resultOf({
      work: what,
      ours: { value: ours.perSecond, unit },
      peer: { name, value: peer.perSecond, unit },
      cpuSeconds,
      memoryBytes,
    }),
    resultOf({
      work: `CPU time of a request: ${what}`,
      ours: { value: eachUs(cpuSeconds), unit: 'µs' },
      peer: { name, value: eachUs(peer.cpuSeconds), unit: 'µs' },
      cpuSeconds,
      memoryBytes,
    }),
    resultOf({
      work: `CPU time of PostgreSQL for a request: ${what}`,
      ours: { value: eachUs(serverSeconds), unit: 'µs' },
      cpuSeconds: serverSeconds,
      memoryBytes,
    }),
  ];
}
