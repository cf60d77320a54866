/**
 * A MISP feed (https://www.misp-project.org/feeds/) as a reputation list: all names of the events in its manifest. The names of
 * each event are cached in a file named after its uuid and time of change, so that only changed events are fetched.
 */
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../../../model/problem.ts';
import { readLines } from '../../input/lines.ts';
import { type FileNeeds, type FileState, findChangedFile, isUrl, stateOf } from '../../input/located-file.ts';
import type { FoundList, ListEntry } from '../list-entry.ts';
import { readManifest, scanEventNames } from './feed-files.ts';

interface FeedRequest {
  /** Of the list. */
  readonly name: string;
  /** The directory or URL of the manifest. */
  readonly location: string;
  /** The manifest that was read last. */
  readonly known: FileState | undefined;
  readonly signal: AbortSignal;
}

const manifestName = 'manifest.json';
const bytesMax = 256e6;
const unpackedBytesMax = 1e9;
/** After this many consecutive failures the remaining events are not requested. */
const failuresInRowMax = 3;

/** The cache directory of a list. */
export function eventsDirectory(directory: string, list: string): string {
  return join(directory, `misp-${list}`);
}

/** Undefined where the manifest is unchanged. Throws a Problem where it cannot be read. */
export async function findChangedFeed(
  needs: FileNeeds,
  request: FeedRequest,
): Promise<FoundList | undefined> {
  const manifest = await findFile(needs, request, manifestName, request.known);
  if (!manifest) return undefined;
  try {
    const events = await readManifest(manifest.bytes());
    return {
      state: stateOf(manifest),
      entries: () => scanFeed(needs, request, events),
      release: async () => undefined,
    };
  } finally {
    await manifest.release();
  }
}

function findFile(
  needs: FileNeeds,
  { name, location, signal }: FeedRequest,
  file: string,
  known?: FileState,
) {
  const limits = { bytesMax, unpackedBytesMax };
  return findChangedFile(needs, {
    location: partOf(location, file),
    name: `known-list-${name}`,
    known,
    ...limits,
    signal,
  });
}

function partOf(location: string, file: string): string {
  const url = isUrl(location) ? URL.parse(location) : null;
  if (!url) return join(location, file);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${file}`;
  return url.href;
}

/** An event that cannot be fetched does not stop the others, but the list is then incomplete, so it throws at the end. */
async function* scanFeed(
  needs: FileNeeds,
  request: FeedRequest,
  events: ReadonlyMap<string, string>,
): AsyncGenerator<readonly ListEntry[]> {
  const directory = eventsDirectory(needs.directory, request.name);
  await mkdir(directory, { recursive: true });
  const cached: ReadonlySet<string> = new Set(await readdir(directory));
  const wanted = new Set<string>();
  const failures: unknown[] = [];
  let failuresInRow = 0;
  for (const [uuid, changed] of events) {
    request.signal.throwIfAborted();
    const file = `${uuid}-${changed}`;
    wanted.add(file);
    try {
      if (!cached.has(file)) await cacheEvent(needs, request, uuid, join(directory, file));
    } catch (error) {
      request.signal.throwIfAborted();
      failures.push(error);
      failuresInRow += 1;
      if (failuresInRow === failuresInRowMax) break;
      continue;
    }
    failuresInRow = 0;
    for await (const { lines } of readLines(createReadStream(join(directory, file))))
      yield lines.map((text = '') => ({ text }));
  }
  if (failures.length > 0)
    throw new Problem('unavailable', `${failures.length} events could not be read`, { cause: failures[0] });
  for (const file of cached) if (!wanted.has(file)) await rm(join(directory, file), { force: true });
}

/** Writes the names of an event to its cache file, which exists only when complete. */
async function cacheEvent(needs: FileNeeds, request: FeedRequest, uuid: string, path: string): Promise<void> {
  const event = await findFile(needs, request, `${uuid}.json`);
  if (!event) return;
  const part = `${path}.part`;
  try {
    const file = await open(part, 'w');
    try {
      for await (const names of scanEventNames(event.bytes())) {
        request.signal.throwIfAborted();
        await file.appendFile(`${names.join('\n')}\n`);
      }
      // The event is not fetched again, so the file must survive a power failure.
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(part, path);
  } finally {
    await event.release();
  }
}
