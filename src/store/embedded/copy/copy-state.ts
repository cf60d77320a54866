/** The copy that fills a data directory, in a file there: what of it is done, and whether anything may open the directory. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from '../../../model/problem.ts';

export interface CopyState {
  readonly source: string;
  readonly isComplete: boolean;
  /** Names of what is copied. */
  readonly parts: readonly string[];
}

const copyStateName = 'store-copy.json';

export function findCopy(data: string): CopyState | undefined {
  const path = join(data, copyStateName);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as CopyState) : undefined;
}

export function writeCopy(data: string, state: CopyState): void {
  const path = join(data, copyStateName);
  writeFileSync(`${path}.new`, `${JSON.stringify(state)}\n`, { mode: 0o600, flush: true });
  renameSync(`${path}.new`, path);
}

/** For whatever opens the stores. */
export function refuseUnfinishedCopy(data: string): void {
  const copy = findCopy(data);
  if (!copy || copy.isComplete) return;
  throw new Problem(
    'unavailable',
    `a copy to ${data} was not finished; repeat "nameglass store copy", or remove the directory`,
  );
}
