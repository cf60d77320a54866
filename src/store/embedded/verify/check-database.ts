/**
 * A program: compares databases with their checksums, has SQLite check their structure, and prints a line of JSON for each. With `accept`
 * it records the present content as right instead. Killed when its time is over.
 */
import { giveWay } from '../../../concurrency/give-way.ts';
import type { Damage } from '../../damage.ts';
import { openForChecksums, openReadOnly } from '../database.ts';
import { checkPages } from '../page-checksums/check-pages.ts';
import { settleChecksums } from '../page-checksums/settle-checksums.ts';
import type { DatabaseTask } from './verify-databases.ts';

/** Problems reported per database. */
const problemsMax = 20;

const [task, ...paths] = process.argv.slice(2) as [DatabaseTask, ...string[]];

async function pageProblems(file: string): Promise<readonly Damage[]> {
  const { damages, notices, doubtful } = await checkPages(file);
  const problem = `another program has written ${doubtful.length} pages after a process was killed; the next start records their checksums`;
  return [...damages, ...notices, ...(doubtful.length > 0 ? [{ file, problem }] : [])];
}

function structureProblems(file: string): readonly Damage[] {
  const database = openReadOnly(file);
  try {
    const found = database.prepare(`pragma ${task}(${problemsMax})`).pluck().all() as string[];
    return found.filter((line) => line !== 'ok').map((problem) => ({ file, problem }));
  } finally {
    database.close();
  }
}

async function problemsOf(file: string): Promise<readonly Damage[]> {
  if (task === 'accept')
    return orItsError(file, () =>
      settleChecksums(file, { open: openForChecksums, check: 'integrity_check' }),
    );
  const problems = await orItsError(file, () => pageProblems(file));
  if (task === 'pages') return problems;
  return [...problems, ...(await orItsError(file, () => structureProblems(file)))];
}

async function orItsError(
  file: string,
  work: () => readonly Damage[] | Promise<readonly Damage[]>,
): Promise<readonly Damage[]> {
  try {
    return await work();
  } catch (error) {
    return [{ file, problem: (error as Error).message }];
  }
}

// Nobody waits for this one.
if (task === 'pages') giveWay(10);
for (const path of paths) {
  const problems = (await problemsOf(path)).slice(0, problemsMax);
  process.stdout.write(`${JSON.stringify(problems)}\n`);
}
