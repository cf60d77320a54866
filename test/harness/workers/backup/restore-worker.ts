/** Restores a backup, and kills its own process before the given call: `rename 3` is the third one that gives a file its place. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const [from = '', data = '', kind = '', number = ''] = process.argv.slice(2);
let calls = 0;
const count = (called: string) => {
  if (called !== kind) return;
  calls += 1;
  if (calls === Number(number)) process.kill(process.pid, 'SIGKILL');
};

const { renameSync, writeFileSync, rmSync } = fs;
fs.renameSync = (...args) => {
  count('rename');
  renameSync(...args);
};
fs.writeFileSync = (...args) => {
  count('write');
  writeFileSync(...args);
};
fs.rmSync = (...args) => {
  count('remove');
  rmSync(...args);
};
syncBuiltinESMExports();

const { embeddedBackups } = await import('../../../../src/store/embedded/backup/embedded-backups.ts');
await embeddedBackups.restore({ from, data, secret: 'ab'.repeat(32), onProgress: () => count('copy') });
