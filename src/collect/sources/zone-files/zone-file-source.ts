/**
 * A zone file as a source of names. Its delegations are compared with the sorted snapshot of the last file in the data directory:
 * added names are ingested, removed ones reported. The new snapshot replaces the old one at the end, so a killed process repeats
 * this file. A truncated file is refused as a whole.
 */

import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../../model/clock.ts';
import { minuteMs } from '../../../model/durations.ts';
import { Problem } from '../../../model/problem.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import { DamagedData } from '../../../store/damage.ts';
import { type FileNeeds, findChangedFile, type LocatedFile, stateOf } from '../../input/located-file.ts';
import type { NameIntake, NameSource } from '../source.ts';
import { compareLabels } from './compare-labels.ts';
import {
  findLabelList,
  findListDamage,
  type LabelList,
  replaceFile,
  scanLabels,
  writeLabelList,
} from './label-file.ts';
import { LabelSorter } from './label-sorter.ts';
import { mergeSorted } from './merge-sorted.ts';
import { apexOf, scanZoneLabels } from './zone-labels.ts';

export interface ZoneFileNeeds extends FileNeeds {
  readonly clock: Clock;
  /** Called with domains that left the zone; at least once for each, more often after a kill. */
  readonly onRemoved?: (domains: readonly string[]) => Promise<void>;
}

type Entry = Settings['sources']['zoneFiles'][number];

const defaultEveryMinutes = 720;
const batchNames = 5000;
const bytesMax = 64e9;
const unpackedBytesMax = 512e9;

export function createZoneFileSource(entry: Entry, needs: ZoneFileNeeds): NameSource {
  const name = `zone:${entry.name}`;
  const apex = apexOf(entry.zone);
  const { directory, clock, onRemoved } = needs;
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

  const ingestDifferences = async (
    intake: NameIntake,
    seenMs: number,
    last: LabelList | undefined,
    signal: AbortSignal,
  ) => {
    const [added, removed]: [string[], string[]] = [[], []];
    const flush = async (max: number) => {
      signal.throwIfAborted();
      while (added.length > max)
        await intake.ingest(name, { names: domainsOf(added.splice(0, batchNames)), seenMs });
      while (removed.length > max) await onRemoved?.(domainsOf(removed.splice(0, batchNames)));
    };
    const before = last ? scanLabels(listPath) : mergeSorted([]);
    for await (const differences of compareLabels(before, scanLabels(newPath))) {
      added.push(...differences.added);
      removed.push(...differences.removed);
      await flush(batchNames - 1);
    }
    await flush(0);
  };

  const processFile = async (
    intake: NameIntake,
    file: LocatedFile,
    last: LabelList | undefined,
    signal: AbortSignal,
  ) => {
    const damage = last && (await findListDamage(listPath));
    if (damage) throw new DamagedData(damage);
    const labels = await writeList(file, signal);
    refuseTruncated({ labels, before: last?.labels ?? 0, location, zone: entry.zone, listPath });
    const seenMs = Math.min(file.modifiedMs ?? Number.POSITIVE_INFINITY, clock.now());
    await ingestDifferences(intake, seenMs, last, signal);
    await replaceFile(newPath, listPath);
  };

  return {
    name,
    everyMs: (entry.everyMinutes ?? defaultEveryMinutes) * minuteMs,
    poll: async (intake, signal) => {
      await mkdir(directory, { recursive: true });
      const found = await findLabelList(listPath);
      const last = found?.zone === apex ? found : undefined;
      const request = { location, name: `zone-${entry.name}`, known: last?.from, bytesMax, unpackedBytesMax };
      const file = await findChangedFile(needs, { ...request, signal });
      if (!file) return;
      try {
        await processFile(intake, file, last, signal);
      } finally {
        await file.release();
        await rm(newPath, { force: true });
      }
    },
  };
}

interface LabelCounts {
  readonly labels: number;
  readonly before: number;
  readonly location: string;
  readonly zone: string;
  readonly listPath: string;
}

function refuseTruncated({ labels, before, location, zone, listPath }: LabelCounts): void {
  if (labels === 0)
    throw new Problem(
      'unavailable',
      `${location} delegates no name directly under ${zone}: nothing was ingested`,
    );
  if (labels * 2 >= before) return;
  throw new Problem(
    'unavailable',
    `${location} has shrunk from ${before} names to ${labels}: nothing was ingested; if that is correct, remove ${listPath}`,
  );
}
