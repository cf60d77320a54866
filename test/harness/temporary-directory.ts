import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepDatabases } from './artifacts.ts';
import { lastFirst, type TestScope } from './test-scope.ts';

/** A directory that is removed after the test and whatever uses it; its databases are kept for the leaked-key search. */
export function temporaryDirectory(scope: TestScope): string {
  lastFirst(scope);
  const directory = mkdtempSync(join(process.env['TEST_STORES'] ?? tmpdir(), 'nameglass-test-'));
  scope.after(() => {
    keepDatabases(directory);
    rmSync(directory, { recursive: true, force: true });
  });
  return directory;
}
