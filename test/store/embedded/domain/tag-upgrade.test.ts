/** domains.db of versions whose tags had no definitions. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { openDomainStore } from '../../../../src/store/embedded/domain-store.ts';

import { temporaryDirectory } from '../../../harness/temporary-directory.ts';
import { TestClock } from '../../../harness/test-clock.ts';

const migrations = join(import.meta.dirname, '../../../../src/store/embedded/migrations/domains');

function oldDomains(t: TestContext): string {
  const data = temporaryDirectory(t);
  mkdirSync(join(data, 'domains'));
  const database = new Sqlite(join(data, 'domains', 'domains.db'), {});
  database.pragma('page_size = 8192');
  database.exec('create table migration (number integer primary key, file text not null) strict');
  for (const [index, file] of readdirSync(migrations).sort().slice(0, 6).entries()) {
    database.exec(readFileSync(join(migrations, file), 'utf8'));
    database.prepare('insert into migration values (?, ?)').run(index + 1, file);
  }
  database.exec(`
    insert into domain values (1, 'a.example'), (2, 'b.example');
    insert into tag values
      ('acme', '', 1, 'kit 7', 'Kit 7', 20), ('acme', '', 2, 'kit 7', 'KIT 7', 10),
      ('acme', 'ann', 1, 'kit 7', 'kit 7', 30), ('acme', 'bob', 2, 'bobs', 'bobs', 40),
      ('other', '', 1, 'kit 7', 'kit 7', 50)`);
  database.close();
  return data;
}

test('tags of earlier versions have definitions, with the label as it was first written', async (t) => {
  const store = openDomainStore(oldDomains(t), new TestClock());
  t.after(() => store.close());
  const ann = { accountId: 'acme', userId: 'ann', nowMs: 100 };
  const listed = await store.listTags(ann, 10);
  assert.deepEqual(
    listed.map(({ id: _id, ...tag }) => tag),
    [
      { label: 'KIT 7', scope: 'team', colour: 'grey', domains: 2, createdMs: 10, usedMs: 20 },
      { label: 'kit 7', scope: 'own', colour: 'grey', domains: 1, createdMs: 30, usedMs: 30 },
    ],
  );
  const [a = [], b = []] = await store.tagsOf(['a.example', 'b.example'], ann);
  assert.deepEqual(
    [a, b].map((tags) => tags.map(({ label, scope, taggedMs }) => [label, scope, taggedMs])),
    [
      [
        ['KIT 7', 'team', 20],
        ['kit 7', 'own', 30],
      ],
      [['KIT 7', 'team', 10]],
    ],
  );
});
