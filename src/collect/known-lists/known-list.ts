/**
 * One list of known domains, read again whenever it has changed. Each reading begins at its first line; only one that came to the end takes
 * away what the list no longer names.
 */
import { createHash } from 'node:crypto';
import type { Clock } from '../../model/clock.ts';
import { Problem } from '../../model/problem.ts';
import type { Settings } from '../../model/settings.ts';
import type { KnownList, RiskStore } from '../../store/risk-store.ts';
import type { FileNeeds } from '../sources/located-file.ts';
import { findChangedList, type ListSettings } from './find-changed-list.ts';
import { findPlace, type ListPlace, placeText } from './list-place.ts';
import { type ReadingCounts, takeReading } from './take-reading.ts';

export interface KnownListNeeds extends FileNeeds {
  readonly risks: Pick<RiskStore, 'takeListed' | 'endReading' | 'listLists' | 'findVerdicts'>;
  readonly clock: Clock;
  readonly settings: Pick<Settings['risk'], 'popularRankMax'>;
}

/** What the last reading found, and how readings went since the start. */
export interface ListCounts extends ReadingCounts {
  readonly readings: number;
  readonly unchanged: number;
  /** Readings that found so little that they were not believed. */
  readonly doubted: number;
}

export interface KnownListReader {
  /** Reads the list if it has changed. Throws where it cannot, or does not believe what it read. */
  advance(signal: AbortSignal): Promise<void>;
  statistics(): ListCounts;
}

const dayMs = 86_400_000;
/** A list that shrinks to less than one part in so many is doubted… */
const shrinkingMax = 10;
/** …until it was found so this many times in a row. */
const doubtedReadings = 3;

export function createKnownList(entry: ListSettings, needs: KnownListNeeds): KnownListReader {
  const { name: list, label, weight = 1, keepDays } = entry;
  const { risks, clock } = needs;
  const settings = settingsDigest(entry);
  const keepMs = keepDays === undefined ? undefined : keepDays * dayMs;
  const readings = { readings: 0, unchanged: 0, doubted: 0 };
  let found: ReadingCounts = { domains: 0, invalid: 0, hosts: 0, shared: 0 };
  let [lastId, smallInRow] = [0, 0];

  /** Throws where a reading is not to be believed yet. What is kept for days is not taken away by a reading, so nothing is lost. */
  const doubt = (before: ListPlace | undefined) => {
    const isSmall = keepMs === undefined && before !== undefined && isShrunk(found.domains, before.domains);
    const isOdd = before === undefined && found.domains === 0 && found.invalid > 0;
    smallInRow = isSmall ? smallInRow + 1 : 0;
    if (!isOdd && (!isSmall || smallInRow >= doubtedReadings)) return;
    readings.doubted += 1;
    throw new Problem(
      'unavailable',
      isOdd
        ? `no line of it names a domain; is its format ${entry.format ?? 'plain'}?`
        : `it named ${before?.domains} domains and now ${found.domains}: kept as it was until it was found so ${doubtedReadings} times`,
    );
  };

  return {
    statistics: () => ({ ...readings, ...found }),
    async advance(signal) {
      const known = (await risks.listLists()).find((one) => one.list === list);
      const place = findPlace(known?.place);
      const before = place?.settings === settings ? place : undefined;
      const condition = isToBeRenewed(known, keepMs, clock.now()) ? undefined : before;
      const file = await findChangedList(needs, entry, condition, signal);
      if (!file) {
        readings.unchanged += 1;
        found = { ...found, domains: before?.domains ?? 0 };
        return;
      }
      try {
        const nowMs = clock.now();
        // Greater than every earlier one, even if the clock was set back.
        const id = Math.max(nowMs, lastId + 1, (place?.reading ?? 0) + 1);
        lastId = id;
        const reading = {
          list,
          label,
          weight,
          id,
          untilMs: keepMs === undefined ? undefined : nowMs + keepMs,
        };
        found = await takeReading(reading, file.entries(), { ...needs, signal });
        doubt(before);
        signal.throwIfAborted();
        const now = { ...file.state, settings, reading: id, domains: found.domains };
        await risks.endReading(reading, placeText(now), clock.now());
        readings.readings += 1;
      } finally {
        await file.release();
      }
    },
  };
}

/** Of what decides what comes of a file. A digest, because a location may hold a key. */
function settingsDigest({ location, format, label, weight, column, keepDays }: ListSettings): string {
  const text = JSON.stringify([location, format, label, weight, column, keepDays]);
  return createHash('sha256').update(text).digest('hex');
}

function isShrunk(domains: number, before: number): boolean {
  return before > 0 && domains * shrinkingMax < before;
}

/** A file that stays as it is still names what it names: what is kept for days is taken again before they are over. */
function isToBeRenewed(known: KnownList | undefined, keepMs: number | undefined, nowMs: number): boolean {
  return keepMs !== undefined && known?.readMs !== undefined && nowMs >= known.readMs + keepMs / 2;
}
