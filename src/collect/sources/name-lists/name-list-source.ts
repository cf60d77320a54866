/**
 * Lists of names: a file or URL, ingested again when it changes, or a directory, each file of which is ingested in order of file
 * names, and again when it changes. The checkpoint says what was ingested, to the line.
 */

import { statSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../../model/clock.ts';
import { minuteMs } from '../../../model/durations.ts';
import { Problem } from '../../../model/problem.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import {
  type FileNeeds,
  findChangedFile,
  isUrl,
  type LocatedFile,
  stateOf,
} from '../../input/located-file.ts';
import type { NameIntake, NameSource } from '../source.ts';
import {
  type FileCheckpoint,
  type FileCheckpoints,
  formatCheckpoint,
  isComplete,
  parseCheckpoint,
} from './file-checkpoints.ts';
import { ingestList } from './ingest-list.ts';

export interface NameListNeeds extends FileNeeds {
  readonly clock: Clock;
  readonly settings: { readonly sources: Pick<Settings['sources'], 'pollSeconds'> };
}

interface FileProgress {
  readonly before: FileCheckpoint | undefined;
  /** The checkpoint of the source once this file has come so far. */
  readonly checkpointWith: (file: FileCheckpoint) => string;
  readonly signal: AbortSignal;
}

type Entry = Settings['sources']['nameLists'][number];

const defaultEveryMinutes = 60;
/** Limited because the checkpoint lists all of them. */
const filesMax = 5000;
const bytesMax = 16e9;
const unpackedBytesMax = 64e9;

export function createNameListSource(entry: Entry, needs: NameListNeeds): NameSource {
  const name = `list:${entry.name}`;
  const { location, everyMinutes } = entry;

  const ingestFile = async (
    intake: NameIntake,
    file: LocatedFile,
    { before, checkpointWith, signal }: FileProgress,
  ) => {
    const state = stateOf(file);
    const seenMs = Math.min(file.modifiedMs ?? Number.POSITIVE_INFINITY, needs.clock.now());
    await ingestList(file.bytes(), {
      linesDone: before?.version === state.version ? (before.lines ?? 0) : 0,
      signal,
      ingest: async (names, lines) =>
        void (await intake.ingest(name, { names, seenMs, checkpoint: checkpointWith({ ...state, lines }) })),
    });
    await intake.ingest(name, { names: [], seenMs, checkpoint: checkpointWith(state) });
  };

  /** A file that was ingested in part is requested without validators: it is needed even if unchanged. */
  const pollFile = async (
    intake: NameIntake,
    [key, path]: readonly [key: string, path: string],
    files: FileCheckpoints,
    signal: AbortSignal,
  ): Promise<FileCheckpoints> => {
    const before = files.get(key);
    const known = isComplete(before) ? before : undefined;
    const request = { location: path, name: `list-${entry.name}`, known, bytesMax, unpackedBytesMax };
    const file = await findChangedFile(needs, { ...request, signal });
    if (!file) return files;
    let now = files;
    const checkpointWith = (one: FileCheckpoint) => formatCheckpoint((now = new Map(files).set(key, one)));
    try {
      await ingestFile(intake, file, { before, checkpointWith, signal });
    } finally {
      await file.release();
    }
    return now;
  };

  return {
    name,
    everyMs: everyMinutes === undefined ? defaultMs(location, needs) : everyMinutes * minuteMs,
    poll: async (intake, signal) => {
      const files = isUrl(location) ? undefined : await findFilesOf(location);
      const all = parseCheckpoint(await intake.findCheckpoint(name));
      const keys: ReadonlySet<string> = new Set(files ?? ['']);
      // Deleted files are dropped, or the checkpoint would grow without limit.
      let checkpoints: FileCheckpoints = new Map([...all].filter(([key]) => keys.has(key)));
      const failures: unknown[] = [];
      for (const key of keys) {
        const path = key === '' ? location : join(location, key);
        try {
          checkpoints = await pollFile(intake, [key, path], checkpoints, signal);
        } catch (error) {
          signal.throwIfAborted();
          // A damaged file must not stop the others.
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}

function defaultMs(location: string, { settings }: NameListNeeds): number {
  const isDirectory = !isUrl(location) && statSync(location, { throwIfNoEntry: false })?.isDirectory();
  return isDirectory ? settings.sources.pollSeconds * 1000 : defaultEveryMinutes * minuteMs;
}

/** Undefined where the path is not a directory. Hidden and partly written files are skipped. */
async function findFilesOf(path: string): Promise<readonly string[] | undefined> {
  const found = await stat(path).catch((cause: unknown) => {
    throw new Problem('unavailable', `${path} cannot be read`, { cause });
  });
  if (!found.isDirectory()) return undefined;
  const entries = await readdir(path, { withFileTypes: true });
  const files = entries
    .filter((one) => one.isFile() && !one.name.startsWith('.') && !/\.(?:tmp|part|partial)$/i.test(one.name))
    .map((one) => one.name)
    .sort();
  if (files.length <= filesMax) return files;
  throw new Problem('unavailable', `${path} holds more than ${filesMax} files`);
}
