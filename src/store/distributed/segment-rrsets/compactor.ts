/**
 * Compacts segments on the node that has the lease. A swap that comes too late, after another node has compacted one of the sources, has no effect. Segments
 * whose objects are damaged are left out.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { minuteMs } from '../../../model/durations.ts';
import { Problem } from '../../../model/problem.ts';
import { DamagedData } from '../../damage.ts';
import { chooseSegments } from '../../rrset/compaction-strategy.ts';
import { newSegmentName, segmentNameOf } from '../../rrset/segment-name.ts';
import { backgroundThread, type ThreadsFor, writingThreads } from '../../rrset/segment-writer.ts';
import type { BatchWriteNeeds } from './batch-writes.ts';
import { acquireLease, type CompactionLease } from './compaction-lease.ts';
import { uploadSegment } from './segment-objects.ts';
import type { StoredSegment } from './segment-rows.ts';
import { SegmentGone } from './table-cache.ts';

/** Segments of similar size that trigger a compaction: during live collection, during an import, and on request. */
export const compactAt = { live: 4, import: 64, explicit: 2 } as const;
const retryMs = minuteMs;
const leasePollMs = 100;
const sourceTables = ['forward', 'inverse', 'distinct'] as const;

interface CompactorNeeds extends BatchWriteNeeds {
  readonly onFault: (fault: string) => void;
}

/** `again`: there may be more to do. */
type Outcome = 'nothing-to-do' | 'again' | 'lost-the-lease';

export class Compactor {
  readonly #needs: CompactorNeeds;
  readonly #damaged = new Set<string>();
  /** Files that were damaged once. */
  readonly #fetchedAgain = new Set<string>();
  #running: Promise<void> | undefined;
  #retryAtMs = 0;
  #isClosed = false;

  constructor(needs: CompactorNeeds) {
    this.#needs = needs;
  }

  /** Never fails: what it is called after has succeeded. */
  compactInBackground(groupMin: number): void {
    if (this.#running || this.#isClosed || performance.now() < this.#retryAtMs) return;
    this.#running = this.#tryToCompact(groupMin).finally(() => {
      this.#running = undefined;
    });
  }

  async compactAll(): Promise<void> {
    await this.#running;
    const { list } = this.#needs;
    for (;;) {
      const lease = await acquireLease(list.database);
      if (!lease) {
        await pause(leasePollMs);
        continue;
      }
      try {
        let outcome: Outcome;
        do outcome = await this.#compactOnce(lease, compactAt.explicit, writingThreads);
        while (outcome === 'again');
        if (outcome === 'nothing-to-do') return;
      } finally {
        await lease.release();
      }
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running;
  }

  async #tryToCompact(groupMin: number): Promise<void> {
    const { list, onFault } = this.#needs;
    try {
      // Usually there is nothing to do, which costs one query.
      if (!this.#choose(await list.listSegments(), groupMin)) return;
      const lease = await acquireLease(list.database);
      if (!lease) return;
      try {
        await this.#compactOnce(lease, groupMin, backgroundThread);
      } finally {
        await lease.release();
      }
    } catch (error) {
      // The sources stay in use until they are replaced.
      if (this.#isClosed || (error instanceof Problem && error.code === 'unavailable')) return;
      this.#retryAtMs = performance.now() + retryMs;
      onFault(`compaction of passive DNS failed, the next attempt is in a minute: ${String(error)}`);
    }
  }

  #choose(listed: readonly StoredSegment[], groupMin: number): readonly StoredSegment[] | undefined {
    const intact = listed.filter(({ name }) => !this.#damaged.has(name));
    const chosen = chooseSegments(intact, groupMin);
    return chosen && intact.filter((segment) => chosen.includes(segment));
  }

  async #compactOnce(lease: CompactionLease, groupMin: number, threadsFor: ThreadsFor): Promise<Outcome> {
    const { list, cache, clock } = this.#needs;
    const sources = this.#choose(await list.listSegments(), groupMin);
    if (!sources) return 'nothing-to-do';
    const name = newSegmentName(clock);
    const names = sources.map((source) => source.name);
    try {
      return await cache.holding([name, ...names], async () => {
        for (const source of sources) await this.#fetchSource(source);
        return this.#merge(name, sources, { lease, threadsFor });
      });
    } catch (error) {
      await cache.removeSegment({ name });
      if (error instanceof SegmentGone) return 'again';
      if (!(error instanceof DamagedData)) throw error;
      await this.#onDamage(error);
      return 'again';
    }
  }

  /** A file of the cache is fetched again; where that does not help, or its object is damaged, the segment is left out. */
  async #onDamage({ file, message }: DamagedData): Promise<void> {
    const { cache, onFault } = this.#needs;
    const name = segmentNameOf(file);
    if (name === undefined) return;
    if (!this.#fetchedAgain.has(file)) {
      this.#fetchedAgain.add(file);
      await cache.discard(file);
      return;
    }
    this.#damaged.add(name);
    onFault(`${message}. Compaction leaves the segment out`);
  }

  async #fetchSource(source: StoredSegment): Promise<void> {
    const { cache, onFault } = this.#needs;
    try {
      await cache.fetchTables([source], sourceTables);
    } catch (error) {
      if (!(error instanceof DamagedData)) throw error;
      this.#damaged.add(source.name);
      onFault(`${error.message}. Compaction leaves the segment out`);
      throw error;
    }
  }

  async #merge(
    name: string,
    sources: readonly StoredSegment[],
    { lease, threadsFor }: { readonly lease: CompactionLease; readonly threadsFor: ThreadsFor },
  ): Promise<Outcome> {
    const { list, cache, objects, writer, clock } = this.#needs;
    const summary = await writer.compact(name, sources, clock.now(), threadsFor);
    const object = await uploadSegment(objects, cache.directory, summary);
    const names = sources.map((source) => source.name);
    const isReplaced = await list.replace({ summary, object }, names, lease);
    if (!isReplaced) await cache.removeSegment({ name });
    return isReplaced ? 'again' : 'lost-the-lease';
  }
}
