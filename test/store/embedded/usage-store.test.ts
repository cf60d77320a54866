import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { calendarWindow, dayPeriod, perDay, perMinute, perMonth } from '../../../src/model/account/limit.ts';
import { dayMs, hourMs, minuteMs } from '../../../src/model/durations.ts';
import { openUsageStore } from '../../../src/store/embedded/usage-store.ts';
import type { UsageStore } from '../../../src/store/usage-store.ts';
import { usageClockSteps } from '../../conformance/usage-clock-steps.ts';
import { usageStoreConformance } from '../../conformance/usage-store.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

const start = Date.parse('2026-03-04T10:11:12Z');

function open(t: TestContext, directory: string, monotonic?: { readonly ms: number }): UsageStore {
  const store = openUsageStore(directory, monotonic && (() => monotonic.ms));
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

usageClockSteps('the embedded adapter', (t) => {
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

test('pruning deletes every expired claim after an hour, more than fit in one batch, and no other', async (t) => {
  const directory = temporaryDirectory(t);
  const monotonic = { ms: 0 };
  const store = open(t, directory, monotonic);
  const ids = Array.from({ length: 2501 }, (_, index) => Buffer.from(`request ${index}`));
  await Promise.all(ids.map((id) => store.claim([{ id, usesMax: 1 }], start + 10, start)));
  await store.claim([{ id: Buffer.from('later'), usesMax: 1 }], start + 11, start);
  const rows = [];
  for (const atMs of [start + 10, start + 10, start + 11]) {
    await store.pruneUsage(atMs);
    rows.push(countRows(directory, 'claim'));
    monotonic.ms += hourMs;
  }
  assert.deepEqual(rows, [2502, 1, 0]);
});

test('AUTH-17 a claim is still refused when the clock was far ahead, usage was pruned, and the clock is back', async (t) => {
  const monotonic = { ms: 0 };
  const store = open(t, temporaryDirectory(t), monotonic);
  const expiresMs = start + 2 * hourMs + 30 * minuteMs;
  const claim = () => store.claim([{ id: Buffer.from('one'), usesMax: 1 }], expiresMs, start + monotonic.ms);
  await store.pruneUsage(start);
  monotonic.ms = 2 * hourMs;
  assert.equal(await claim(), true);
  for (const aheadMs of [dayMs, 2 * dayMs, 400 * dayMs]) {
    monotonic.ms += 9 * minuteMs;
    await store.pruneUsage(start + aheadMs);
    assert.equal(await claim(), false);
  }
});

test('the days and months of one item take eight rows each', async (t) => {
  const directory = temporaryDirectory(t);
  const store = open(t, directory);
  for (let day = 0; day < 400; day += 1) {
    const tally = { owner: 'account:a', item: 'x' };
    await store.charge({ limits: [], tally }, start + day * dayMs);
  }
  assert.equal(countRows(directory, 'tally'), 16);
});

test('the windows of a counter take eight rows', async (t) => {
  const directory = temporaryDirectory(t);
  const store = open(t, directory);
  const limit = { ...perDay(5), subject: 'account:a/x' };
  for (let day = 0; day < 40; day += 1) await store.charge({ limits: [limit] }, start + day * dayMs);
  assert.equal(countRows(directory, 'window_count'), 8);
});

test('usage that version 0.1.0 counted still counts', async (t) => {
  const directory = temporaryDirectory(t);
  const migrations = join(import.meta.dirname, '../../../src/store/embedded/migrations/usage');
  const file = new Sqlite(join(directory, 'usage.db'));
  file.exec('create table migration (number integer primary key, file text not null) strict');
  for (const [index, name] of ['0001-usage.sql', '0002-marks.sql'].entries()) {
    file.exec(readFileSync(join(migrations, name), 'utf8'));
    file.prepare('insert into migration values (?, ?)').run(index + 1, name);
  }
  const { startMs } = calendarWindow('month', start);
  const todayMs = calendarWindow(dayPeriod, start).startMs;
  file.prepare('insert into window_count values (?, ?, ?)').run('account:a/x/month', startMs, 4);
  file.prepare('insert into tally values (?, ?, ?, ?, ?, ?)').run('account:a', 'x', todayMs, 2, startMs, 4);
  file.close();
  const store = open(t, directory);
  assert.deepEqual(await store.remainingOf([{ ...perMonth(5), subject: 'account:a/x' }], start), [1]);
  assert.deepEqual((await store.talliesOf('account:a', start)).get('x'), { today: 2, month: 4 });
  assert.deepEqual(await store.dailyUses('a', 0), [{ dayMs: todayMs, username: '', item: 'x', used: 2 }]);
});
