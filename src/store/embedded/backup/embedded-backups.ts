/** Backups of the embedded stores. */
import type { Backups } from '../../backup.ts';
import { findLastBackup } from './last-backup.ts';
import { makeBackup } from './make-backup.ts';
import { restoreBackup } from './restore-backup.ts';
import { listPendingMigrations } from './schema.ts';
import { verifyBackup } from './verify-backup.ts';

export const embeddedBackups: Backups = {
  make: makeBackup,
  restore: restoreBackup,
  verify: verifyBackup,
  listPendingMigrations,
  findLast: findLastBackup,
};
