/**
 * Every hour of a feed that is over becomes a file of its archive, every day one of the daily archive, and files older than
 * they are kept go. Files are made in order of time, so the newest one says where to go on; killed anywhere, the work is
 * simply taken up again. Quiet hours have files too, from the first hour in which a feed had anything to tell.
 */
import {
  archiveFileName,
  dayOf,
  type FeedArchive,
  feedArchives,
  firstMinuteOf,
} from '../../model/archive-names.ts';
import type { Clock } from '../../model/clock.ts';
import { Problem } from '../../model/problem.ts';
import type { Settings } from '../../model/settings.ts';
import { feedStream } from '../../model/stream-names.ts';
import type { ArchiveStore } from '../../store/archive-store.ts';
import type { StreamStore } from '../../store/stream-store.ts';
import { gzipPieces } from './gzip-pieces.ts';

/** An append that began in the last second of an hour has come to its end by then. */
const graceMinutes = 1;
const minuteMs = 60_000;
const dayMinutes = 1440;

export interface ArchiveNeeds {
  readonly streams: Pick<StreamStore, 'findState' | 'offsetAt' | 'openRange'>;
  readonly archives: Pick<ArchiveStore, 'put' | 'listFiles' | 'prune'>;
  readonly settings: Pick<Settings, 'feeds'>;
  readonly clock: Clock;
}

/** To be run every minute or so; a run that finds nothing to do costs next to nothing. */
export class ArchiveMaker {
  readonly #needs: ArchiveNeeds;
  readonly #stopping = new AbortController();
  /** The first minute that is not in any file, by archive. */
  readonly #nextMinutes = new Map<string, number>();
  #prunedDay = '';
  #running: Promise<void> | undefined;

  constructor(needs: ArchiveNeeds) {
    this.#needs = needs;
  }

  /** While one run is under way, another is the same. */
  run(): Promise<void> {
    this.#running ??= this.#runOnce().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Breaks off what is under way, which then rejects: whoever waits for archives must not go on as if they were there. */
  async close(): Promise<void> {
    this.#stopping.abort(new Problem('unavailable', 'making archives was broken off'));
    await this.#running?.catch(() => undefined);
  }

  async #runOnce(): Promise<void> {
    const { archives, clock } = this.#needs;
    for (const archive of feedArchives) await this.#make(archive);
    const firstDay = this.#firstKeptDay();
    if (firstDay === this.#prunedDay) return;
    await archives.prune(firstDay, clock.now());
    this.#prunedDay = firstDay;
  }

  async #make(archive: FeedArchive): Promise<void> {
    const { archives, clock } = this.#needs;
    const overMinute = Math.floor(clock.now() / minuteMs) - graceMinutes;
    let next = this.#nextMinutes.get(archive.name) ?? (await this.#findNextMinute(archive));
    if (next === undefined) return;
    while (next + archive.spanMinutes <= overMinute) {
      this.#stopping.signal.throwIfAborted();
      const content = gzipPieces(this.#recordsOf(archive, next));
      await archives.put(archiveFileName(archive, next), content, clock.now());
      next += archive.spanMinutes;
    }
    this.#nextMinutes.set(archive.name, next);
  }

  /** Behind the newest file; but time of which the stream no longer knows anything has no files either. */
  async #findNextMinute({ name, feed, spanMinutes }: FeedArchive): Promise<number | undefined> {
    const { streams, archives, settings, clock } = this.#needs;
    const [newest] = await archives.listFiles({ archive: name, prefix: '', skip: 0, limit: 1 });
    const state = await streams.findState(feedStream(feed));
    if (!state) return undefined;
    const retainedMinute = Math.floor(clock.now() / minuteMs) - settings.feeds.retentionDays * dayMinutes;
    const hasLines = state.start < state.end;
    const knownMinute = hasLines ? Math.min(state.earliestMinute, retainedMinute) : retainedMinute;
    const behindNewest = newest && firstMinuteOf(newest.name) + spanMinutes;
    const first = behindNewest === undefined ? state.earliestMinute : Math.max(behindNewest, knownMinute);
    const kept = Math.max(first, Date.parse(this.#firstKeptDay()) / minuteMs);
    return kept - (kept % spanMinutes);
  }

  /** A file is kept for so many days behind the end of its day. */
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
      for await (const piece of range.read()) {
        this.#stopping.signal.throwIfAborted();
        yield piece;
      }
    } finally {
      await range.close();
    }
  }
}
