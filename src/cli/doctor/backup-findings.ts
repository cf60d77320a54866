/** Checks of the last backup, and of how long the disk will last. */
import { dayMs } from '../../model/durations.ts';
import { isBackupOverdue } from '../../model/health/backup-age.ts';
import type { Settings } from '../../model/settings/settings.ts';
import type { LastBackup } from '../../store/backup.ts';
import type { Stores } from '../../stores.ts';
import { bytesText } from '../backup/bytes-text.ts';
import { spaceText } from '../space-text.ts';
import { type Finding, finding, remark } from './finding.ts';

const daysLeftMin = 14;

export async function backupFinding(
  { health }: Pick<Stores, 'health'>,
  { backup: { maxAgeDays } }: Settings,
  nowMs: number,
): Promise<Finding> {
  const check = 'there is a recent backup';
  const found = await health.findBackup();
  if (!found) return remark(check, 'not known here: the database and S3 are backed up with their own tools');
  const { last, dataSinceMs } = found;
  const isOverdue = isBackupOverdue({ lastMs: last?.atMs, dataSinceMs }, maxAgeDays, nowMs);
  const known = last ? lastText(last, nowMs) : 'none was made of this data directory';
  if (!isOverdue) return remark(check, known);
  return finding(check, false, 'warn', `${known}; make one: nameglass backup DIR`);
}

export function lastText({ atMs, bytes, location }: LastBackup, nowMs: number): string {
  const days = Math.max(0, Math.floor((nowMs - atMs) / dayMs));
  const age = days === 0 ? 'today' : `${days} ${days === 1 ? 'day' : 'days'} ago`;
  return `the last one is of ${new Date(atMs).toISOString().slice(0, 16)}Z (${age}), ${bytesText(bytes)} in ${location}`;
}

/** A warning while there is less than twice the reserve, or than two weeks at the rate since the last backup. */
export async function diskFinding({ freeSpace, health }: Stores, nowMs: number): Promise<Finding> {
  const check = 'the data directory has disk space';
  const state = freeSpace.state();
  const { isLow, freeBytes, reserveBytes } = state;
  const last = (await health.findBackup())?.last;
  const sizes = await health.listSizes();
  const days =
    last &&
    daysLeft(
      last,
      sizes.reduce((sum, { bytes }) => sum + bytes, 0),
      freeBytes - reserveBytes,
      nowMs,
    );
  const rate = days === undefined ? '' : `; at the rate since the last backup it lasts about ${days} days`;
  const advice = `${spaceText(state)}${isLow ? ': nothing is ingested or collected' : ''}${rate}. Free some, or shorten retention`;
  if (isLow) return finding(check, false, 'fail', advice);
  if (freeBytes >= 2 * reserveBytes && (days === undefined || days >= daysLeftMin))
    return remark(
      check,
      days === undefined ? '' : `about ${days.toLocaleString('en')} days at the rate since the last backup`,
    );
  return finding(check, false, 'warn', advice);
}

/** Undefined where nothing can be said: no backup, less than a day, or nothing grew. */
function daysLeft(last: LastBackup, bytesNow: number, roomBytes: number, nowMs: number): number | undefined {
  const days = (nowMs - last.atMs) / dayMs;
  const perDay = (bytesNow - last.bytes) / days;
  return days < 1 || perDay <= 0 ? undefined : Math.max(0, Math.floor(roomBytes / perDay));
}
