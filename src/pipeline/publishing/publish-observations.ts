/**
 * Publishes newly observed RRsets: the unpublished batches of the rrset store become lines of channels and feeds. The producer mark is the batch
 * and the number of its RRsets that are published; it moves in one transaction with the lines: exactly-once append, also after a crash.
 */

import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { TimeSlice } from '../../concurrency/time-slice.ts';
import type { Clock } from '../../model/clock.ts';
import { daySeconds } from '../../model/durations.ts';
import { Problem } from '../../model/problem.ts';
import type { Settings } from '../../model/settings/settings.ts';
import type { RrsetStore, UnpublishedBatch } from '../../store/rrset-store.ts';
import type { StreamStore } from '../../store/stream-store.ts';
import { BatchSightings } from './batch-sightings.ts';
import { newlyObservedIn, ObservationLines } from './observation-lines.ts';
import type { SightingConsumer } from './sighting-consumer.ts';

export interface PublishNeeds {
  readonly rrsets: Pick<RrsetStore, 'findUnpublished' | 'scanNewlyObserved' | 'markPublished'>;
  readonly streams: Pick<StreamStore, 'append' | 'findProducerMark' | 'leaseOffset' | 'releaseOffset'>;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'batch' | 'feeds'>;
  /** Counts what was seen of domains on watchlists; without it nothing is counted. */
  readonly sighted?: SightingConsumer;
}

/** What is published and durable. */
export interface PublishedCounts {
  readonly rrsets: number;
  readonly lines: number;
  /** Seen for the first time. */
  readonly domains: number;
  readonly hosts: number;
}

export interface PublishOptions {
  readonly signal?: AbortSignal;
  /** Later batches are left to other processes; all are published unless given. */
  readonly upToSequence?: number;
  /** About how much is appended in one call. */
  readonly chunkBytes?: number;
  /** Before each batch. */
  readonly onBatch?: (batch: UnpublishedBatch) => void;
  /** What was published since the last call. */
  readonly onPublished?: (published: PublishedCounts) => void;
}

const producer = 'news';
/** The lease only saves other processes the work; the producer mark is what prevents duplicates. The stored names are historical. */
const consumer = { stream: 'news', name: 'teller' } as const;
const leaseMs = 15_000;
const waitMs = 200;
const usualChunkBytes = 1 << 20;

/** Resolves when the batches asked for are published, by any process, or with the signal. */
export async function publishObservations(needs: PublishNeeds, options: PublishOptions = {}): Promise<void> {
  const { signal, upToSequence = Number.POSITIVE_INFINITY } = options;
  const publication = new Publication(needs, options);
  try {
    for (;;) {
      if (signal?.aborted) return;
      const batch = await needs.rrsets.findUnpublished();
      if (!batch || batch.sequence > upToSequence) return;
      options.onBatch?.(batch);
      if (await publication.lease()) await publication.publish(batch);
      else await pause(waitMs, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    await publication.release();
  }
}

class Publication {
  readonly #needs: PublishNeeds;
  readonly #options: PublishOptions;
  readonly #holder = randomUUID();
  readonly #lines: ObservationLines;
  #leasedUntilMs = 0;
  #hasLease = false;

  constructor(needs: PublishNeeds, options: PublishOptions) {
    this.#needs = needs;
    this.#options = options;
    this.#lines = new ObservationLines(new Set(Object.keys(needs.settings.batch.channels).map(Number)));
  }

  async lease(): Promise<boolean> {
    const nowMs = this.#needs.clock.now();
    // Renewed in its second half; earlier if the clock was set back, or the lease would end unnoticed.
    const leftMs = this.#leasedUntilMs - nowMs;
    if (this.#hasLease && leftMs > leaseMs / 2 && leftMs <= leaseMs) return true;
    const leased = await this.#needs.streams.leaseOffset(consumer, this.#holder, nowMs, nowMs + leaseMs);
    this.#leasedUntilMs = nowMs + leaseMs;
    this.#hasLease = leased !== undefined;
    return this.#hasLease;
  }

  async release(): Promise<void> {
    if (this.#hasLease) await this.#needs.streams.releaseOffset(consumer, this.#holder);
  }

  /** Publishes a batch; ends early when another process has taken over, or with the signal. */
  async publish(batch: UnpublishedBatch): Promise<void> {
    const { sequence } = batch;
    const { rrsets, streams, settings, sighted } = this.#needs;
    const { chunkBytes = usualChunkBytes } = this.#options;
    this.#lines.clear();
    const sightings = sighted && (await BatchSightings.open(batch, sighted));
    let mark = await streams.findProducerMark(producer);
    const before = rowsPublishedOf(mark, sequence);
    let passed = 0;
    let published = before;
    const counts = { domains: 0, hosts: 0 };
    /** The last append, which goes on while the lines of the next one are made. */
    let appended: Promise<boolean> = Promise.resolve(true);
    const append = async () => {
      if (!(await appended)) return false;
      const to = markOf(sequence, passed);
      appended = this.#append({ producer, from: mark, to }, passed - published);
      // It may fail before it is awaited.
      appended.catch(() => undefined);
      mark = to;
      published = passed;
      return this.lease();
    };
    const silenceSeconds = settings.feeds.silenceDays * daySeconds;
    try {
      for await (const slice of rrsets.scanNewlyObserved({ sequence, silenceSeconds })) {
        const timeSlice = new TimeSlice();
        for (const observed of slice) {
          passed += 1;
          const { domains, hosts } = newlyObservedIn(observed);
          counts.domains += domains;
          counts.hosts += hosts;
          const lookedUp = sightings?.add(observed.row);
          if (lookedUp) await lookedUp;
          if (passed <= before) continue;
          this.#lines.add(observed, this.#needs.clock.now());
          if (this.#lines.bytes >= chunkBytes && !(await append())) return;
          await timeSlice.yieldIfOver();
        }
        if (this.#options.signal?.aborted || !(await this.lease())) return;
      }
    } catch (error) {
      if (error instanceof Problem && error.code === 'not-found') return;
      throw error;
    } finally {
      await appended.catch(() => undefined);
    }
    if (this.#lines.count > 0 && !(await append())) return;
    if (!(await appended)) return;
    if (sightings) {
      const seen = await sightings.commit(this.#needs.clock.now());
      if (!seen) return;
      await sighted?.onSighted(seen);
    }
    await rrsets.markPublished(sequence, counts);
  }

  async #append(
    move: { readonly producer: string; readonly from: string | undefined; readonly to: string },
    rrsets: number,
  ): Promise<boolean> {
    const { count: lines, domains, hosts } = this.#lines;
    const nowMs = this.#needs.clock.now();
    const isAppended = await this.#needs.streams.append(this.#lines.drain(nowMs), nowMs, move);
    if (isAppended) this.#options.onPublished?.({ rrsets, lines, domains, hosts });
    return isAppended;
  }
}

function markOf(sequence: number, rows: number): string {
  return `${sequence}:${rows}`;
}

/** How many RRsets of a batch are published by the mark. */
function rowsPublishedOf(mark: string | undefined, sequence: number): number {
  const [of, rows] = (mark ?? '').split(':').map(Number);
  return of === sequence ? (rows ?? 0) : 0;
}
