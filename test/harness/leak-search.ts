/** Searches all artifacts of a test run for test keys. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { canaryPattern } from './artifacts.ts';

export interface SearchResult {
  readonly files: number;
  readonly bytes: number;
  readonly leaks: readonly { readonly file: string; readonly first: string; readonly count: number }[];
}

export function searchForKeys(directory: string): SearchResult {
  const files = readdirSync(directory);
  let bytes = 0;
  const leaks = files.flatMap((file) => {
    const content = readFileSync(join(directory, file), 'latin1');
    bytes += content.length;
    const found = content.match(canaryPattern);
    return found ? [{ file, first: found[0], count: found.length }] : [];
  });
  return { files: files.length, bytes, leaks };
}
