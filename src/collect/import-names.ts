/**
 * Names into the store, from a list with one in a line. A line that holds no name is told with its number and passed over; empty ones and
 * those that begin with `#` say nothing. What is known already changes nothing, so an import may be repeated at will.
 */
import { isBlank } from '../model/channel-line.ts';
import { readLines } from './rrset-formats/lines.ts';
import { plainBytes } from './rrset-formats/plain-bytes.ts';
import { cleanName } from './sources/clean-name.ts';
import type { NameIntake } from './sources/source.ts';

const batchNames = 10_000;

export interface NameCounts {
  readonly read: number;
  readonly names: number;
  /** Domains that nobody had told of before. */
  readonly fresh: number;
  readonly malformed: number;
}

interface NameImportNeeds {
  readonly intake: Pick<NameIntake, 'take'>;
  /** Who says so. */
  readonly source: string;
  readonly seenMs: number;
  readonly onFault: (place: string, reason: string) => void;
  /** Called now and then. */
  readonly onProgress: (counts: NameCounts) => void;
}

export async function importNames(
  bytes: AsyncIterable<Uint8Array>,
  { intake, source, seenMs, onFault, onProgress }: NameImportNeeds,
): Promise<NameCounts> {
  const counts = { read: 0, names: 0, fresh: 0, malformed: 0 };
  let names: string[] = [];
  const take = async () => {
    const taken = await intake.take(source, { names, seenMs });
    counts.names += names.length;
    counts.fresh += taken.fresh;
    names = [];
  };
  for await (const { firstNumber, lines } of readLines(plainBytes(bytes))) {
    for (const [index, line] of lines.entries()) {
      if (line !== undefined && (isBlank(line) || line.startsWith('#'))) continue;
      const clean = line === undefined ? undefined : cleanName(line);
      if (clean) names.push(clean.host);
      else {
        counts.malformed += 1;
        onFault(
          `line ${firstNumber + index}`,
          line === undefined ? 'is too long' : 'is not the name of a host or domain',
        );
      }
    }
    counts.read += lines.length;
    if (names.length >= batchNames) await take();
    onProgress(counts);
  }
  if (names.length > 0) await take();
  return counts;
}
