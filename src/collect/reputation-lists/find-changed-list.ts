/** Fetches a reputation list from its configured location and parses its configured format. */

import { TimeSlice } from '../../concurrency/time-slice.ts';
import type { Settings } from '../../model/settings/settings.ts';
import { readLines } from '../input/lines.ts';
import { type FileNeeds, type FileState, findChangedFile, stateOf } from '../input/located-file.ts';
import type { FoundList, ListEntry } from './list-entry.ts';
import { type LineReader, lineReader } from './list-lines.ts';
import { findChangedFeed } from './misp/misp-feed.ts';

export type ListSettings = Settings['risk']['lists'][number];

const bytesMax = 1e9;
const unpackedBytesMax = 4e9;
const linesPerCheck = 64;

/** Undefined where the list is unchanged. Throws a Problem where it cannot be fetched. */
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
  const timeSlice = new TimeSlice();
  for await (const { lines } of readLines(bytes)) {
    for (let at = 0; at < lines.length; at += linesPerCheck) {
      await timeSlice.yieldIfOver();
      yield lines.slice(at, at + linesPerCheck).flatMap((line) => reader.read(line));
    }
  }
  yield reader.end();
}
