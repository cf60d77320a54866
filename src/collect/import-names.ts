/**
 * Imports a list of names, one per line. Lines that are not names are reported by number and skipped; empty lines and `#` comments
 * are ignored. Idempotent: known names change nothing.
 */
import { isBlank } from '../model/channel-line.ts';
import { decompress } from './input/decompress.ts';
import { readLines } from './input/lines.ts';
import { cleanName } from './sources/clean-name.ts';
import type { NameIntake } from './sources/source.ts';

const batchNames = 10_000;

export interface NameCounts {
  readonly read: number;
  readonly names: number;
  /** Domains that were not known before. */
  readonly newDomains: number;
  readonly malformed: number;
}

interface NameImportNeeds {
  readonly intake: Pick<NameIntake, 'ingest'>;
  /** Recorded as the source of the names. */
  readonly source: string;
  readonly seenMs: number;
  readonly onFault: (position: string, reason: string) => void;
  /** Called after every chunk of lines. */
  readonly onProgress: (counts: NameCounts) => void;
}

export async function importNames(
  bytes: AsyncIterable<Uint8Array>,
  { intake, source, seenMs, onFault, onProgress }: NameImportNeeds,
): Promise<NameCounts> {
  const counts = { read: 0, names: 0, newDomains: 0, malformed: 0 };
  let names: string[] = [];
  const flush = async () => {
    const ingested = await intake.ingest(source, { names, seenMs });
    counts.names += names.length;
    counts.newDomains += ingested.newDomains;
    names = [];
  };
  for await (const { firstNumber, lines } of readLines(decompress(bytes))) {
    for (const [index, line] of lines.entries()) {
      if (line !== undefined && (isBlank(line) || line.startsWith('#'))) continue;
      const clean = line === undefined ? undefined : cleanName(line);
      if (clean) names.push(clean.host);
      else {
        counts.malformed += 1;
        onFault(
          `line ${firstNumber + index}`,
          line === undefined ? 'is too long' : 'is not a host or domain name',
        );
      }
    }
    counts.read += lines.length;
    if (names.length >= batchNames) await flush();
    onProgress(counts);
  }
  if (names.length > 0) await flush();
  return counts;
}
