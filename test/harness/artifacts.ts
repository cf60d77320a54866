/**
 * Collects logs, responses and databases of every test server for the leaked-credential search. Every key that a test
 * creates is a canary; `scripts/test.ts` searches for them after all tests.
 */
import { randomUUID } from 'node:crypto';
import { appendFileSync, copyFileSync, existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

const directory = process.env['TEST_ARTIFACTS'];

export const canaryPattern = /canary-[0-9a-f]{8}|ca9a4700-0000-4000-8000-/g;

export function canaryKey(): string {
  return `canary-${randomUUID()}`;
}

export function canaryBatchKey(): string {
  return `ca9a4700-0000-4000-8000-${randomUUID().slice(-12)}`;
}

export function keepText(name: string, text: string): void {
  if (directory) appendFileSync(join(directory, `${process.pid}-${name}`), `${text}\n`);
}

export function keepDatabases(from: string): void {
  if (!directory || !existsSync(from)) return;
  for (const file of readdirSync(from).filter((name) => /\.db(-wal)?$/.test(name))) {
    try {
      copyFileSync(join(from, file), join(directory, `${process.pid}-${basename(from)}-${file}`));
    } catch (error) {
      // A process that is exiting removes its write-ahead log after merging it into the database.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}
