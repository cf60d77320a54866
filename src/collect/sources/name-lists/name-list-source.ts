/**
 * Lists of names: a file or a URL that is taken again when it has changed, or a directory of which every file is taken once, in the order
 * of their names, and again when it has changed. The place tells what was taken, to the line.
 */
import { statSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../../model/clock.ts';
import { Problem } from '../../../model/problem.ts';
import type { Settings } from '../../../model/settings.ts';
import { type FileNeeds, findChangedFile, isUrl, type LocatedFile, stateOf } from '../located-file.ts';
import type { NameIntake, NameSource } from '../source.ts';
import { isWhole, placeOf, type TakenFile, type TakenFiles, takenAt } from './list-place.ts';
import { takeList } from './take-list.ts';

export interface NameListNeeds extends FileNeeds {
  readonly clock: Clock;
  readonly settings: { readonly sources: Pick<Settings['sources'], 'pollSeconds'> };
}

type Entry = Settings['sources']['nameLists'][number];

const everyMinutesUnlessGiven = 60;
/** All that were taken are told with every batch. */
const filesMax = 5000;
const bytesMax = 16e9;
const unpackedBytesMax = 64e9;

export function createNameListSource(entry: Entry, needs: NameListNeeds): NameSource {
  const name = `list:${entry.name}`;
  const { location, everyMinutes } = entry;

  const takeFile = async (
    intake: NameIntake,
    file: LocatedFile,
    before: TakenFile | undefined,
    mark: (taken: TakenFile) => string,
    signal: AbortSignal,
  ) => {
    const state = stateOf(file);
    const seenMs = Math.min(file.modifiedMs ?? Number.POSITIVE_INFINITY, needs.clock.now());
    await takeList(file.bytes(), {
      linesTaken: before?.version === state.version ? (before.lines ?? 0) : 0,
      signal,
      take: async (names, lines) =>
        void (await intake.take(name, { names, seenMs, place: mark({ ...state, lines }) })),
    });
    await intake.take(name, { names: [], seenMs, place: mark(state) });
  };

  /** One that is taken halfway is asked for without condition: it is wanted even if it is the same. */
  const advanceFile = async (
    intake: NameIntake,
    [key, path]: readonly [key: string, path: string],
    taken: TakenFiles,
    signal: AbortSignal,
  ): Promise<TakenFiles> => {
    const before = taken.get(key);
    const known = isWhole(before) ? before : undefined;
    const request = { location: path, name: `list-${entry.name}`, known, bytesMax, unpackedBytesMax };
    const file = await findChangedFile(needs, { ...request, signal });
    if (!file) return taken;
    let now = taken;
    const mark = (one: TakenFile) => placeOf((now = new Map(taken).set(key, one)));
    try {
      await takeFile(intake, file, before, mark, signal);
    } finally {
      await file.release();
    }
    return now;
  };

  return {
    name,
    everyMs: everyMinutes === undefined ? usualMs(location, needs) : everyMinutes * 60_000,
    advance: async (intake, signal) => {
      const files = isUrl(location) ? undefined : await findFilesOf(location);
      const all = takenAt(await intake.findPlace(name));
      const keys: ReadonlySet<string> = new Set(files ?? ['']);
      // What is no longer there is forgotten, or the place would grow for ever.
      let taken: TakenFiles = new Map([...all].filter(([key]) => keys.has(key)));
      const failures: unknown[] = [];
      for (const key of keys) {
        const path = key === '' ? location : join(location, key);
        try {
          taken = await advanceFile(intake, [key, path], taken, signal);
        } catch (error) {
          signal.throwIfAborted();
          // One that is damaged keeps nobody from the others.
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}

function usualMs(location: string, { settings }: NameListNeeds): number {
  const isDirectory = !isUrl(location) && statSync(location, { throwIfNoEntry: false })?.isDirectory();
  return isDirectory ? settings.sources.pollSeconds * 1000 : everyMinutesUnlessGiven * 60_000;
}

/** Undefined for what is no directory. Hidden files, and those that end as half-written ones do, are left alone. */
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
