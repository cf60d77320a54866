/** A program: checks databases with SQLite's own check, and prints a line of JSON for each. Killed when its time is over. */
import { openReadOnly } from '../database.ts';

/** Problems reported per database. */
const problemsMax = 20;

const [check = 'quick_check', ...paths] = process.argv.slice(2);

function problemsOf(path: string): readonly string[] {
  try {
    const database = openReadOnly(path);
    try {
      const found = database.prepare(`pragma ${check}(${problemsMax})`).pluck().all() as string[];
      return found.filter((line) => line !== 'ok');
    } finally {
      database.close();
    }
  } catch (error) {
    return [(error as Error).message];
  }
}

for (const path of paths) process.stdout.write(`${JSON.stringify({ path, problems: problemsOf(path) })}\n`);
