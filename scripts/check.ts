/** `npm run check`: types, lint, format, and what nothing uses. Each tool says what it found; the first failure ends it. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

const checks: readonly (readonly [what: string, tool: string, ...args: string[]])[] = [
  ['types', 'tsc', '--noEmit', '-p', '.'],
  ['types of the web UI', 'tsc', '--noEmit', '-p', 'web'],
  [
    'lint',
    'oxlint',
    '--type-aware',
    '--deny-warnings',
    'src',
    'test',
    'bench',
    'scripts',
    'tools',
    'world',
    'bin',
    'web',
  ],
  ['format', 'biome', 'check', '.'],
  ['unused code and packages', 'knip'],
];

export function check(): boolean {
  return checks.every(([what, tool, ...args]) => {
    const started = performance.now();
    const { status } = spawnSync(join(root, 'node_modules/.bin', tool), args, {
      cwd: root,
      stdio: 'inherit',
    });
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`${status === 0 ? 'ok' : 'FAILED'}  ${what} (${tool}, ${seconds} s)`);
    return status === 0;
  });
}

if (process.argv[1] === import.meta.filename) process.exitCode = check() ? 0 : 1;
