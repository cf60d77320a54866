/** Flips a bit in a database, its log or its checksums, and starts on it as the server does. */
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DamagedData } from '../../../../src/store/damage.ts';
import { openReadOnly } from '../../../../src/store/embedded/database.ts';
import { checkPages } from '../../../../src/store/embedded/page-checksums/check-pages.ts';
import { checkAtStart } from '../../../../src/store/embedded/verify/check-at-start.ts';
import { flipBit } from '../../../harness/damage.ts';

export interface DatabaseFlip {
  readonly sample: string;
  /** Below the sample: `NAME.db`, `NAME.db-wal` or `NAME.db-crc`. */
  readonly file: string;
  readonly at: number;
  readonly bit: number;
}

export interface DatabaseOutcome extends DatabaseFlip {
  /** What verification said of each damaged file. */
  readonly named: readonly string[];
  readonly isRefused: boolean;
  /** Served, and not what was written. */
  readonly isWrong: boolean;
}

const contents = new Map<string, string>();

export async function tryDatabaseFlip(flip: DatabaseFlip): Promise<DatabaseOutcome> {
  const { sample, file, at, bit } = flip;
  const database = file.replace(/-\w+$/, '');
  const original = `${sample}/${database}`;
  if (!contents.has(original))
    contents.set(
      original,
      withCopy(sample, database, (copy) => contentOf(copy)),
    );
  return withCopy(sample, database, async (copy, directory) => {
    flipBit(join(directory, file), at, bit);
    const check = await checkPages(copy);
    const named = [...check.damages, ...check.notices].map((damage) =>
      damage.file.slice(directory.length + 1),
    );
    try {
      await checkAtStart(directory, { bytesMax: Number.MAX_SAFE_INTEGER });
    } catch (error) {
      if ((error as DamagedData).code !== 'DAMAGED_DATA') throw error;
      return { ...flip, named, isRefused: true, isWrong: false };
    }
    return { ...flip, named, isRefused: false, isWrong: contentOf(copy) !== contents.get(original) };
  });
}

function withCopy<Result>(
  sample: string,
  database: string,
  work: (copy: string, directory: string) => Result,
): Result {
  const directory = `${sample}-${process.pid}-database`;
  const copy = join(directory, database);
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(dirname(copy), { recursive: true });
  for (const suffix of ['', '-wal', '-crc'])
    if (existsSync(join(sample, database) + suffix))
      copyFileSync(join(sample, database) + suffix, copy + suffix);
  return work(copy, directory);
}

/** Everything that SQLite reads in it. */
function contentOf(path: string): string {
  const database = openReadOnly(path);
  try {
    const hash = createHash('sha256');
    const tables = database
      .prepare("select name from sqlite_schema where type = 'table' order by 1")
      .pluck()
      .all();
    hash.update(JSON.stringify(database.prepare('select * from sqlite_schema').all()));
    for (const table of tables)
      for (const row of database
        .prepare(`select * from "${String(table)}"`)
        .safeIntegers()
        .raw()
        .iterate())
        hash.update((row as unknown[]).map((value) => String(value)).join('\0'));
    return hash.digest('hex');
  } finally {
    database.close();
  }
}
