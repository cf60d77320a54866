import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { openRiskStore } from '../../../src/store/embedded/risk-store.ts';
import type { RiskStore } from '../../../src/store/risk-store.ts';
import { riskStoreConformance } from '../../conformance/risk-store.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

riskStoreConformance('the embedded adapter', (t) => {
  const directory = temporaryDirectory(t);
  const opened: RiskStore[] = [];
  t.after(async () => {
    for (const store of opened) await store.close();
  });
  return () => {
    const store = openRiskStore(directory);
    opened.push(store);
    return store;
  };
});

test('a checkpoint that an earlier version stored as a number still counts', async (t) => {
  const directory = temporaryDirectory(t);
  const migration = join(import.meta.dirname, '../../../src/store/embedded/migrations/risks/0001-risks.sql');
  const file = new Sqlite(join(directory, 'risks.db'));
  file.exec('create table migration (number integer primary key, file text not null) strict');
  file.exec(readFileSync(migration, 'utf8'));
  file.prepare('insert into migration values (?, ?)').run(1, '0001-risks.sql');
  file.prepare('insert into reader values (?, ?)').run('scoring', 1_800_000_000_123);
  file.close();
  const store = openRiskStore(directory);
  t.after(() => store.close());
  assert.equal(await store.findCheckpoint('scoring'), '1800000000123');
});
