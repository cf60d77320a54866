/** Writes a file that must not exist yet: whole, or not at all. */
import { chmodSync, linkSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Problem } from '../../model/problem.ts';

export interface NewFile {
  readonly path: string;
  readonly text: string;
  readonly mode: number;
  /** Called with the path of the draft; where it throws, nothing is left. */
  readonly check: (draft: string) => void;
}

export function writeNewFile({ path, text, mode, check }: NewFile): void {
  const draft = `${path}.${process.pid}.draft`;
  mkdirSync(dirname(path), { recursive: true });
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx' });
    check(draft);
    chmodSync(draft, mode);
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw existsAlready(path);
  } finally {
    rmSync(draft, { force: true });
  }
}

export function existsAlready(path: string): Problem {
  return new Problem(
    'already-exists',
    `${path} exists already and is not changed; name another directory, or edit it`,
  );
}
