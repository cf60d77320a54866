import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { DamagedData } from '../../../src/store/damage.ts';
import type { DomainStore } from '../../../src/store/domain-store.ts';
import { openDomainStore } from '../../../src/store/embedded/domain-store.ts';
import { logStart } from '../../../src/store/paging/log-position.ts';
import { domainStoreConformance } from '../../conformance/domain-store.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { TestClock } from '../../harness/test-clock.ts';

domainStoreConformance('the embedded adapter', (t) => {
  const directory = temporaryDirectory(t);
  const opened: DomainStore[] = [];
  t.after(async () => {
    for (const store of opened) await store.close().catch(() => undefined);
  });
  return () => {
    const store = openDomainStore(directory, new TestClock());
    opened.push(store);
    return store;
  };
});

test('names are listed in the order in which their records were added', async (t) => {
  const store = openDomainStore(temporaryDirectory(t), new TestClock());
  t.after(() => store.close());
  for (const domain of ['c.example', 'a.example', 'b.example'])
    await store.upsert([{ record: { domain }, source: 'test', seenMs: 0 }]);
  const { names } = await store.listNames(logStart, 10);
  assert.deepEqual(names, ['c.example', 'a.example', 'b.example']);
});

test('a record that is not what was written is an error that names the database, and is not updated', async (t) => {
  const directory = temporaryDirectory(t);
  const store = openDomainStore(directory, new TestClock());
  t.after(() => store.close());
  const update = (domain: string, registrar: string) => ({
    record: { domain, registrar },
    source: 'test',
    seenMs: 0,
  });
  await store.upsert([update('a.example', 'Registrar'), update('b.example', 'Registrar')]);
  const path = join(directory, 'domains/domains.db');
  const database = new Sqlite(path);
  database.exec("update record set record = replace(record, 'Registrar', 'Registras') where id = 1");
  database.close();
  const isNamed = (error: unknown) => error instanceof DamagedData && error.file === path;
  await assert.rejects(store.findRecords(['a.example']), isNamed);
  await assert.rejects(store.getRecords([1], []), isNamed);
  await assert.rejects(store.upsert([update('a.example', 'Other')]), isNamed);
  assert.equal((await store.findRecords(['b.example']))[0]?.registrar, 'Registrar');
  assert.deepEqual((await store.verifyCounts())[0], 'the record of domain 1 does not match its checksum');
});

test('a name that leads to the record of another domain is an error', async (t) => {
  const directory = temporaryDirectory(t);
  const store = openDomainStore(directory, new TestClock());
  t.after(() => store.close());
  await store.upsert([{ record: { domain: 'a.example' }, source: 'test', seenMs: 0 }]);
  const database = new Sqlite(join(directory, 'domains/domains.db'));
  database.exec("update domain set name = 'b.example'");
  database.close();
  await assert.rejects(store.findRecords(['b.example']), /the name b\.example leads to another domain/);
});

test('a result snapshot that is not what was saved is an error', async (t) => {
  const directory = temporaryDirectory(t);
  const store = openDomainStore(directory, new TestClock());
  t.after(() => store.close());
  await store.saveResultSnapshot('one', [1, 2, 3], 2 ** 42);
  assert.deepEqual(await store.findResultSnapshot('one', 0), [1, 2, 3]);
  // On disk it has an older name.
  const [file = ''] = globSync('domains/!(domains).db', { cwd: directory });
  const database = new Sqlite(join(directory, file));
  const table = database.prepare("select name from sqlite_schema where sql like '%ids blob%'").pluck().get();
  database.exec(`update ${String(table)} set ids = x'010000000200000004000000'`);
  database.close();
  await assert.rejects(store.findResultSnapshot('one', 0), DamagedData);
});
