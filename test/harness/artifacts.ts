/**
 * What tests leave behind for the search for leaked credentials: logs, answers and databases of every server. Every key
 * that a test makes is a canary; `scripts/test.ts` looks for them when all tests are done.
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
      // A process that is just ending takes its log of changes with it; all of it is in the database then.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}
