/** How much a browser may have to load: sizes in bytes, gzipped where the file is. */

export interface ManifestEntry {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly isDynamicEntry?: boolean;
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
  readonly css?: readonly string[];
  readonly assets?: readonly string[];
}

/** As vite writes it: files by the source that they were made of. */
export type Manifest = Readonly<Record<string, ManifestEntry>>;

const kilobyte = 1000;
export const budget = {
  initialScript: 150 * kilobyte,
  lazyRoute: 60 * kilobyte,
  initialStyles: 12 * kilobyte,
  lazyStyles: 6 * kilobyte,
  latinFonts: 100 * kilobyte,
} as const;

/** A chunk and everything that it imports statically. */
function closure(manifest: Manifest, key: string, found = new Set<string>()): Set<string> {
  if (found.has(key)) return found;
  found.add(key);
  for (const other of manifest[key]?.imports ?? []) closure(manifest, other, found);
  return found;
}

/** One line for each excess. */
export function overBudget(manifest: Manifest, sizeOf: (file: string) => number): readonly string[] {
  const entries = Object.entries(manifest);
  const filesOf = (keys: Iterable<string>) =>
    [...keys]
      .flatMap((key) => (manifest[key] ? [manifest[key].file] : []))
      .filter((file) => file.endsWith('.js'));
  const sum = (files: Iterable<string>) =>
    [...new Set(files)].reduce((bytes, file) => bytes + sizeOf(file), 0);
  const initial = new Set(
    entries.filter(([, { isEntry }]) => isEntry).flatMap(([key]) => [...closure(manifest, key)]),
  );
  const lazy = entries.filter(([, { isDynamicEntry }]) => isDynamicEntry);
  const stylesOf = (keys: Iterable<string>) => [...keys].flatMap((key) => manifest[key]?.css ?? []);
  const fonts = entries
    .map(([, { file }]) => file)
    .filter((file) => /-latin-(?!ext)[^/]*\.woff2$/.test(file));
  const rows: readonly (readonly [what: string, bytes: number, allowed: number])[] = [
    ['initial JavaScript', sum(filesOf(initial)), budget.initialScript],
    ['initial style sheets', sum(stylesOf(initial)), budget.initialStyles],
    ['Latin fonts', sum(fonts), budget.latinFonts],
    ...lazy.flatMap(([key]): [string, number, number][] => {
      const own = [...closure(manifest, key)].filter((other) => !initial.has(other));
      return [
        [`JavaScript of ${key}`, sum(filesOf(own)), budget.lazyRoute],
        [`style sheets of ${key}`, sum(stylesOf(own)), budget.lazyStyles],
      ];
    }),
  ];
  return rows
    .filter(([, bytes, allowed]) => bytes > allowed)
    .map(([what, bytes, allowed]) => `${what}: ${bytes} bytes gzipped, ${allowed} allowed`);
}
