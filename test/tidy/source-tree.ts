/** The source tree as the tidy tests read it: files, rooms, and every way one file can load another. */
import { globSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

export const root = join(import.meta.dirname, '../..');

export const read = (file: string): string => readFileSync(join(root, file), 'utf8');

export const list = (pattern: string): string[] => globSync(pattern, { cwd: root }).sort();

export const sources = list('src/**/*.ts');

/** Static and dynamic imports, re-exports, and files that start as worker threads: all of them load code. */
const loads = [
  /^(?:import|export)\s[^;]*?from '(\.[^']+)';/gms,
  /\bimport\(\s*'(\.[^']+)'\s*,?\s*\)/g,
  /\bnew URL\(\s*'(\.[^']+\.ts)'\s*,\s*import\.meta\.url\s*\)/g,
];

export function importsOf(file: string): string[] {
  const text = read(file);
  return loads.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([, path]) => relative(root, resolve(root, file, '..', path as string))),
  );
}

/** `src/product/account` is a room of its own, because products do not import one another; so are the adapters of the stores. */
export function roomOf(file: string): string {
  const [top = '', folder = '', second = ''] = file.split('/');
  if (top !== 'src') return top === 'tools' ? `tools/${folder}` : top;
  if (second === '') return folder.replace('.ts', '');
  if (folder === 'product' || (folder === 'store' && (second === 'embedded' || second === 'distributed')))
    return `${folder}/${second}`;
  return folder;
}
