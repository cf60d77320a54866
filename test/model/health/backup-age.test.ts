import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayMs } from '../../../src/model/durations.ts';
import { isBackupOverdue } from '../../../src/model/health/backup-age.ts';

const nowMs = 100 * dayMs;

test('a backup is overdue when the last one is older than the limit', () => {
  const overdue = (days: number) =>
    isBackupOverdue({ lastMs: nowMs - days * dayMs, dataSinceMs: 0 }, 7, nowMs);
  assert.deepEqual([overdue(0), overdue(7), overdue(7.1)], [false, false, true]);
});

test('without a backup data have as long as the limit from their beginning', () => {
  const overdue = (days: number) =>
    isBackupOverdue({ lastMs: undefined, dataSinceMs: nowMs - days * dayMs }, 7, nowMs);
  assert.deepEqual([overdue(6), overdue(8)], [false, true]);
});

test('a limit of 0 days is none, and a backup of the future is not overdue', () => {
  assert.equal(isBackupOverdue({ lastMs: undefined, dataSinceMs: 0 }, 0, nowMs), false);
  assert.equal(isBackupOverdue({ lastMs: nowMs + dayMs, dataSinceMs: 0 }, 1, nowMs), false);
});
