import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { snapshotAll } from '../../../../src/store/embedded/backup/barrier.ts';
import { type Database, isBusy, openDatabase, openForLock } from '../../../../src/store/embedded/database.ts';
import { checkPages } from '../../../../src/store/embedded/page-checksums/check-pages.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';

const addJob = (database: Database, subject: string) =>
  database
    .prepare('insert into job (kind, subject, due_ms, ready_ms) values (?, ?, 0, 0)')
    .run('test', subject);
const countJobs = (database: Database) => database.prepare('select count(*) from job').pluck().get();

function twoDatabases(t: TestContext): { readonly paths: string[]; readonly databases: Database[] } {
  const directory = temporaryDirectory(t);
  const paths = ['one.db', 'other.db'].map((name) => join(directory, name));
  const databases = paths.map((path) => openDatabase(path, 'jobs', 'full'));
  t.after(() => databases.forEach((database) => database.close()));
  for (const database of databases) addJob(database, 'before');
  return { paths, databases };
}

function isLocked(path: string): boolean {
  const other = openForLock(path);
  try {
    other.exec('begin immediate');
    return false;
  } catch (error) {
    return isBusy(error);
  } finally {
    other.close();
  }
}

test('at the instant of a snapshot no database can be written to, and afterwards all can', async (t) => {
  const { paths } = twoDatabases(t);
  let locked: boolean[] = [];
  const snapshots = await snapshotAll(paths, () => {
    locked = paths.map(isLocked);
  });
  assert.deepEqual(locked, [true, true]);
  assert.deepEqual(paths.map(isLocked), [false, false]);
  for (const { reader } of snapshots) reader.close();
});

test('a snapshot stays as it was while others write, and leaves the databases with right checksums', async (t) => {
  const { paths, databases } = twoDatabases(t);
  const snapshots = await snapshotAll(paths, () => undefined);
  for (const database of databases) addJob(database, 'after');
  assert.deepEqual(
    snapshots.map(({ reader }) => countJobs(reader)),
    [1, 1],
  );
  for (const { reader } of snapshots) reader.close();
  for (const database of databases) database.close();
  for (const path of paths) {
    const { damages, doubtful } = await checkPages(path);
    assert.deepEqual([damages, doubtful], [[], []]);
  }
});
