import { ClickHouseClient } from '../../src/store/distributed/clickhouse/clickhouse-client.ts';
import { ClickHouseRrsetStore } from '../../src/store/distributed/rrset/rrset-store.ts';
import { newlyObservedConformance } from '../conformance/rrset-new-observations.ts';
import { type OpenRrsetStore, rrsetStoreConformance } from '../conformance/rrset-store.ts';
import { newClickHouseDatabase, startClickHouse } from '../harness/engines/clickhouse.ts';
import { newNodes } from '../harness/engines/nodes.ts';
import { startPostgres } from '../harness/engines/postgres.ts';
import { fileScope } from '../harness/test-scope.ts';

const scope = fileScope();
const postgres = await startPostgres(scope);
const clickhouse = await startClickHouse(scope);

if (postgres && clickhouse) {
  const version = await clickhouse.run('select version()');

  /** Each handle stands for a node, with connections of its own. */
  const open: OpenRrsetStore = (t) => {
    const node = newNodes(postgres, ['rrset'], t);
    const options = newClickHouseDatabase(clickhouse, version);
    return () => new ClickHouseRrsetStore({ database: node(), shards: [new ClickHouseClient(options)] });
  };

  const openOnTwoShards: OpenRrsetStore = (t) => {
    const node = newNodes(postgres, ['rrset'], t);
    const shards = [1, 2].map(() => newClickHouseDatabase(clickhouse, version));
    return () =>
      new ClickHouseRrsetStore({
        database: node(),
        shards: shards.map((options) => new ClickHouseClient(options)),
      });
  };

  rrsetStoreConformance('passive DNS on ClickHouse', open, { share: 0.3 });
  newlyObservedConformance('passive DNS on ClickHouse', open, { share: 0.3 });
  rrsetStoreConformance('passive DNS on two shards of ClickHouse', openOnTwoShards, { share: 0.05 });
  newlyObservedConformance('passive DNS on two shards of ClickHouse', openOnTwoShards, { share: 0.1 });
}
