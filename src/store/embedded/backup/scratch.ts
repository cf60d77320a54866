/** Directories of a backup or restore in progress carry the identity of their process: what a killed one left is removed by the next. */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from '../../../model/problem.ts';
import { currentProcess, isAlive, type ProcessIdentity } from '../process-identity.ts';

export function scratchName(prefix: string): string {
  const { process: pid, started } = currentProcess();
  return `${prefix}-${pid}-${started || '0'}`;
}

export interface Scratch {
  readonly path: string;
  readonly owner: ProcessIdentity;
}

export function listScratch(parent: string, prefix: string): readonly Scratch[] {
  if (!existsSync(parent)) return [];
  return readdirSync(parent).flatMap((name) => {
    if (!name.startsWith(`${prefix}-`)) return [];
    const [, pid, started] = /^-(\d+)-(\d+)$/.exec(name.slice(prefix.length)) ?? [];
    if (pid === undefined || started === undefined) return [];
    const owner = { process: Number(pid), started: started === '0' ? '' : started };
    return [{ path: join(parent, name), owner }];
  });
}

export function removeAbandoned(parent: string, prefix: string): void {
  for (const { path, owner } of listScratch(parent, prefix))
    if (!isAlive(owner)) rmSync(path, { recursive: true, force: true });
}

/** What is there stays as it is: no backup is overwritten, and no two data directories are mixed. */
export function assertEmpty(directory: string): void {
  if (!existsSync(directory)) return;
  // The root of a file system has a directory of its own.
  if (statSync(directory).isDirectory() && readdirSync(directory).every((name) => name === 'lost+found'))
    return;
  throw new Problem('already-exists', `${directory} is there already, and not empty; name a new directory`);
}
