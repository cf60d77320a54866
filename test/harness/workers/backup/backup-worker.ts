/** Makes a backup, and kills its own process before the given step. */
import { embeddedBackups } from '../../../../src/store/embedded/backup/embedded-backups.ts';

const [data = '', to = '', step = ''] = process.argv.slice(2);
let steps = 0;
await embeddedBackups.make({
  data,
  to: to === '-' ? process.stdout : to,
  without: [],
  version: '9.9.9',
  clock: { now: () => Date.now() },
  onProgress: () => {
    steps += 1;
    if (steps === Number(step)) process.kill(process.pid, 'SIGKILL');
  },
});
