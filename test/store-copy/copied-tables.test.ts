import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { migrationsOf, schemaParts } from '../../src/store/distributed/postgres/migrations.ts';
import {
  databaseNames,
  databasesLeftOut,
  openForCopy,
} from '../../src/store/embedded/copy/copied-databases.ts';
import {
  copiedTables,
  distributedLeftOut,
  embeddedLeftOut,
  leftOutParts,
} from '../../src/store-copy/copied-tables.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';

/** Of full-text indexes, and of SQLite itself. */
const isInternal = (table: string) =>
  /^sqlite_|^migration$|_(?:data|idx|content|docsize|config)$/.test(table);

test('every table of the embedded stores is copied, or left out for a reason', (t) => {
  const data = temporaryDirectory(t);
  for (const name of databaseNames) {
    const database = openForCopy(data, name);
    t.after(() => database.close());
    const tables = database.prepare("select name from sqlite_schema where type = 'table'").pluck().all();
    const copied = copiedTables.filter((table) => table.database === name).map(({ embedded }) => embedded);
    assert.deepEqual(
      [...new Set([...copied, ...Object.keys(embeddedLeftOut[name] ?? {})])].sort(),
      (tables as string[]).filter((table) => !isInternal(table)).sort(),
      name,
    );
  }
});

test('every database of the embedded stores is copied but for leases, result snapshots and passive DNS', () => {
  const all = readdirSync(join(import.meta.dirname, '../../src/store/embedded/migrations'));
  assert.deepEqual(all.sort(), [...databaseNames, ...databasesLeftOut].sort());
});

test('every table of the distributed stores is copied, or left out for a reason', () => {
  const parts = schemaParts.filter((part) => !leftOutParts.includes(part));
  const made = migrationsOf(parts).flatMap(({ path }) =>
    [...readFileSync(path, 'utf8').matchAll(/^create (?:unlogged )?table (\w+) \(/gm)].map(
      ([, name]) => name,
    ),
  );
  const known = [...copiedTables.map(({ distributed }) => distributed), ...Object.keys(distributedLeftOut)];
  assert.deepEqual(new Set(known), new Set([...made, 'schema_migration']));
});
