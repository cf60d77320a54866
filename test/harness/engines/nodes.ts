import type { TestContext } from 'node:test';
import { type DatabaseOptions, PostgresDatabase } from '../../../src/store/distributed/postgres/database.ts';
import type { SchemaPart } from '../../../src/store/distributed/postgres/migrations.ts';
import { lastFirst, type TestScope } from '../test-scope.ts';
import { newSchema, type PostgresServer } from './postgres.ts';

/** New tables for a test, and a function that connects one more node to them, with a pool of its own. */
export function newNodes(
  server: PostgresServer,
  parts: readonly SchemaPart[],
  t: TestContext | TestScope,
): (options?: Partial<DatabaseOptions>) => PostgresDatabase {
  lastFirst(t);
  const schema = newSchema(server, parts);
  return (options = {}) => {
    const database = new PostgresDatabase({ ...schema, ...options });
    t.after(() => database.close());
    return database;
  };
}
