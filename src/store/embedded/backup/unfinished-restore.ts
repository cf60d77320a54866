/**
 * What a restore that was killed leaves. `accounts.db` gets its place last: a directory without it is not data yet, whatever else is there,
 * and must not be taken for new.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { Problem } from '../../../model/problem.ts';
import { isAlive } from '../process-identity.ts';
import { listScratch, type Scratch } from './scratch.ts';

const movedNames = 'moving.json';

/** Directories of restores into this one: within it when it was there, beside it otherwise. */
const insidePrefix = '.restoring';
const besidePrefix = (data: string) => `${basename(data)}.restoring`;

export function scratchOfRestore(data: string): { readonly parent: string; readonly prefix: string } {
  // A directory that is there may be the root of a file system, which cannot be renamed.
  return existsSync(data)
    ? { parent: data, prefix: insidePrefix }
    : { parent: dirname(data), prefix: besidePrefix(data) };
}

/** For whatever opens data: nothing is created where a restore has not ended. */
export function refuseUnfinishedRestore(directory: string): void {
  const data = resolve(directory);
  if (existsSync(join(data, 'accounts.db'))) return;
  const found = [...listScratch(data, insidePrefix), ...listScratch(dirname(data), besidePrefix(data))];
  const running = found.find(({ owner }) => isAlive(owner));
  if (running)
    throw new Problem(
      'unavailable',
      `process ${running.owner.process} is restoring ${data}; wait for its end`,
    );
  const [left] = found;
  if (!left) return;
  const remove = left.path.startsWith(`${data}/`) ? `the content of ${data}` : left.path;
  throw new Problem(
    'unavailable',
    `a restore into ${data} was not finished; repeat it: nameglass restore FROM --data ${data}, or, to begin without it, remove ${remove}`,
  );
}

/** Before the first file is moved to its place: the next restore must know which are ours. */
export function rememberMoved(scratch: string, names: readonly string[]): void {
  writeFileSync(join(scratch, movedNames), JSON.stringify(names), { mode: 0o600, flush: true });
}

/** Removes what killed restores had moved into the directory. Complete data stays. */
export function removeMoved(data: string): void {
  if (existsSync(join(data, 'accounts.db'))) return;
  const abandoned = listScratch(data, insidePrefix).filter(({ owner }) => !isAlive(owner));
  for (const name of abandoned.flatMap(namesMovedBy))
    rmSync(join(data, basename(name)), { recursive: true, force: true });
}

function namesMovedBy({ path }: Scratch): readonly string[] {
  const file = join(path, movedNames);
  if (!existsSync(file)) return [];
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as string[];
  } catch {
    // Half written: nothing was moved yet.
    return [];
  }
}
