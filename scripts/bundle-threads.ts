/**
 * Threads as one file each, for a whole run of the fast tests. A test that opens a store starts a thread of it, which from the sources loads a hundred
 * modules: that took twice the time of a processor. Bundling all of them takes half a second.
 */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { bundledName } from '../test/harness/bundled-threads.ts';

/** Only JavaScript, and loaded by many threads. */
const bundledPackage = /^(typebox|tldts)/;

const isPackage = (id: string): boolean => !/^[./]/.test(id) && !bundledPackage.test(id);

/** The directory is right below the root: the assets of the package have the same path from there. */
export async function bundleThreads(root: string, directory: string): Promise<void> {
  for (const file of globSync('src/**/*-worker.ts', { cwd: root }).map((name) => join(root, name))) {
    const build = await rolldown({ input: file, platform: 'node', external: isPackage, tsconfig: false });
    await build.write({
      dir: directory,
      format: 'esm',
      cleanDir: false,
      entryFileNames: bundledName(file),
      codeSplitting: false,
      comments: false,
    });
    await build.close();
  }
}
