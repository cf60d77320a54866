/**
 * Checks the structure of all databases of a data directory, without opening the stores: one of them may be too damaged for that. SQLite
 * checks in a process of its own, because a check cannot be interrupted within a process.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Damage, DatabaseCheck, DatabaseCheckResult } from '../../damage.ts';

const program = fileURLToPath(new URL('./check-database.ts', import.meta.url));

export async function verifyDatabases(data: string, check: DatabaseCheck): Promise<DatabaseCheckResult> {
  const paths = listDatabases(data);
  const pragma = check.how === 'quick' ? 'quick_check' : 'integrity_check';
  const child = spawn(process.execPath, [program, pragma, ...paths], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const timer = check.withinMs && setTimeout(() => child.kill('SIGKILL'), check.withinMs);
  const closed = once(child, 'close');
  const damages: Damage[] = [];
  let done = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    const { path, problems } = JSON.parse(line) as { path: string; problems: string[] };
    damages.push(...problems.map((problem) => ({ file: path, problem: oneLine(problem) })));
    done += 1;
    check.onProgress?.(done, paths.length);
  }
  await closed;
  clearTimeout(timer || undefined);
  return { damages, unchecked: paths.slice(done) };
}

/** The smallest first, so that most are checked whatever the time. */
function listDatabases(data: string): readonly string[] {
  const directories = readdirSync(data, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(data, name));
  return [data, ...directories]
    .flatMap((directory) => readdirSync(directory).map((name) => join(directory, name)))
    .filter((path) => path.endsWith('.db'))
    .map((path) => ({ path, bytes: statSync(path).size }))
    .sort((one, other) => one.bytes - other.bytes)
    .map(({ path }) => path);
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replace('*** in database main *** ', '');
}
