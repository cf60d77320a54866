/** The stores of Detect on PostgreSQL, as several nodes open them. */
import type { TestContext } from 'node:test';
import { openDetectStores } from '../../../src/store/distributed/detect-stores.ts';
import { PostgresDatabase } from '../../../src/store/distributed/postgres/database.ts';
import type { DetectStores } from '../../../src/stores.ts';
import { newSchema, type PostgresServer } from './postgres.ts';

export interface DetectNode {
  readonly stores: DetectStores;
  readonly database: PostgresDatabase;
}

/** Returns a function that opens the tables of this test once more, with connections of its own. */
export function detectNodesOn(server: PostgresServer, t: Pick<TestContext, 'after'>): () => DetectNode {
  const options = newSchema(server, ['watchlist', 'blocklists']);
  const databases: PostgresDatabase[] = [];
  t.after(() => Promise.all(databases.map((database) => database.close())));
  return () => {
    const database = new PostgresDatabase(options);
    databases.push(database);
    return { stores: openDetectStores(database), database };
  };
}
