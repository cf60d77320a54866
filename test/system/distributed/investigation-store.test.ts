import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { investigationLimits } from '../../../src/model/investigation/investigation.ts';
import type { InvestigationStore } from '../../../src/store/desk/investigation-store.ts';
import { openInvestigationStore } from '../../../src/store/distributed/desk/investigation-store.ts';
import { PostgresDatabase } from '../../../src/store/distributed/postgres/database.ts';
import { investigationModel } from '../../conformance/desk/investigation-model.ts';
import {
  ann,
  investigation,
  investigationStoreConformance,
} from '../../conformance/desk/investigation-store.ts';
import { newSchema, type PostgresServer, startPostgres } from '../../harness/engines/postgres.ts';
import { fileScope, lastFirst } from '../../harness/test-scope.ts';

const server = await startPostgres(fileScope());

/** Each store is a node of its own. */
function opening(postgres: PostgresServer): (t: TestContext) => () => InvestigationStore {
  return (t) => {
    lastFirst(t);
    const options = newSchema(postgres, ['desk']);
    return () => {
      const database = new PostgresDatabase(options);
      t.after(() => database.close());
      return openInvestigationStore(database);
    };
  };
}

if (server) {
  const open = opening(server);
  investigationStoreConformance('the distributed adapter', open);
  investigationModel('the distributed adapter', open);

  test('a reader of the changes of an account misses none, whichever of several nodes makes them', async (t) => {
    const node = open(t);
    const [reader, ...writers] = [node(), node(), node(), node()];
    assert.ok(reader);
    const made = Promise.all(
      writers.map(async (store) => {
        for (let count = 0; count < 20; count += 1) await store.createInvestigation(investigation(), ann);
      }),
    );
    let isDone = false;
    void made.finally(() => {
      isDone = true;
    });
    const seen: number[] = [];
    for (let isLast = false; !isLast; ) {
      isLast = isDone;
      const range = { accountId: 'acme', personId: 'p-ann', afterId: seen.at(-1) ?? 0, limit: 7 };
      const changes = await reader.listChanges(range);
      seen.push(...changes.map(({ id }) => id));
      isLast &&= changes.length === 0;
    }
    await made;
    assert.equal(seen.length, 60);
  });

  test('several nodes together create no more investigations of an account than its bound', async (t) => {
    const options = newSchema(server, ['desk']);
    const databases = [1, 2, 3].map(() => new PostgresDatabase(options));
    t.after(() => Promise.all(databases.map((database) => database.close())));
    const free = 5;
    await databases[0]?.read(
      (sql) => sql`
        insert into investigation (id, account_id, owner_id, owner, name, note, sharing, created_ms, changed_by, changed_ms, version)
        select 'i' || number, 'acme', 'p-ann', 'ann', '', '', 'add', 1, 'ann', 1, 1
        from generate_series(1, ${investigationLimits.perAccount - free}::int) as number`,
    );
    const stores = databases.map(openInvestigationStore);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 12 }, (_, index) =>
        (stores[index % stores.length] as InvestigationStore).createInvestigation(investigation(), ann),
      ),
    );
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, free);
  });
} else test('the distributed store of investigations', { skip: 'skipped: no PostgreSQL' }, () => undefined);
