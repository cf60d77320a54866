/**
 * Checks all databases of a data directory without opening the stores: one of them may be too damaged for that. This happens in a process
 * of its own, because SQLite's check cannot be interrupted within a process, and because comparing pages with their checksums must not
 * happen in one that has the database open.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Damage, DatabaseCheck, DatabaseCheckResult } from '../../damage.ts';
import { refuseUnfinishedRestore } from '../backup/unfinished-restore.ts';
import { checksumPath } from '../page-checksums/checksum-file.ts';
import { listDatabases, listMissingDatabases, missingProblem } from './list-databases.ts';

const program = fileURLToPath(new URL('./check-database.ts', import.meta.url));

/** What the program does with each database. */
export type DatabaseTask = 'pages' | 'quick_check' | 'integrity_check' | 'accept';

const tasks = { pages: 'pages', quick: 'quick_check', full: 'integrity_check', accept: 'accept' } as const;

export async function verifyDatabases(data: string, check: DatabaseCheck): Promise<DatabaseCheckResult> {
  refuseUnfinishedRestore(data);
  const paths = listDatabases(data).map(({ path }) => path);
  const child = spawn(process.execPath, [program, tasks[check.how], ...paths], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const stop = () => child.kill('SIGKILL');
  const timer = check.withinMs && setTimeout(stop, check.withinMs);
  check.signal?.addEventListener('abort', stop, { once: true });
  const closed = once(child, 'close');
  const missing = listMissingDatabases(data);
  if (check.how === 'accept') for (const path of missing) rmSync(checksumPath(path), { force: true });
  const damages: Damage[] =
    check.how === 'accept' ? [] : missing.map((file) => ({ file, problem: missingProblem }));
  let done = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    const found = JSON.parse(line) as Damage[];
    damages.push(...found.map((damage) => ({ ...damage, problem: oneLine(damage.problem) })));
    done += 1;
    check.onProgress?.(done, paths.length);
  }
  await closed;
  clearTimeout(timer || undefined);
  check.signal?.removeEventListener('abort', stop);
  return { damages, unchecked: paths.slice(done) };
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replace('*** in database main *** ', '');
}
