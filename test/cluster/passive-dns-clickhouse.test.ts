/** Passive DNS on ClickHouse: two API nodes answer while one of them is killed and imports go on; and ClickHouse goes away. */
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { newUser } from '../harness/cluster/cluster-users.ts';
import { passiveDnsCluster } from '../harness/cluster/passive-dns-cluster.ts';
import { countIn, pathOf } from '../harness/cluster/passive-dns-load.ts';
import { until } from '../harness/server/world-server.ts';

const { clusterTest, connectResolver } = passiveDnsCluster('clickhouse');

clusterTest(
  'while ClickHouse is away passive DNS answers 503 with Retry-After, everything else works, and what resolvers report waits without loss',
  async (cluster, t) => {
    const { clickhouse } = cluster;
    assert.ok(clickhouse);
    const user = await newUser(cluster);
    const resolver = await connectResolver(t);
    resolver.report(50);
    const path = '/pdns/v2/lookup/rrset/name/*.sensor.example?limit=10000';
    const untilCounted = (count: number) =>
      until(
        `${count} names`,
        async () => countIn(await user.askNode(cluster.apis[1], path)) === count || undefined,
        200,
        60_000,
      );
    await untilCounted(50);
    await clickhouse.kill();
    resolver.report(50);
    for (const node of cluster.apis) {
      const refused = await user.askNode(node, pathOf(resolver.reported[3] ?? ''));
      assert.equal(refused.status, 503, refused.text);
      assert.ok(Number(refused.headers['retry-after']) > 0, 'it has Retry-After');
      assert.equal((await user.askNode(node, '/v1/account/')).status, 200);
      const health = await user.askNode(node, '/readyz');
      assert.equal(health.status, 200, health.text);
      assert.match(health.text, /degraded/);
      assert.match(health.text, /clickhouse/i);
    }
    await pause(5000);
    await clickhouse.start();
    resolver.report(50);
    await untilCounted(150);
    assert.equal(countIn(await user.ask(pathOf(resolver.reported[60] ?? ''))), 1);
    await until(
      'nodes without a fault',
      async () => !/degraded/.test((await user.askNode(cluster.apis[0], '/readyz')).text) || undefined,
    );
  },
);
