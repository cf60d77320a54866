import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDomains } from '../../../src/store/embedded/domain/open-domains.ts';
import { nameglass } from '../../harness/server/command-line.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

test('store reindex repairs the index and prints how many records it checked and changed', async (t) => {
  const data = temporaryDirectory(t);
  const file = join(data, 'records.ndjson');
  writeFileSync(file, '{"domain":"a.example"}\n{"domain":"b.example"}\n');
  assert.equal((await nameglass(['import', 'records', file, '--data', data])).code, 0);
  const database = openDomains(join(data, 'domains', 'domains.db'), 2048);
  database.prepare('delete from record_keys where id = 1').run();
  database.prepare('delete from number_chunk').run();
  database.close();

  const first = await nameglass(['store', 'reindex', '--data', data]);
  assert.deepEqual([first.code, first.out, first.err], [0, '2 records checked, 2 changed\n', '']);
  const second = await nameglass(['store', 'reindex', '--json', '--data', data]);
  assert.deepEqual([second.code, JSON.parse(second.out)], [0, { records: 2, changed: 0 }]);
  assert.equal((await nameglass(['verify', 'counts', '--data', data])).code, 0);
});

test('store reindex of a directory without data fails', async (t) => {
  const { code, err } = await nameglass([
    'store',
    'reindex',
    '--data',
    join(temporaryDirectory(t), 'absent'),
  ]);
  assert.equal(code, 1);
  assert.match(err, /absent/);
});
