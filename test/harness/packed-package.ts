/**
 * The tarball that `npm pack` makes, once per state of the tree. It is packed in a copy, because packing builds, and other tests read what
 * is built.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const cache = join(root, 'node_modules/.cache/packed');
const keptMs = 3_600_000;

/** What the package is made of. */
const parts = [
  'bin',
  'clients',
  'deploy',
  'docs',
  'models',
  'packaging',
  'scripts',
  'src',
  'tools',
  'web',
  'world',
];
const isBuilt = (path: string): boolean => /^web\/dist(?:-\d+)?(?:\/|$)/.test(path);

function sourceFiles(): readonly string[] {
  const below = parts.flatMap((part) => globSync(`${part}/**/*`, { cwd: root, withFileTypes: true }));
  const paths = below.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return [
    ...paths.map((path) => path.slice(root.length + 1)),
    ...globSync('*.{json,md,yaml}', { cwd: root }),
    'LICENSE',
    'NOTICE',
  ]
    .filter((path) => !isBuilt(path))
    .sort();
}

/** The environment in which `node` is the one that runs the tests. */
export function withThisNode(): NodeJS.ProcessEnv {
  return { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH']}` };
}

/** The path of the tarball. */
export function packedPackage(): string {
  const files = sourceFiles();
  const digest = createHash('sha256');
  for (const path of files) digest.update(`${path}\n`).update(readFileSync(join(root, path)));
  const tarball = join(cache, `${digest.digest('hex').slice(0, 16)}.tgz`);
  if (!existsSync(tarball)) pack(files, tarball);
  return tarball;
}

/** Those of other states of the tree, unless a test may still be reading them. */
function removeOld(): void {
  for (const file of globSync('*.tgz', { cwd: cache }).map((name) => join(cache, name)))
    if (Date.now() - statSync(file).mtimeMs > keptMs) rmSync(file, { force: true });
}

function pack(files: readonly string[], tarball: string): void {
  const copy = mkdtempSync(join(tmpdir(), 'nameglass-pack-'));
  try {
    for (const path of files) cpSync(join(root, path), join(copy, path));
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    const { status, stdout, stderr } = spawnSync('npm', ['pack', '--silent'], {
      cwd: copy,
      env: withThisNode(),
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`npm pack failed: ${stderr}${stdout}`);
    mkdirSync(cache, { recursive: true });
    const name = stdout.trim().split('\n').at(-1) ?? '';
    cpSync(join(copy, name), `${tarball}.${process.pid}`);
    renameSync(`${tarball}.${process.pid}`, tarball);
    removeOld();
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
