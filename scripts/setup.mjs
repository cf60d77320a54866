// Set-up for `npm start` and `npm test` on a fresh clone: installs what the lock file names unless it is there already, and builds the web
// UI, and for `npm start` the server, if their sources have changed since.
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

const node = `${root}node_modules/node/bin/node`;

/** Of names, sizes and times: reading thousands of files would cost each start more than building once too often. */
function digestOf(folders) {
  const digest = createHash('sha256').update(wanted);
  for (const folder of folders)
    for (const path of readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' }).sort()) {
      const stat = statSync(`${root}${folder}/${path}`);
      if (stat.isFile() && !path.startsWith('dist')) digest.update(`${path} ${stat.size} ${stat.mtimeMs}\n`);
    }
  return digest.digest('hex');
}

/** Returns false if what has changed could not be built. */
function build({ what, folders, result, script }) {
  const built = `${root}node_modules/.nameglass-built-${what.replaceAll(' ', '-')}`;
  const digest = digestOf(folders);
  const isBuilt = existsSync(`${root}${result}`) && existsSync(built);
  if (isBuilt && readFileSync(built, 'utf8') === digest) return true;
  console.log(`Building the ${what} (once) ...`);
  rmSync(built, { force: true });
  const { status } = spawnSync(node, script, { cwd: root, stdio: 'inherit' });
  if (status === 0) writeFileSync(built, digest);
  return status === 0;
}

// The server works without the web UI, and says so in its place: a build that is not possible here is no reason not to start.
if (
  !build({
    what: 'web UI',
    folders: ['web', 'src/model/triage'],
    result: 'web/dist/index.html',
    script: ['scripts/build-web.ts'],
  })
)
  console.error('The web UI could not be built, see above. Everything else works without it.');

const isStart = process.env.npm_lifecycle_event === 'prestart';
const server = {
  what: 'server',
  folders: ['src', 'world'],
  result: 'dist/main.js',
  script: ['scripts/build.ts', '--server'],
};
if (isStart && !build(server)) process.exit(1);

// The demonstration shows pictures of web sites. Without a browser everything else works, so a failure here is none.
const browsers = ['chromium', 'chromium-browser', 'google-chrome'].map((name) => `/usr/bin/${name}`);
const mayInstall = process.getuid?.() === 0 && existsSync('/etc/debian_version');
if (isStart && mayInstall && !browsers.some((path) => existsSync(path))) {
  console.log('Installing Chromium for screenshots (once) ...');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...args) =>
    spawnSync('apt-get', ['-q', ...args], { env, stdio: 'ignore', timeout: 300_000 }).status === 0;
  const install = () => apt('install', '-y', '--no-install-recommends', 'chromium', 'iproute2', 'util-linux');
  if (!install() && !(apt('update') && install())) {
    console.log('Chromium could not be installed: there will be no screenshots.');
  }
}
