/**
 * Archives completed hours and days of feeds as gzip files, and deletes files past their retention. Files are created
 * in order of time, so the newest one is the checkpoint from which an interrupted run resumes. All archives begin with
 * the first record of any feed, or without any with the current hour; hours without records have an empty file.
 */

import {
  archiveFileName,
  dayOf,
  type FeedArchive,
  feedArchives,
  firstMinuteOf,
} from '../../model/archive-names.ts';
import type { Clock } from '../../model/clock.ts';
import { minuteMs } from '../../model/durations.ts';
import { feedNames } from '../../model/feed/feed.ts';
import { Problem } from '../../model/problem.ts';
import type { FeedName } from '../../model/product-catalogue.ts';
import type { Settings } from '../../model/settings/settings.ts';
import { feedStream } from '../../model/stream-names.ts';
import type { ArchiveStore } from '../../store/archive-store.ts';
import { DamagedData } from '../../store/damage.ts';
import type { StreamStore } from '../../store/stream-store.ts';
import { gzipChunks } from './gzip-chunks.ts';

/** Time for appends that started in the last second of an hour to finish. */
const graceMinutes = 1;
const dayMinutes = 1440;

export interface ArchiveNeeds {
  readonly streams: Pick<StreamStore, 'findState' | 'offsetAt' | 'openRange'>;
  readonly archives: Pick<ArchiveStore, 'addFile' | 'listFiles' | 'pruneFiles'>;
  readonly settings: Pick<Settings, 'feeds'>;
  readonly clock: Clock;
}

/** Run about every minute; a run with nothing to do costs almost nothing. */
export class ArchiveMaker {
  readonly #needs: ArchiveNeeds;
  readonly #stopping = new AbortController();
  /** The first minute that is not yet archived, by archive. */
  readonly #nextMinutes = new Map<string, number>();
  #prunedDay = '';
  #running: Promise<void> | undefined;

  constructor(needs: ArchiveNeeds) {
    this.#needs = needs;
  }

  /** Concurrent calls share one run. Rejects with `DamagedData` after everything else is archived: of damaged records no archive is made. */
  run(): Promise<void> {
    this.#running ??= this.#runOnce().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Aborts the current run, which then rejects so that its callers do not assume the archives exist. */
  async close(): Promise<void> {
    this.#stopping.abort(new Problem('unavailable', 'archiving was aborted'));
    await this.#running?.catch(() => undefined);
  }

  async #runOnce(): Promise<void> {
    const { archives, clock } = this.#needs;
    const damages: DamagedData[] = [];
    for (const archive of feedArchives) {
      try {
        await this.#make(archive);
      } catch (error) {
        if (!(error instanceof DamagedData)) throw error;
        damages.push(error);
        // Once retention has removed the damaged minute, its time is skipped.
        this.#nextMinutes.delete(archive.name);
      }
    }
    const firstDay = this.#firstKeptDay();
    if (firstDay !== this.#prunedDay) {
      await archives.pruneFiles(firstDay, clock.now());
      this.#prunedDay = firstDay;
    }
    if (damages[0]) throw damages[0];
  }

  async #make(archive: FeedArchive): Promise<void> {
    const { archives, clock } = this.#needs;
    const completeMinute = Math.floor(clock.now() / minuteMs) - graceMinutes;
    let next = this.#nextMinutes.get(archive.name) ?? (await this.#findNextMinute(archive));
    while (next + archive.spanMinutes <= completeMinute) {
      this.#stopping.signal.throwIfAborted();
      const content = gzipChunks(this.#recordsOf(archive, next));
      await archives.addFile(archiveFileName(archive, next), content, clock.now());
      next += archive.spanMinutes;
    }
    this.#nextMinutes.set(archive.name, next);
  }

  /** The end of the newest file, skipping time that the stream no longer retains. */
  async #findNextMinute({ name, feed, spanMinutes }: FeedArchive): Promise<number> {
    const { archives, settings, clock } = this.#needs;
    const [newest] = await archives.listFiles({ archive: name, prefix: '', skip: 0, limit: 1 });
    const retainedMinute = Math.floor(clock.now() / minuteMs) - settings.feeds.retentionDays * dayMinutes;
    const knownMinute = Math.min((await this.#earliestMinute(feed)) ?? retainedMinute, retainedMinute);
    const first = newest
      ? Math.max(firstMinuteOf(newest.name) + spanMinutes, knownMinute)
      : await this.#findFirstMinute();
    const kept = Math.max(first, Date.parse(this.#firstKeptDay()) / minuteMs);
    return kept - (kept % spanMinutes);
  }

  /** Where archives without any file begin. */
  async #findFirstMinute(): Promise<number> {
    let minute = Math.floor(this.#needs.clock.now() / minuteMs);
    for (const feed of feedNames) minute = Math.min(minute, (await this.#earliestMinute(feed)) ?? minute);
    return minute;
  }

  /** Of the stored records of a feed; undefined where there are none. */
  async #earliestMinute(feed: FeedName): Promise<number | undefined> {
    const state = await this.#needs.streams.findState(feedStream(feed));
    return state && state.start < state.end ? state.earliestMinute : undefined;
  }

  /** A file is kept for `archiveDays` after the end of its day. */
  #firstKeptDay(): string {
    const { clock, settings } = this.#needs;
    return dayOf(Math.floor(clock.now() / minuteMs) - settings.feeds.archiveDays * dayMinutes);
  }

  async *#recordsOf({ feed, spanMinutes }: FeedArchive, fromMinute: number): AsyncGenerator<Uint8Array> {
    const { streams } = this.#needs;
    const stream = feedStream(feed);
    const from = await streams.offsetAt(stream, fromMinute);
    const range = await streams.openRange(
      stream,
      from,
      await streams.offsetAt(stream, fromMinute + spanMinutes),
    );
    if (!range) return;
    try {
      for await (const chunk of range.read()) {
        this.#stopping.signal.throwIfAborted();
        yield chunk;
      }
    } finally {
      await range.close();
    }
  }
}
