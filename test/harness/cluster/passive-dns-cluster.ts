/** A cluster with passive DNS in one of its stores, and the test that holds for each of them. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { onFreePort } from '../network/daemon.ts';
import { clusterTests } from './cluster-tests.ts';
import { newUser } from './cluster-users.ts';
import { PassiveDnsLoad, Resolver } from './passive-dns-load.ts';

export function passiveDnsCluster(passiveDns: 'segments' | 'clickhouse') {
  let dnstapPort = 0;
  const clusterTest = clusterTests(async () => {
    dnstapPort = await onFreePort(async (port) => port);
    return {
      passiveDns,
      settings: { 'collect.newDomains': 'false' },
      firstWorker: { 'dnstap.port': String(dnstapPort), 'dnstap.flushSeconds': '1' },
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

  /** A resolver that reports to the first worker. */
  const connectResolver = (t: TestContext) => Resolver.connect(dnstapPort, t);
  return { clusterTest, connectResolver };
}
