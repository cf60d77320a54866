/**
 * Makes a backup, and kills its own process before the given step: a number of those that it reports, `leased` (files are leased, nothing is
 * locked yet) or `locked` (the write locks of all databases are held).
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import Database from 'better-sqlite3';

const [data = '', to = '', step = ''] = process.argv.slice(2);
const die = () => process.kill(process.pid, 'SIGKILL');
let steps = 0;

function isLocked(): boolean {
  const database = new Database(join(data, 'accounts.db'), { timeout: 0 });
  try {
    database.exec('begin immediate; rollback');
    return false;
  } catch {
    return true;
  } finally {
    database.close();
  }
}

if (step === 'locked') {
  const { openSync } = fs;
  fs.openSync = (...args) => {
    if (isLocked()) die();
    return openSync(...args);
  };
  syncBuiltinESMExports();
}

const { embeddedBackups } = await import('../../../../src/store/embedded/backup/embedded-backups.ts');
await embeddedBackups.make({
  data,
  to: to === '-' ? process.stdout : to,
  without: [],
  version: '9.9.9',
  clock: {
    now: () => {
      if (step === 'leased') die();
      return Date.now();
    },
  },
  onProgress: () => {
    steps += 1;
    if (steps === Number(step)) die();
  },
});
