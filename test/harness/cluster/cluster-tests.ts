import { type TestContext, test } from 'node:test';
import { sharedInFile, type TestScope } from '../test-scope.ts';
import { type Cluster, type ClusterOptions, startCluster } from './start-cluster.ts';

const timeout = 600_000;

export type ClusterTest = (
  title: string,
  work: (cluster: Cluster, t: TestContext) => Promise<void> | void,
) => void;

/** Defines tests that share one cluster, which the first of them starts. */
export function clusterTests(
  optionsOf: (scope: TestScope) => ClusterOptions | Promise<ClusterOptions>,
): ClusterTest {
  const shared = sharedInFile(async (scope) => startCluster(scope, await optionsOf(scope)));
  return (title, work) =>
    void test(title, { timeout }, async (t) => {
      const cluster = await shared(undefined);
      if (!cluster) return t.skip('skipped: no PostgreSQL, radosgw or nginx');
      await work(cluster, t);
    });
}
