/**
 * Compares all databases with their checksums before the first of them is opened. A database that differs is not opened: what is in it
 * would be served, and written on under new checksums. Databases without checksums get theirs here.
 */
import { type Damage, DamagedData } from '../../damage.ts';
import { openForChecksums } from '../database.ts';
import { checkPages, type PageCheck } from '../page-checksums/check-pages.ts';
import { settleChecksums } from '../page-checksums/settle-checksums.ts';
import { listDatabases, listMissingDatabases, missingProblem } from './list-databases.ts';

export interface StartCheck {
  /** Larger databases are left out. */
  readonly bytesMax: number;
  /** Called with a line of text for what had to be put right. */
  readonly onFault?: (fault: string) => void;
  onProgress?(doneBytes: number, allBytes: number): void;
}

/** Throws `DamagedData` for the first damage. For a process that has none of the databases open yet. */
export async function checkAtStart(data: string, options: StartCheck): Promise<void> {
  const databases = listDatabases(data).filter(({ bytes }) => bytes > 0 && bytes <= options.bytesMax);
  const allBytes = databases.reduce((sum, { bytes }) => sum + bytes, 0);
  const damages: Damage[] = listMissingDatabases(data).map((file) => ({ file, problem: missingProblem }));
  let doneBytes = 0;
  const onBytes = (bytes: number) => {
    doneBytes += bytes;
    options.onProgress?.(doneBytes, allBytes);
  };
  for (const { path } of databases) {
    const check = await checkPages(path, { onBytes });
    damages.push(...check.damages);
    for (const { file, offset, problem } of check.notices)
      options.onFault?.(`${file}${offset === undefined ? '' : ` at byte ${offset}`}: ${problem}`);
    if (check.damages.length === 0 && isUnsettled(check)) damages.push(...settle(path, check, options));
  }
  const [first] = damages;
  if (first) throw new DamagedData({ ...first, problem: refusal(first, damages.length - 1) });
}

function isUnsettled({ unknown, doubtful, notices }: PageCheck): boolean {
  return unknown.length + doubtful.length + notices.length > 0;
}

function settle(path: string, check: PageCheck, { onFault }: StartCheck): readonly Damage[] {
  const { unknown, doubtful, hasChecksums } = check;
  if (doubtful.length > 0)
    onFault?.(
      `${path}: another program has written ${doubtful.length} pages after a process was killed; their checksums are made anew`,
    );
  return settleChecksums(path, {
    open: openForChecksums,
    check: 'quick_check',
    pages: hasChecksums ? [...unknown, ...doubtful] : undefined,
  });
}

function refusal({ problem }: Damage, more: number): string {
  const others = more > 0 ? ` (and ${more} more)` : '';
  const accept = '"nameglass verify databases --accept" records that';
  return `${problem}${others}, and nothing was opened (if another program changed it on purpose, ${accept})`;
}
