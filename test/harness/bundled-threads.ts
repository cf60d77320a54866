/**
 * Loaded before the tests of a whole run: threads start from the bundles in `TEST_THREADS` (`scripts/bundle-threads.ts`). A file run by
 * `node --test` alone starts them from the sources.
 */
import { existsSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import threads, { type WorkerOptions } from 'node:worker_threads';

const directory = process.env['TEST_THREADS'];

/** Of a program below `src`. */
export function bundledName(file: string): string {
  return `${file.slice(file.lastIndexOf('/src/') + 1, -'.ts'.length).replaceAll('/', '-')}.mjs`;
}

class BundledWorker extends threads.Worker {
  constructor(file: string | URL, options?: WorkerOptions) {
    const bundle = bundleOf(file);
    // Without what is loaded before tests, which a thread would load as well.
    super(bundle ?? file, bundle === undefined ? options : { ...options, execArgv: [] });
  }
}

function bundleOf(file: string | URL): string | undefined {
  if (directory === undefined || !(file instanceof URL)) return undefined;
  const bundle = join(directory, bundledName(fileURLToPath(file)));
  return existsSync(bundle) ? bundle : undefined;
}

if (directory !== undefined && threads.isMainThread) {
  Object.assign(threads, { Worker: BundledWorker });
  syncBuiltinESMExports();
}
