// Set-up for `npm start` and `npm test` on a fresh clone: installs what the lock file names unless it is there already, and builds the web
// UI if its sources have changed since.
// Runs on the machine's own Node (20 or later), before the one that the package brings along.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
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

// The server works without the web UI, and says so in its place: a build that is not possible here is no reason not to start.
const built = `${root}node_modules/.nameglass-web-built`;
const sourcesOfWeb = createHash('sha256').update(wanted);
const filesOfWeb = readdirSync(`${root}web`, { recursive: true, encoding: 'utf8' });
for (const path of filesOfWeb.filter((file) => !file.startsWith('dist')).sort((a, b) => (a < b ? -1 : 1)))
  if (statSync(`${root}web/${path}`).isFile())
    sourcesOfWeb.update(`${path}\n`).update(readFileSync(`${root}web/${path}`));
const digestOfWeb = sourcesOfWeb.digest('hex');
const isBuilt = existsSync(`${root}web/dist/index.html`) && existsSync(built);
if (!isBuilt || readFileSync(built, 'utf8') !== digestOfWeb) {
  console.log('Building the web UI (once) ...');
  const node = `${root}node_modules/node/bin/node`;
  const { status } = spawnSync(node, [`${root}scripts/build-web.ts`], { cwd: root, stdio: 'inherit' });
  if (status === 0) writeFileSync(built, digestOfWeb);
  else {
    rmSync(built, { force: true });
    console.error('The web UI could not be built, see above. Everything else works without it.');
  }
}

// The demonstration shows pictures of web sites. Without a browser everything else works, so a failure here is none.
const browsers = ['chromium', 'chromium-browser', 'google-chrome'].map((name) => `/usr/bin/${name}`);
const mayInstall = process.getuid?.() === 0 && existsSync('/etc/debian_version');
if (
  process.env.npm_lifecycle_event === 'prestart' &&
  mayInstall &&
  !browsers.some((path) => existsSync(path))
) {
  console.log('Installing Chromium for screenshots (once) ...');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...args) =>
    spawnSync('apt-get', ['-q', ...args], { env, stdio: 'ignore', timeout: 300_000 }).status === 0;
  const install = () => apt('install', '-y', '--no-install-recommends', 'chromium', 'iproute2', 'util-linux');
  if (!install() && !(apt('update') && install())) {
    console.log('Chromium could not be installed: there will be no screenshots.');
  }
}
