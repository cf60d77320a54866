/** `nameglass doctor --before-upgrade`: what the first start of this version will do to data of an earlier one. Changes nothing. */
import { existsSync, statfsSync } from 'node:fs';
import { basename } from 'node:path';
import { dayMs } from '../../model/durations.ts';
import type { Settings } from '../../model/settings/settings.ts';
import type { PendingMigrations } from '../../store/backup.ts';
import { bytesText } from '../backup/bytes-text.ts';
import type { CliNeeds } from '../needs.ts';
import { findRunning } from '../running/running-process.ts';
import { lastText } from './backup-findings.ts';
import { type Finding, finding, remark } from './finding.ts';

/** A migration may write every page of a database: into the log first, and from there into the file. */
const roomFactor = 2;

export async function upgradeFindings(settings: Settings, needs: CliNeeds): Promise<Finding[]> {
  const { data } = settings;
  if (!existsSync(data)) return [remark('no migration is pending', `${data} has no data yet`)];
  const backups = await needs.loadBackups();
  const pending = backups.listPendingMigrations(data);
  const bytes = pending.reduce((sum, { bytes: size }) => sum + size, 0);
  const neededBytes = bytes * roomFactor;
  const { bsize, bavail } = statfsSync(data);
  const last = backups.findLast(data);
  const nowMs = needs.clock.now();
  return [
    migrationsFinding(pending),
    finding(
      'there is room for the migrations',
      bsize * bavail >= neededBytes,
      'fail',
      `they need up to ${bytesText(neededBytes)}, and ${bytesText(bsize * bavail)} are free`,
    ),
    serverFinding(data),
    finding(
      'there is a backup of today',
      last !== undefined && nowMs - last.atMs < dayMs,
      'warn',
      `${last ? lastText(last, nowMs) : 'none was made of this data directory'}; a migration cannot be undone: nameglass backup DIR`,
    ),
  ];
}

function migrationsFinding(pending: readonly PendingMigrations[]): Finding {
  const check = 'migrations that the next start makes';
  if (pending.length === 0) return remark(check, 'none');
  const lines = pending.map(
    ({ database, bytes, files }) => `${basename(database)} (${bytesText(bytes)}): ${files.join(', ')}`,
  );
  return remark(check, lines.join('; '));
}

function serverFinding(data: string): Finding {
  const running = findRunning(data);
  const advice = `process ${running?.pid} (Nameglass ${running?.version}) runs; stop it before the first start of this version`;
  return finding('no server runs on the data directory', running === undefined, 'warn', advice);
}
