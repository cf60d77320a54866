/**
 * Compacts segments: in the background after a batch was written, and on request until nothing is left to merge. A segment that
 * turns out to be damaged is left as it is and not chosen again by this process, while the others are compacted. Segments of an old
 * file format are rewritten when there is nothing else to do.
 */
import type { Clock } from '../../../model/clock.ts';
import { minuteMs } from '../../../model/durations.ts';
import { Problem } from '../../../model/problem.ts';
import { DamagedData } from '../../damage.ts';
import type { FreeSpace } from '../../free-space.ts';
import { chooseOldFormat, chooseSegments } from '../../rrset/compaction-strategy.ts';
import type { ListedSegment } from '../../rrset/segment/segment-files.ts';
import { newSegmentName, segmentNameOf } from '../../rrset/segment-name.ts';
import {
  backgroundThread,
  bytesOf,
  type SegmentWriter,
  type ThreadsFor,
  writingThreads,
} from '../../rrset/segment-writer.ts';
import type { Manifest } from './manifest.ts';
import { type RrsetThreads, writeSegment } from './write-segment.ts';

/** Segments of similar size that trigger a compaction: during live collection, during an import, and on request. */
export const compactAt = { live: 4, import: 64, explicit: 2 } as const;
/** After a failure that is no damage, such as a full disk. */
const retryMs = minuteMs;

interface CompactorNeeds {
  readonly threads: RrsetThreads;
  readonly writer: SegmentWriter;
  readonly manifest: Manifest;
  readonly clock: Clock;
  readonly onFault: (fault: string) => void;
  readonly freeSpace: Pick<FreeSpace, 'state'> | undefined;
}

/** `damaged`: the segments that were chosen are not to be chosen again. */
type Outcome = 'nothing-to-do' | 'compacted' | 'claimed-by-another' | 'damaged';

export class Compactor {
  readonly #needs: CompactorNeeds;
  readonly #damaged = new Set<string>();
  #running: Promise<void> | undefined;
  /** Monotonic: a clock that is set back must not stop compaction. */
  #retryAtMs = 0;

  constructor(needs: CompactorNeeds) {
    this.#needs = needs;
  }

  /** Never fails: what it is called after has succeeded. */
  compactInBackground(groupMin: number): void {
    if (this.#running || performance.now() < this.#retryAtMs) return;
    this.#running = this.#tryToCompact(groupMin).finally(() => {
      this.#running = undefined;
    });
  }

  async compactAll(): Promise<void> {
    await this.#running;
    while ((await this.#compactOnce(compactAt.explicit, writingThreads)) !== 'nothing-to-do');
  }

  async #tryToCompact(groupMin: number): Promise<void> {
    const { manifest, onFault } = this.#needs;
    try {
      // Usually there is nothing to do, which costs no call of a thread.
      if (!this.#choose(manifest.list(), groupMin)) return;
      await this.#compactOnce(groupMin, backgroundThread);
    } catch (error) {
      // The sources stay in use until they are replaced.
      if (error instanceof Problem && error.code === 'unavailable') return;
      this.#retryAtMs = performance.now() + retryMs;
      onFault(`compaction of passive DNS failed, the next attempt is in a minute: ${String(error)}`);
    }
  }

  #choose(listed: readonly ListedSegment[], groupMin: number): readonly ListedSegment[] | undefined {
    const intact = listed.filter(({ name }) => !this.#damaged.has(name));
    const chosen = chooseSegments(intact, groupMin) ?? chooseOldFormat(intact);
    return chosen && this.#hasRoomFor(chosen) ? chosen : undefined;
  }

  /** The sources are deleted only when the compacted segment, which may be as large as all of them, is complete. */
  #hasRoomFor(sources: readonly ListedSegment[]): boolean {
    const state = this.#needs.freeSpace?.state();
    if (!state) return true;
    return state.freeBytes - bytesOf(sources) >= state.reserveBytes;
  }

  async #compactOnce(groupMin: number, threadsFor: ThreadsFor): Promise<Outcome> {
    const { threads, writer, clock, onFault } = this.#needs;
    const nowMs = clock.now();
    const [one] = threadsFor(0);
    const sources = this.#choose(await threads.run(one, 'listUnclaimed', nowMs), groupMin);
    if (!sources) return 'nothing-to-do';
    const name = newSegmentName(clock);
    const names = sources.map((source) => source.name);
    if (!(await threads.run(one, 'claim', names, name, nowMs))) return 'claimed-by-another';
    try {
      await writeSegment(name, threads, async () => {
        const segment = await writer.compact(name, sources, nowMs, threadsFor);
        return threads.run(one, 'replace', segment, names);
      });
      await threads.run(one, 'discardUnlisted', [...names, name]);
      return 'compacted';
    } catch (error) {
      await threads.run(one, 'releaseClaim', name);
      const damaged = error instanceof DamagedData && segmentNameOf(error.file);
      if (!damaged) throw error;
      this.#damaged.add(damaged);
      onFault(`${error.message}. Compaction leaves the segment out`);
      return 'damaged';
    }
  }
}
