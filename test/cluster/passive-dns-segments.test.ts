/** Passive DNS in the object store: two API nodes answer while one of them is killed and imports go on; and the object store goes away. */
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { newUser } from '../harness/cluster/cluster-users.ts';
import { passiveDnsCluster } from '../harness/cluster/passive-dns-cluster.ts';
import { countIn, pathOf } from '../harness/cluster/passive-dns-load.ts';
import { until } from '../harness/server/world-server.ts';

const { clusterTest, connectResolver } = passiveDnsCluster('segments');

clusterTest(
  'while the object store is away what was read before is answered, and what resolvers report waits without loss',
  async (cluster, t) => {
    const user = await newUser(cluster);
    const resolver = await connectResolver(t);
    resolver.report(50);
    const counted = async () =>
      countIn(await user.askNode(cluster.apis[1], '/pdns/v2/lookup/rrset/name/*.sensor.example?limit=10000'));
    const untilCounted = (count: number) =>
      until(`${count} names`, async () => (await counted()) === count || undefined, 200, 60_000);
    await untilCounted(50);
    await cluster.gateway.kill();
    resolver.report(50);
    await pause(5000);
    assert.equal(await counted(), 50);
    for (const node of cluster.apis) {
      assert.equal((await user.askNode(node, '/v1/account/')).status, 200);
      assert.match((await user.askNode(node, '/readyz')).text, /degraded/);
    }
    await cluster.gateway.start();
    resolver.report(50);
    await untilCounted(150);
    assert.equal(countIn(await user.ask(pathOf(resolver.reported[60] ?? ''))), 1);
  },
);
