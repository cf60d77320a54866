/**
 * Archives completed hours and days of feeds as gzip files, and deletes files past their retention. Files are created
 * in order of time, so the newest one is the checkpoint from which an interrupted run resumes. From a feed's first
 * record on, hours without records have an empty file.
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
import { Problem } from '../../model/problem.ts';
import type { Settings } from '../../model/settings/settings.ts';
import { feedStream } from '../../model/stream-names.ts';
import type { ArchiveStore } from '../../store/archive-store.ts';
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

  /** Concurrent calls share one run. */
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
    for (const archive of feedArchives) await this.#make(archive);
    const firstDay = this.#firstKeptDay();
    if (firstDay === this.#prunedDay) return;
    await archives.pruneFiles(firstDay, clock.now());
    this.#prunedDay = firstDay;
  }

  async #make(archive: FeedArchive): Promise<void> {
    const { archives, clock } = this.#needs;
    const completeMinute = Math.floor(clock.now() / minuteMs) - graceMinutes;
    let next = this.#nextMinutes.get(archive.name) ?? (await this.#findNextMinute(archive));
    if (next === undefined) return;
    while (next + archive.spanMinutes <= completeMinute) {
      this.#stopping.signal.throwIfAborted();
      const content = gzipChunks(this.#recordsOf(archive, next));
      await archives.addFile(archiveFileName(archive, next), content, clock.now());
      next += archive.spanMinutes;
    }
    this.#nextMinutes.set(archive.name, next);
  }

  /** The end of the newest file, skipping time that the stream no longer retains. */
  async #findNextMinute({ name, feed, spanMinutes }: FeedArchive): Promise<number | undefined> {
    const { streams, archives, settings, clock } = this.#needs;
    const [newest] = await archives.listFiles({ archive: name, prefix: '', skip: 0, limit: 1 });
    const state = await streams.findState(feedStream(feed));
    if (!state) return undefined;
    const retainedMinute = Math.floor(clock.now() / minuteMs) - settings.feeds.retentionDays * dayMinutes;
    const hasLines = state.start < state.end;
    const knownMinute = hasLines ? Math.min(state.earliestMinute, retainedMinute) : retainedMinute;
    const afterNewest = newest && firstMinuteOf(newest.name) + spanMinutes;
    const first = afterNewest === undefined ? state.earliestMinute : Math.max(afterNewest, knownMinute);
    const kept = Math.max(first, Date.parse(this.#firstKeptDay()) / minuteMs);
    return kept - (kept % spanMinutes);
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
