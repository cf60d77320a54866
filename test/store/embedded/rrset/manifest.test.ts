import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { Manifest } from '../../../../src/store/embedded/rrset/manifest.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';

const migrations = join(import.meta.dirname, '../../../../src/store/embedded/migrations/rrsets');
const segment = (name: string) => ({
  name,
  rrsets: 1,
  bytes: 1,
  minFirst: 1,
  maxLast: 1,
  hasTrigrams: false,
  checksums: [1],
});

test('segments from before the second migration are published, in the order of their names', (t) => {
  const directory = temporaryDirectory(t);
  const database = new Sqlite(join(directory, 'manifest.db'));
  database.exec(readFileSync(join(migrations, '0001-runs.sql'), 'utf8'));
  database.exec('create table migration (number integer primary key, file text not null) strict');
  database.exec("insert into migration values (1, '0001-runs.sql')");
  for (const name of ['300-1-a', '100-1-a', '200-1-a']) {
    database.prepare("insert into run values (?, 1, 1, 1, 1, 0, '1', null, null)").run(name);
  }
  database.close();
  const manifest = new Manifest(directory);
  t.after(() => manifest.close());
  assert.deepEqual(
    manifest.list().map(({ name, sequence, published }) => [name, sequence, published]),
    [
      ['100-1-a', 1, true],
      ['200-1-a', 2, true],
      ['300-1-a', 3, true],
    ],
  );
  assert.equal(manifest.findUnpublished(), undefined);
});

test('a compacted segment takes the highest sequence of its sources, and no sequence is assigned twice', async (t) => {
  const manifest = new Manifest(temporaryDirectory(t));
  t.after(() => manifest.close());
  for (const name of ['a', 'b', 'c'])
    await manifest.commit(segment(name), undefined, { published: name !== 'c' });
  const unpublished = { sequence: 3, rrsets: 1, greatestSequence: 3, rrsetsInAll: 1, importId: undefined };
  assert.deepEqual(manifest.findUnpublished(), unpublished);
  await manifest.claim(['a', 'b'], 'm', 0, 1);
  assert.ok(await manifest.replace(segment('m'), ['a', 'b'], 'm'));
  await manifest.markPublished(3, { domains: 0, hosts: 0 });
  await manifest.claim(['m', 'c'], 'n', 0, 1);
  assert.ok(await manifest.replace(segment('n'), ['m', 'c'], 'n'));
  await manifest.commit(segment('d'), undefined, { published: false });
  assert.deepEqual(
    manifest.list().map(({ name, sequence, published }) => [name, sequence, published]),
    [
      ['d', 4, false],
      ['n', 3, true],
    ],
  );
});

test('a claim made while the clock was ahead has ended when the clock is set back, and no longer replaces', async (t) => {
  const manifest = new Manifest(temporaryDirectory(t));
  t.after(() => manifest.close());
  for (const name of ['a', 'b']) await manifest.commit(segment(name), undefined, { published: true });
  const [claimMs, aheadMs] = [21_600_000, 86_400_000];
  assert.equal(await manifest.claim(['a', 'b'], 'm', aheadMs, aheadMs + claimMs), true);
  assert.equal((await manifest.listUnclaimed(1000, 1000 + claimMs)).length, 2);
  assert.equal(await manifest.claim(['a', 'b'], 'n', 1000, 1000 + claimMs), true);
  assert.equal(await manifest.claim(['a', 'b'], 'o', 999, 999 + claimMs), false);
  assert.equal(await manifest.replace(segment('m'), ['a', 'b'], 'm'), false);
  assert.equal(await manifest.replace(segment('n'), ['a', 'b'], 'n'), true);
});

test('a list with a row that was altered, lost or added is refused, and not committed to', async (t) => {
  for (const change of [
    "update run set checksums = '2' where name = 'b'",
    "delete from run where name = 'b'",
    "update run set name = 'c' where name = 'b'",
    'delete from list_checksum',
  ]) {
    const directory = temporaryDirectory(t);
    const manifest = new Manifest(directory);
    for (const name of ['a', 'b']) await manifest.commit(segment(name), undefined, { published: true });
    manifest.close();
    const database = new Sqlite(join(directory, 'manifest.db'));
    database.exec(change);
    database.close();
    const damaged = new Manifest(directory);
    t.after(() => damaged.close());
    const refusal = { name: 'DamagedData', file: join(directory, 'manifest.db') };
    assert.throws(() => damaged.list(), refusal, change);
    await assert.rejects(damaged.commit(segment('d'), undefined, { published: true }), refusal);
    await assert.rejects(damaged.markPublished(1, { domains: 0, hosts: 0 }), refusal);
  }
});

test('a list without a checksum, as of version 0.1.0, is read, and gets one with its next change', async (t) => {
  const directory = temporaryDirectory(t);
  const manifest = new Manifest(directory);
  await manifest.commit(segment('a'), undefined, { published: true });
  manifest.database.exec('update list_checksum set checksum = null');
  assert.deepEqual(
    manifest.list().map(({ name }) => name),
    ['a'],
  );
  await manifest.commit(segment('b'), undefined, { published: true });
  assert.notEqual(manifest.database.prepare('select checksum from list_checksum').pluck().get(), null);
  assert.equal(manifest.list().length, 2);
  manifest.close();
});
