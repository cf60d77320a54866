/**
 * A zone file as a source of names. What it delegates is compared with the list of the last time, which lies sorted in the data directory:
 * what is new goes to the intake, what is gone is told. The new list takes the place of the old one when all of that is done, so that a
 * kill in between only means to begin this file again. Half a file is refused, and nothing is told of it.
 */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../../model/clock.ts';
import { Problem } from '../../../model/problem.ts';
import type { Settings } from '../../../model/settings.ts';
import { type FileNeeds, findChangedFile, type LocatedFile, stateOf } from '../located-file.ts';
import type { NameIntake, NameSource } from '../source.ts';
import { compareLabels } from './compare-labels.ts';
import { findLabelList, type LabelList, scanLabels, takePlace, writeLabelList } from './label-file.ts';
import { LabelSorter } from './label-sorter.ts';
import { mergeSorted } from './merge-sorted.ts';
import { apexOf, scanZoneLabels } from './zone-labels.ts';

export interface ZoneFileNeeds extends FileNeeds {
  readonly clock: Clock;
  /** Hears of domains that the zone no longer has; a kill may make it hear of them again. */
  readonly onGone?: (domains: readonly string[]) => Promise<void>;
}

type Entry = Settings['sources']['zoneFiles'][number];

const everyMinutesUnlessGiven = 720;
const batchNames = 5000;
const bytesMax = 64e9;
const unpackedBytesMax = 512e9;

export function createZoneFileSource(entry: Entry, needs: ZoneFileNeeds): NameSource {
  const name = `zone:${entry.name}`;
  const apex = apexOf(entry.zone);
  const { directory, clock, onGone } = needs;
  const at = (ending: string) => join(directory, `zone-${entry.name}.${ending}`);
  const [listPath, newPath] = [at('names'), at('names.new')];
  const { location } = entry;

  const domainsOf = (labels: readonly string[]) =>
    labels.map((label) => (apex === '.' ? label : `${label}.${apex.slice(0, -1)}`));

  const writeList = async (file: LocatedFile, signal: AbortSignal): Promise<number> => {
    const sorter = new LabelSorter(at('runs'));
    try {
      for await (const labels of scanZoneLabels(file.bytes(), apex)) {
        signal.throwIfAborted();
        await sorter.add(labels);
      }
      return await writeLabelList(newPath, await sorter.sorted(), { zone: apex, from: stateOf(file) });
    } finally {
      await sorter.remove();
    }
  };

  const tell = async (
    intake: NameIntake,
    seenMs: number,
    last: LabelList | undefined,
    signal: AbortSignal,
  ) => {
    const [added, gone]: [string[], string[]] = [[], []];
    const flush = async (max: number) => {
      signal.throwIfAborted();
      while (added.length > max)
        await intake.take(name, { names: domainsOf(added.splice(0, batchNames)), seenMs });
      while (gone.length > max) await onGone?.(domainsOf(gone.splice(0, batchNames)));
    };
    const before = last ? scanLabels(listPath) : mergeSorted([]);
    for await (const differences of compareLabels(before, scanLabels(newPath))) {
      added.push(...differences.added);
      gone.push(...differences.gone);
      await flush(batchNames - 1);
    }
    await flush(0);
  };

  const take = async (
    intake: NameIntake,
    file: LocatedFile,
    last: LabelList | undefined,
    signal: AbortSignal,
  ) => {
    const labels = await writeList(file, signal);
    refuseHalf(labels, last?.labels ?? 0, location, entry.zone, listPath);
    const seenMs = Math.min(file.modifiedMs ?? Number.POSITIVE_INFINITY, clock.now());
    await tell(intake, seenMs, last, signal);
    await takePlace(newPath, listPath);
  };

  return {
    name,
    everyMs: (entry.everyMinutes ?? everyMinutesUnlessGiven) * 60_000,
    advance: async (intake, signal) => {
      await mkdir(directory, { recursive: true });
      const found = await findLabelList(listPath);
      const last = found?.zone === apex ? found : undefined;
      const request = { location, name: `zone-${entry.name}`, known: last?.from, bytesMax, unpackedBytesMax };
      const file = await findChangedFile(needs, { ...request, signal });
      if (!file) return;
      try {
        await take(intake, file, last, signal);
      } finally {
        await file.release();
        await rm(newPath, { force: true });
      }
    },
  };
}

function refuseHalf(labels: number, before: number, location: string, zone: string, list: string): void {
  if (labels === 0)
    throw new Problem(
      'unavailable',
      `${location} delegates no name directly under ${zone}: nothing was taken`,
    );
  if (labels * 2 >= before) return;
  throw new Problem(
    'unavailable',
    `${location} has shrunk from ${before} names to ${labels}, and nothing was taken; if that is right, remove ${list}`,
  );
}
