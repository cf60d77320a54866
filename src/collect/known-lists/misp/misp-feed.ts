/**
 * A MISP feed as a list. What its events name is kept in a directory, a file for each event and time of change, so that only events that
 * changed are fetched; the list is what all events of the manifest name together.
 */
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../../../model/problem.ts';
import { readLines } from '../../rrset-formats/lines.ts';
import {
  type FileNeeds,
  type FileState,
  findChangedFile,
  isUrl,
  stateOf,
} from '../../sources/located-file.ts';
import type { FoundList, ListEntry } from '../list-entry.ts';
import { readManifest, scanEventNames } from './feed-files.ts';

interface FeedRequest {
  /** Of the list. */
  readonly name: string;
  /** The directory or the URL that the manifest lies in. */
  readonly location: string;
  /** The manifest that was read the last time. */
  readonly known: FileState | undefined;
  readonly signal: AbortSignal;
}

const manifestName = 'manifest.json';
const bytesMax = 256e6;
const unpackedBytesMax = 1e9;
/** A server that fails so often is not asked for all the rest. */
const failuresInRowMax = 3;

/** Where the events of a list are kept. */
export function eventsDirectory(directory: string, list: string): string {
  return join(directory, `misp-${list}`);
}

/** Undefined where the manifest is the same as last time. Throws a Problem where it cannot be had. */
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

/** An event that cannot be had keeps nobody from the others; but the list is then not whole, and it throws in the end. */
async function* scanFeed(
  needs: FileNeeds,
  request: FeedRequest,
  events: ReadonlyMap<string, string>,
): AsyncGenerator<readonly ListEntry[]> {
  const directory = eventsDirectory(needs.directory, request.name);
  await mkdir(directory, { recursive: true });
  const kept: ReadonlySet<string> = new Set(await readdir(directory));
  const wanted = new Set<string>();
  const failures: unknown[] = [];
  let failuresInRow = 0;
  for (const [uuid, changed] of events) {
    request.signal.throwIfAborted();
    const file = `${uuid}-${changed}`;
    wanted.add(file);
    try {
      if (!kept.has(file)) await keepEvent(needs, request, uuid, join(directory, file));
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
  for (const file of kept) if (!wanted.has(file)) await rm(join(directory, file), { force: true });
}

/** The names of an event into a file, which is there when it is whole. */
async function keepEvent(needs: FileNeeds, request: FeedRequest, uuid: string, path: string): Promise<void> {
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
      // It is not asked for again: what bears its name must hold all of it, whatever happens to the machine.
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(part, path);
  } finally {
    await event.release();
  }
}
