/** Passive DNS in the object store: two API nodes answer while one of them is killed and imports go on; and the object store goes away. */
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { clusterTests } from '../harness/cluster/cluster-tests.ts';
import { newUser } from '../harness/cluster/cluster-users.ts';
import { countIn, PassiveDnsLoad, pathOf, Resolver } from '../harness/cluster/passive-dns-load.ts';
import { onFreePort } from '../harness/network/daemon.ts';
import { until } from '../harness/server/world-server.ts';

const dnstap = { port: 0 };

const clusterTest = clusterTests(async () => {
  dnstap.port = await onFreePort(async (port) => port);
  return {
    passiveDns: 'segments',
    settings: { 'collect.newDomains': 'false' },
    firstWorker: { 'dnstap.port': String(dnstap.port), 'dnstap.flushSeconds': '1' },
  };
});

clusterTest(
  'lookups are answered while imports go on and one API node after the other is killed, and nothing is lost or doubled',
  async (cluster, t) => {
    const load = new PassiveDnsLoad(cluster, await newUser(cluster));
    await load.importRound();
    const stopping = new AbortController();
    t.after(() => stopping.abort());
    const asking = Promise.all([1, 2, 3].map(() => load.ask(stopping.signal)));
    for (const node of cluster.apis) {
      await node.kill();
      await load.importRound();
      await node.start();
      await node.untilReady();
      // nginx leaves out a node for up to five seconds longer than it was away.
      await pause(6000);
      await load.importRound();
    }
    await pause(3000);
    stopping.abort();
    await asking;
    t.diagnostic(
      `${load.lookups} lookups during ${load.begun} imports, ${load.wrong.length} wrong or failed`,
    );
    assert.deepEqual(load.wrong, []);
    assert.ok(load.lookups > 100, `${load.lookups} lookups`);
    await load.assertExact();
  },
);

clusterTest(
  'while the object store is away what was read before is answered, and what resolvers report waits without loss',
  async (cluster, t) => {
    const user = await newUser(cluster);
    const resolver = await Resolver.connect(dnstap.port, t);
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
