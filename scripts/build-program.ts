/** The program compiled for one run of tests or benchmarks: it starts in a quarter of the processor time, and is what people run. Takes two seconds of a processor. */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { basename, join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** Right below the root, as `scripts/build.ts` wants it. */
const directory = join(root, `dist-programs-${process.pid}`);

/** The path of the program; undefined if it could not be built, and why is printed then. */
export function buildProgram(): string | undefined {
  const args = ['scripts/build.ts', '--server', basename(directory)];
  // Standard output belongs to the results.
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: ['ignore', 2, 2] });
  return status === 0 ? join(directory, 'main.js') : undefined;
}

export function removeProgram(): void {
  rmSync(directory, { recursive: true, force: true });
}
