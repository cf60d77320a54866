/** Several nodes on one machine: nginx with the file of `deploy/` in front of two API nodes, two workers, PostgreSQL with a replica, an S3 object store. */
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { nginxBalancer } from '../../system/deployment/balancers.ts';
import { needsPackage } from '../debian-package.ts';
import { onFreePort, startDaemon } from '../network/daemon.ts';
import { tlsCertificate } from '../network/tls-certificate.ts';
import { nameglass } from '../server/command-line.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { lastFirst, type TestScope } from '../test-scope.ts';
import { BalancedClient } from './balanced-client.ts';
import {
  type ClusterEngines,
  type EngineAddresses,
  type SharedPassiveDns,
  startEngines,
} from './cluster-engines.ts';
import { ClusterNode } from './cluster-node.ts';
import { startForwarder } from './partition.ts';

export interface ClusterOptions {
  /** Settings of all nodes, by key. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Workers are started by the test where it wants to prepare something before. */
  readonly workers?: 'started' | 'stopped';
  /** The second worker reaches its engines by `partitionedAddress`, and knows no replica. */
  readonly isPartitionable?: boolean;
  /** Where passive DNS is, if not where it is by default. */
  readonly passiveDns?: SharedPassiveDns;
  /** Settings of the first worker alone. */
  readonly firstWorker?: Readonly<Record<string, string>>;
}

export interface Cluster extends ClusterEngines {
  readonly apis: readonly [ClusterNode, ClusterNode];
  readonly workers: readonly [ClusterNode, ClusterNode];
  /** Of a command that runs beside the first worker. */
  readonly workerEnvironment: Readonly<Record<string, string>>;
  /** Through nginx. */
  readonly client: BalancedClient;
  /** Runs a command of the program on the stores of the cluster. */
  run(args: readonly string[], input?: string): Promise<string>;
}

/** Of the engines, for a worker that a test may cut off. */
export const partitionedAddress = '127.66.0.1';

/** Quick where a person would wait, and without limits that a test does not ask for. */
const impatient = {
  'collect.serverPauseMilliseconds': '0',
  'collect.serverRequestsMax': '16',
  'sources.pollSeconds': '1',
  'screenshots.enabled': 'false',
  'limits.feed.queriesPerMinute': '100000',
  'limits.feed.queriesPerHour': '100000',
  'limits.productRequestsPerMinute': '100000',
  'limits.ingest.requestsPerMinute': '100000',
};

interface NodeDifferences {
  readonly addresses?: EngineAddresses;
  readonly more?: Readonly<Record<string, string>>;
}

/** Undefined, with the test skipped, where the software is missing. */
export async function startCluster(
  t: TestContext | TestScope,
  options: ClusterOptions = {},
): Promise<Cluster | undefined> {
  const { settings = {}, workers = 'started', isPartitionable = false, firstWorker = {} } = options;
  const context = { skip: () => undefined, ...t } as TestContext;
  if (!needsPackage(context, nginxBalancer.debianPackage, nginxBalancer.command)) return undefined;
  lastFirst(t);
  const secret = randomBytes(32).toString('hex');
  const listenAddresses = `127.0.0.1,${partitionedAddress}`;
  const engines = await startEngines(t, { secret, listenAddresses, passiveDns: options.passiveDns });
  if (!engines) return undefined;
  const ports = [await newPort(), await newPort(), await newPort(), await newPort()] as const;
  const balancer = await startBalancer(t, [ports[0], ports[1]]);
  const shared = environmentOf({
    ...impatient,
    'http.trustProxy': '127.0.0.1',
    'http.publicUrl': balancer.url,
    ...settings,
  });
  const s3 = await startForwarder(t, partitionedAddress, new URL(engines.gateway.endpoint));
  const apart = { postgres: [`${partitionedAddress}:${engines.primary.port}`], s3 };
  const node = (
    name: string,
    role: 'api' | 'worker',
    port: number,
    { addresses, more }: NodeDifferences = {},
  ) =>
    new ClusterNode(t, {
      name,
      role,
      port,
      data: temporaryDirectory(t),
      environment: { ...engines.environment(addresses), ...shared, ...environmentOf(more ?? {}) },
    });
  const apis = [node('api 1', 'api', ports[0]), node('api 2', 'api', ports[1])] as const;
  const both = [
    node('worker 1', 'worker', ports[2], { more: firstWorker }),
    node('worker 2', 'worker', ports[3], isPartitionable ? { addresses: apart } : {}),
  ] as const;
  const workerEnvironment = {
    ...engines.environment(),
    ...shared,
    NAMEGLASS_DATA: temporaryDirectory(t),
  };
  await Promise.all([...apis, ...(workers === 'started' ? both : [])].map((each) => each.start()));
  return {
    ...engines,
    apis,
    workers: both,
    workerEnvironment,
    client: balancer,
    run: async (args, input) => {
      const outcome = await nameglass(args, {
        env: workerEnvironment,
        ...(input === undefined ? {} : { input }),
      });
      if (outcome.code !== 0) throw new Error(`${args.join(' ')}: ${outcome.err}`);
      return outcome.out;
    },
  };
}

const newPort = () => onFreePort(async (port) => port);

async function startBalancer(scope: TestScope, nodes: readonly [number, number]): Promise<BalancedClient> {
  const directory = temporaryDirectory(scope);
  const { key, cert } = await tlsCertificate('localhost');
  writeFileSync(join(directory, 'key.pem'), key);
  writeFileSync(join(directory, 'cert.pem'), cert);
  const { command, started, balance } = nginxBalancer;
  const args = (port: number) => balance({ directory, port }, nodes);
  const { port } = await startDaemon(scope, { command, started, args });
  return new BalancedClient(port, cert);
}

/** `http.publicUrl` is `NAMEGLASS_HTTP_PUBLIC_URL`. */
function environmentOf(settings: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(settings).map(([key, text]) => [
      `NAMEGLASS_${key
        .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
        .replaceAll('.', '_')
        .toUpperCase()}`,
      text,
    ]),
  );
}
