/**
 * `npm run build:deb [-- --output DIR --version V --package TARBALL]`: a Debian package of what `npm pack` makes, with the packages of the
 * lock file and Node.js inside, so that nothing else has to be installed. It needs dpkg-deb, and no network: packages are copied from
 * `node_modules`.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';

const root = join(import.meta.dirname, '..');
const packaging = join(root, 'packaging');
const maintainer = 'The Nameglass contributors <nameglass@packages.invalid>';
const architectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

const { values: given } = parseArgs({
  options: {
    output: { type: 'string', default: root },
    version: { type: 'string' },
    package: { type: 'string' },
  },
});
const { version: ownVersion } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<
  string,
  string
>;
const version = given.version ?? `${ownVersion}-1`;
const architecture = architectures[process.arch] ?? process.arch;

const tree = mkdtempSync(join(tmpdir(), 'nameglass-deb-'));
const inTree = (path: string): string => {
  mkdirSync(dirname(join(tree, path)), { recursive: true });
  return join(tree, path);
};
const library = 'usr/lib/nameglass';
const documents = 'usr/share/doc/nameglass';
const examples = `${documents}/examples`;

function unpackOwn(): void {
  mkdirSync(join(tree, library), { recursive: true });
  const tarball =
    given.package ??
    join(
      tree,
      execFileSync('npm', ['pack', '--silent', '--pack-destination', tree], { cwd: root, encoding: 'utf8' })
        .trim()
        .split('\n')
        .at(-1) ?? '',
    );
  execFileSync('tar', [
    '-xzf',
    tarball,
    '-C',
    join(tree, library),
    '--strip-components=1',
    '--no-same-owner',
  ]);
  if (!given.package) rmSync(tarball);
  const moved = {
    docs: 'docs',
    'README.md': 'README.md',
    NOTICE: 'NOTICE',
    'nameglass.example.yaml': 'examples/nameglass.example.yaml',
  };
  for (const [from, to] of Object.entries(moved))
    renameSync(join(tree, library, from), inTree(`${documents}/${to}`));
  writeFileSync(
    inTree(`${documents}/changelog.gz`),
    gzipSync(readFileSync(join(tree, library, 'CHANGELOG.md')), { level: 9 }),
  );
  writeFileSync(
    inTree(`${documents}/changelog.Debian.gz`),
    gzipSync(
      `nameglass (${version}) unstable; urgency=medium\n\n  * What changed is in changelog.gz.\n\n -- ${maintainer}  ${new Date().toUTCString().replace('GMT', '+0000')}\n`,
      { level: 9 },
    ),
  );
  // It is started with the Node.js beside it, never as a program of its own.
  const program = join(tree, library, 'bin/nameglass.js');
  writeFileSync(program, readFileSync(program, 'utf8').replace(/^#!.*\n/, ''));
  for (const path of ['CHANGELOG.md', 'LICENSE', 'deploy', 'packaging'])
    rmSync(join(tree, library, path), { recursive: true, force: true });
}

interface LockFile {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean }>>;
}

/** Sources of native code, binaries and tables that are never read here, tests, and hidden files of those who develop a package. */
function isUnused(path: string): boolean {
  if (/\/node_modules\/(?:@[^/]+\/)?[^/]+\/(?:tests?(?:\/|$)|(?:.*\/)?\.)/.test(path)) return true;
  if (/\/better-sqlite3\/(?:deps|src)(?:\/|$)|\/fastify\/integration(?:\/|$)/.test(path)) return true;
  const prebuilt = /\/better-sqlite3\/prebuilds\/(.+)\.node$/.exec(path)?.[1];
  if (prebuilt !== undefined) return prebuilt !== `linux-${process.arch}`;
  return /\/@ip-location-db\/.+-ipv[46]\.csv$/.test(path);
}

/** The packages that the lock file names for use, as installed. Those of other platforms are not. */
function copyPackages(): void {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as LockFile;
  const used = Object.entries(packages).filter(
    ([path, { dev }]) => path !== '' && !dev && existsSync(join(root, path)),
  );
  for (const [path] of used)
    cpSync(join(root, path), join(tree, library, path), {
      recursive: true,
      // What is below has an entry of its own if it is used.
      filter: (from) => !isUnused(from) && !from.slice(join(root, path).length).includes('/node_modules'),
    });
}

function addNode(): void {
  const node = inTree(`${library}/node`);
  cpSync(join(root, 'node_modules/node/bin/node'), node);
  const native = join(tree, library, `node_modules/better-sqlite3/prebuilds/linux-${process.arch}.node`);
  if (existsSync('/usr/bin/strip')) execFileSync('strip', ['--strip-unneeded', node, native]);
}

/** The man page and completions are made by the program itself. */
function addGenerated(): void {
  const run = (...args: readonly string[]) =>
    execFileSync(join(tree, library, 'node'), [join(tree, library, 'bin/nameglass.js'), ...args], {
      encoding: 'utf8',
    });
  writeFileSync(inTree('usr/share/man/man1/nameglass.1.gz'), gzipSync(run('man'), { level: 9 }));
  writeFileSync(inTree('usr/share/bash-completion/completions/nameglass'), run('completion', 'bash'));
  writeFileSync(inTree('usr/share/zsh/vendor-completions/_nameglass'), run('completion', 'zsh'));
  writeFileSync(inTree('usr/share/fish/vendor_completions.d/nameglass.fish'), run('completion', 'fish'));
}

function addPackaging(): void {
  const copies = {
    'deb/nameglass': 'usr/bin/nameglass',
    'deb/nameglass.yaml': 'etc/nameglass/nameglass.yaml',
    'deb/copyright': `${documents}/copyright`,
    'systemd/nameglass.service': 'usr/lib/systemd/system/nameglass.service',
    'systemd/screenshots.conf': `${examples}/screenshots.conf`,
    'nginx/nameglass.conf': `${examples}/nginx.conf`,
    'caddy/Caddyfile': `${examples}/Caddyfile`,
    '../deploy/systemd/nameglass@.service': `${examples}/nameglass@.service`,
    '../deploy/systemd/worker.env': `${examples}/worker.env`,
    '../deploy/nginx/nameglass-cluster.conf': `${examples}/nginx-cluster.conf`,
    '../deploy/haproxy/haproxy.cfg': `${examples}/haproxy.cfg`,
  };
  for (const [from, to] of Object.entries(copies)) cpSync(join(packaging, from), inTree(to));
}

/** With hidden ones, which glob patterns leave out. */
function files(): readonly string[] {
  return readdirSync(tree, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(tree.length + 1))
    .filter((path) => !path.startsWith('DEBIAN/'))
    .sort();
}

/** Whatever the umask is: readable for all, executable what is a program. */
function setModes(): void {
  execFileSync('chmod', ['-R', 'u=rwX,go=rX', tree]);
  for (const path of files()) chmodSync(join(tree, path), 0o644);
  for (const path of ['usr/bin/nameglass', `${library}/node`]) chmodSync(join(tree, path), 0o755);
}

function writeControl(): void {
  const digestOf = (path: string) =>
    createHash('md5')
      .update(readFileSync(join(tree, path)))
      .digest('hex');
  const kilobytes = Math.ceil(
    files().reduce((sum, path) => sum + readFileSync(join(tree, path)).length, 0) / 1024,
  );
  writeFileSync(
    inTree('DEBIAN/md5sums'),
    files()
      .map((path) => `${digestOf(path)}  ${path}\n`)
      .join(''),
  );
  writeFileSync(inTree('DEBIAN/conffiles'), '/etc/nameglass/nameglass.yaml\n');
  writeFileSync(
    inTree('DEBIAN/control'),
    `Package: nameglass
Version: ${version}
Architecture: ${architecture}
Maintainer: ${maintainer}
Installed-Size: ${kilobytes}
Depends: adduser, libc6 (>= 2.28), libstdc++6 (>= 8)
Suggests: chromium, nginx | caddy
Section: net
Priority: optional
Description: open, self-hosted domain intelligence
 Watches the names of the Internet, keeps what it sees, finds lookalikes of the
 names you protect, and answers over HTTP and in a web UI.
 .
 It comes with the version of Node.js that it is tested with.
`,
  );
  for (const script of ['postinst', 'prerm', 'postrm']) {
    cpSync(join(packaging, 'deb', script), inTree(`DEBIAN/${script}`));
    chmodSync(join(tree, 'DEBIAN', script), 0o755);
  }
}

try {
  unpackOwn();
  copyPackages();
  addNode();
  addGenerated();
  addPackaging();
  setModes();
  writeControl();
  mkdirSync(given.output, { recursive: true });
  const output = join(given.output, `nameglass_${version}_${architecture}.deb`);
  execFileSync('dpkg-deb', ['--root-owner-group', '-Zgzip', '-z6', '--build', tree, output], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  console.log(output);
} finally {
  rmSync(tree, { recursive: true, force: true });
}
