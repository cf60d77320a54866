/** Finds a list where the settings say that it is, and reads it in the format that they say. */
import type { Settings } from '../../model/settings.ts';
import { Turn } from '../dnstap/turn.ts';
import { readLines } from '../rrset-formats/lines.ts';
import { type FileNeeds, type FileState, findChangedFile, stateOf } from '../sources/located-file.ts';
import type { FoundList, ListEntry } from './list-entry.ts';
import { type LineReader, lineReader } from './list-lines.ts';
import { findChangedFeed } from './misp/misp-feed.ts';

export type ListSettings = Settings['risk']['lists'][number];

const bytesMax = 1e9;
const unpackedBytesMax = 4e9;
const linesBetweenLooks = 64;

/** Undefined where it is the same as last time. Throws a Problem where it cannot be had. */
export async function findChangedList(
  needs: FileNeeds,
  settings: ListSettings,
  known: FileState | undefined,
  signal: AbortSignal,
): Promise<FoundList | undefined> {
  const { name, location, format = 'plain', column = 1 } = settings;
  if (format === 'misp') return findChangedFeed(needs, { name, location, known, signal });
  const request = { location, name: `known-list-${name}`, known, bytesMax, unpackedBytesMax, signal };
  const file = await findChangedFile(needs, request);
  return (
    file && {
      state: stateOf(file),
      entries: () => scanEntries(file.bytes(), lineReader(format, column)),
      release: () => file.release(),
    }
  );
}

async function* scanEntries(
  bytes: AsyncIterable<Uint8Array>,
  reader: LineReader,
): AsyncGenerator<readonly ListEntry[]> {
  const turn = new Turn();
  for await (const { lines } of readLines(bytes)) {
    for (let at = 0; at < lines.length; at += linesBetweenLooks) {
      await turn.over();
      yield lines.slice(at, at + linesBetweenLooks).flatMap((line) => reader.read(line));
    }
  }
  yield reader.end();
}
