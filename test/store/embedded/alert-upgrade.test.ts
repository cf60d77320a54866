/** Databases of version 0.1.0, as their migrations made them. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { openDetectStores } from '../../../src/store/embedded/detect-stores.ts';
import { openImageStore } from '../../../src/store/embedded/image-store.ts';
import { capture } from '../../conformance/image-store.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

const migrations = join(import.meta.dirname, '../../../src/store/embedded/migrations');

/** A database with the given migrations alone. */
function oldDatabase(path: string, name: string, files: readonly string[]) {
  const database = new Sqlite(path);
  database.exec('create table migration (number integer primary key, file text not null) strict');
  for (const [index, file] of files.entries()) {
    database.exec(readFileSync(join(migrations, name, file), 'utf8'));
    database.prepare('insert into migration values (?, ?)').run(index + 1, file);
  }
  return database;
}

test('subscriptions of an earlier version are neither paused nor scheduled, and have delivered what they had', async (t: TestContext) => {
  const directory = temporaryDirectory(t);
  const files = ['0001-watchlist.sql', '0002-remembered-and-snapshots.sql'];
  const old = oldDatabase(join(directory, 'watchlist.db'), 'watchlist', files);
  old.exec(
    `insert into subscription (id, account, means, target, events, every, seed, created_by, created_ms, told_id, next_ms)
     values ('aaaaaaaaaa', 'acme', 'email', 'soc@example.com', '["discovered"]', 'day', '', 'operator', 1, 7, 9)`,
  );
  old.close();
  const stores = openDetectStores(directory);
  t.after(() => stores.close());
  const found = await stores.events.findSubscription('acme', 'aaaaaaaaaa');
  assert.deepEqual(
    [found?.every, found?.deliveredId, found?.schedule, found?.paused, found?.deliveredMs],
    ['day', 7, undefined, undefined, undefined],
  );
  assert.deepEqual([found?.format, found?.options], ['nameglass', {}]);
  assert.deepEqual(await stores.events.listDeliveries('acme', 'aaaaaaaaaa'), []);
});

test('pictures of an earlier version are shown as before, and are hashed afterwards', async (t) => {
  const directory = temporaryDirectory(t);
  const first = openImageStore(directory);
  await first.saveCapture(capture('a.example', 1000));
  await first.close();
  const old = new Sqlite(join(directory, 'images.db'));
  old.exec(
    `drop index image_unhashed; drop index image_perceptual; drop index capture_shown; drop table perceptual_quarter;
     alter table image drop column perceptual_hash; drop table raw_answer; drop table raw_body; drop table raw_total;
     drop table evidence_part; drop table evidence_case; delete from migration where number >= 2`,
  );
  old.close();
  const store = openImageStore(directory);
  t.after(() => store.close());
  assert.equal((await store.findScreenshots(['a.example']))[0]?.perceptualHash, undefined);
  assert.equal(await store.hashImages(10, async () => '00ff00ff00ff00ff'), 1);
  assert.equal((await store.findScreenshots(['a.example']))[0]?.perceptualHash, '00ff00ff00ff00ff');
});
