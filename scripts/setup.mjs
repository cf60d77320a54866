// Set-up for `npm start` and `npm test` on a fresh clone: installs what the lock file names unless it is there already.
// Runs on the machine's own Node (20 or later), before the one that the package brings along.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const stamp = `${root}node_modules/.nameglass-installed`;
const wanted = createHash('sha256')
  .update(readFileSync(`${root}package-lock.json`))
  .update(`${process.platform} ${process.arch}`)
  .digest('hex');

const installed =
  existsSync(stamp) && existsSync(`${root}node_modules/node/bin/node`) && readFileSync(stamp, 'utf8');
if (installed !== wanted) {
  console.log('Installing packages (once) ...');
  const npm = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm'];
  const [command, ...first] = npm;
  const { status } = spawnSync(command, [...first, 'ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) {
    console.error('Installing failed: the npm registry must be reachable for the first run.');
    process.exit(1);
  }
  writeFileSync(stamp, wanted);
}
