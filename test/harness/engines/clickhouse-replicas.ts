/** Two servers of ClickHouse that are replicas of one shard, with ZooKeeper between them. */
import type { ClickHouseOptions } from '../../../src/store/distributed/clickhouse/clickhouse-client.ts';
import { freePort } from '../network/daemon.ts';
import type { TestScope } from '../test-scope.ts';
import { type ClickHouseServer, newDatabaseOn, startClickHouse } from './clickhouse.ts';
import { startZooKeeper, type ZooKeeperServer } from './zookeeper.ts';

/** A replica that was killed counts as away after so long; one that a busy machine does not let run in time as well. */
export const sessionMs = 4000;
export const cluster = 'test';

export interface Replicas {
  readonly servers: readonly [ClickHouseServer, ClickHouseServer];
  readonly zookeeper: ZooKeeperServer;
  /** With all tables, for one test. */
  newDatabase(): ClickHouseOptions;
}

/** Run until the tests of a file are over; undefined where software is missing. */
export async function startReplicas(scope: TestScope): Promise<Replicas | undefined> {
  const zookeeper = await startZooKeeper(scope);
  if (!zookeeper) return undefined;
  const first = await startClickHouse(scope, () => replica('one', zookeeper));
  const second = await startClickHouse(scope, () => replica('two', zookeeper));
  if (!first || !second) return undefined;
  const version = await first.run('select version()');
  return {
    servers: [first, second],
    zookeeper,
    newDatabase: () => newDatabaseOn([first, second], version, cluster),
  };
}

async function replica(name: string, zookeeper: ZooKeeperServer): Promise<string> {
  const node = `<node><host>127.0.0.1</host><port>${zookeeper.port}</port></node>`;
  return [
    `<zookeeper>${node}<session_timeout_ms>${sessionMs}</session_timeout_ms></zookeeper>`,
    // How often it tries to connect again. By default once a minute.
    '<merge_tree><zookeeper_session_expiration_check_period>1</zookeeper_session_expiration_check_period></merge_tree>',
    `<macros><shard>1</shard><replica>${name}</replica></macros>`,
    '<interserver_http_host>127.0.0.1</interserver_http_host>',
    `<interserver_http_port>${await freePort()}</interserver_http_port>`,
    `<tcp_port>${await freePort()}</tcp_port>`,
  ].join('');
}
