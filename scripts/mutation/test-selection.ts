/** Chooses the tests of a source file: its mirror, the tests that import it, and otherwise those that reach it by the fewest imports. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const testsMax = 4;

export class TestSelection {
  readonly #root: string;
  /** By file: the files that import it. */
  readonly #importers = new Map<string, string[]>();

  constructor(root: string) {
    this.#root = root;
    for (const file of globSync('{src,test,tools,world,scripts}/**/*.ts', { cwd: root }))
      for (const imported of importsOf(join(root, file))) {
        const target = relative(root, imported);
        this.#importers.set(target, [...(this.#importers.get(target) ?? []), file]);
      }
  }

  /** Breadth first over the import graph, so that the nearest tests come first. */
  testsFor(source: string): readonly string[] {
    const mirror = source.replace(/^src\//, 'test/').replace(/\.ts$/, '.test.ts');
    const tests = existsSync(join(this.#root, mirror)) ? [mirror] : [];
    const seen = new Set([source]);
    for (let level = [source]; level.length > 0 && tests.length < testsMax; ) {
      const next = level.flatMap((file) => this.#importers.get(file) ?? []).filter((file) => !seen.has(file));
      for (const file of next) seen.add(file);
      const found = [...new Set(next)].filter(isFastTest).filter((file) => !tests.includes(file));
      const byNearness = (one: string, other: string) =>
        sharedFolders(other, mirror) - sharedFolders(one, mirror) || (one < other ? -1 : 1);
      tests.push(...found.sort(byNearness).slice(0, testsMax - tests.length));
      // The mirror, or direct importers, are enough: farther tests only cost time.
      if (tests.length > 0) break;
      level = [...new Set(next)];
    }
    return tests;
  }
}

/** How many folders two paths have in common, from the top: tests near the mirror know the file best. */
function sharedFolders(one: string, other: string): number {
  const [left, right] = [dirname(one).split('/'), dirname(other).split('/')];
  const differing = left.findIndex((folder, index) => folder !== right[index]);
  return differing < 0 ? left.length : differing;
}

function isFastTest(file: string): boolean {
  return file.endsWith('.test.ts') && !file.startsWith('test/system/');
}

function importsOf(file: string): readonly string[] {
  const text = readFileSync(file, 'utf8');
  const found = text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+\.ts)'|new URL\('(\.[^']+\.ts)'/g);
  return [...found].map(([, first, second]) => resolve(dirname(file), (first ?? second) as string));
}
