/** The contract of passive DNS on ClickHouse servers of their own: two replicas of a shard, and two shards. */
import { ClickHouseClient } from '../../../../src/store/distributed/clickhouse/clickhouse-client.ts';
import { ClickHouseRrsetStore } from '../../../../src/store/distributed/rrset/rrset-store.ts';
import { newlyObservedConformance } from '../../../conformance/rrset-new-observations.ts';
import { type OpenRrsetStore, rrsetStoreConformance } from '../../../conformance/rrset-store.ts';
import { newClickHouseDatabase } from '../../../harness/engines/clickhouse.ts';
import { startReplicas } from '../../../harness/engines/clickhouse-replicas.ts';
import { newNodes } from '../../../harness/engines/nodes.ts';
import { startPostgres } from '../../../harness/engines/postgres.ts';
import { fileScope } from '../../../harness/test-scope.ts';

const scope = fileScope();
const postgres = await startPostgres(scope);
const replicas = await startReplicas(scope);

if (postgres && replicas) {
  const version = await replicas.servers[0].run('select version()');

  const openOnReplicas: OpenRrsetStore = (t) => {
    const node = newNodes(postgres, ['rrset'], t);
    const options = replicas.newDatabase();
    let nodes = 0;
    return () => {
      // Every second node begins with the other replica.
      nodes += 1;
      const urls = nodes % 2 === 0 ? options.urls : options.urls.toReversed();
      const shards = [new ClickHouseClient({ ...options, urls })];
      return new ClickHouseRrsetStore({ database: node(), shards });
    };
  };

  const openOnShards: OpenRrsetStore = (t) => {
    const node = newNodes(postgres, ['rrset'], t);
    const shards = replicas.servers.map((server) => newClickHouseDatabase(server, version));
    return () =>
      new ClickHouseRrsetStore({
        database: node(),
        shards: shards.map((options) => new ClickHouseClient(options)),
      });
  };

  rrsetStoreConformance('passive DNS on two replicas', openOnReplicas, { share: 0.05 });
  // The version of Debian cannot merge replicated tables on demand.
  const mergesLater = true;
  newlyObservedConformance('passive DNS on two replicas', openOnReplicas, { share: 0.1, mergesLater });
  rrsetStoreConformance('passive DNS on servers of two shards', openOnShards, { share: 0.05 });
  newlyObservedConformance('passive DNS on servers of two shards', openOnShards, { share: 0.1 });
}
