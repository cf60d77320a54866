import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { keepDatabases } from './artifacts.ts';

/** A directory that is gone when the test is over; its databases are kept for the search for leaked keys. */
export function temporaryDirectory(t: TestContext): string {
  const directory = mkdtempSync(join(process.env['TEST_STORES'] ?? tmpdir(), 'nameglass-test-'));
  t.after(() => {
    keepDatabases(directory);
    rmSync(directory, { recursive: true, force: true });
  });
  return directory;
}
