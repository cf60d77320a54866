import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { perMinute } from '../../../src/model/account/limit.ts';
import { openUsageStore } from '../../../src/store/embedded/usage-store.ts';
import type { UsageStore } from '../../../src/store/usage-store.ts';
import { usageStoreConformance } from '../../conformance/usage-store.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

const start = Date.parse('2026-03-04T10:11:12Z');

function open(t: TestContext, directory: string): UsageStore {
  const store = openUsageStore(directory);
  t.after(() => store.close());
  return store;
}

function countRows(directory: string, table: string): unknown {
  const file = new Sqlite(join(directory, 'usage.db'), { readonly: true });
  try {
    return file.prepare(`select count(*) from ${table}`).pluck().get();
  } finally {
    file.close();
  }
}

usageStoreConformance('the embedded adapter', (t) => {
  const directory = temporaryDirectory(t);
  return () => open(t, directory);
});

test('a sliding limit of 5 keeps 5 rows, however many charges it has granted', async (t) => {
  const directory = temporaryDirectory(t);
  const [store, limit] = [open(t, directory), { ...perMinute(5), subject: 'account:a/x' }];
  for (let charges = 0; charges < 50; charges += 1) {
    const outcome = await store.charge({ limits: [limit] }, start + charges * 12_000);
    assert.deepEqual(outcome, { granted: true });
  }
  assert.equal(countRows(directory, 'grant_log'), 5);
});

test('pruning deletes every expired claim, more than fit in one batch, and no other', async (t) => {
  const directory = temporaryDirectory(t);
  const store = open(t, directory);
  const ids = Array.from({ length: 2501 }, (_, index) => Buffer.from(`request ${index}`));
  await Promise.all(ids.map((id) => store.claimOnce(id, start + 10, start)));
  await store.claimOnce(Buffer.from('later'), start + 11, start);
  await store.pruneUsage(start + 9);
  assert.equal(countRows(directory, 'claim'), 2502);
  await store.pruneUsage(start + 10);
  assert.equal(countRows(directory, 'claim'), 1);
});

test('the days and months of one item take one row', async (t) => {
  const directory = temporaryDirectory(t);
  const store = open(t, directory);
  for (let day = 0; day < 40; day += 1) {
    const tally = { owner: 'account:a', item: 'x' };
    await store.charge({ limits: [], tally }, start + day * 86_400_000);
  }
  assert.equal(countRows(directory, 'tally'), 1);
});
