/** `last-backup.json` in the data directory: when, how large, and where the last backup is. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LastBackup } from '../../backup.ts';

const pathIn = (data: string) => join(data, 'last-backup.json');

/** Replaced in one step. The backup itself is whole without it. */
export function rememberBackup(data: string, { atMs, files, bytes, location }: LastBackup): void {
  const draft = `${pathIn(data)}.new`;
  writeFileSync(draft, `${JSON.stringify({ atMs, files, bytes, location })}\n`, { mode: 0o600 });
  renameSync(draft, pathIn(data));
}

export function findLastBackup(data: string): LastBackup | undefined {
  try {
    const found = JSON.parse(readFileSync(pathIn(data), 'utf8')) as LastBackup;
    return Number.isFinite(found.atMs) && Number.isFinite(found.bytes) ? found : undefined;
  } catch {
    return undefined;
  }
}
