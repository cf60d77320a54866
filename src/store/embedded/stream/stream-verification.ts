/** Reads all streams: names what is damaged, and moves consumers behind it if an operator decides so. */
import { type Damage, DamagedData } from '../../damage.ts';
import { type SkipNeeds, skipSegment } from '../../stream/skip-segment.ts';
import type { Offset, SkippedConsumer, StreamName } from '../../stream-store.ts';
import type { Database } from '../database.ts';
import type { RangeLeases } from './range-leases.ts';
import type { SegmentIndex } from './segment-index.ts';
import { assertContiguous, isDamaged, verifySegment } from './verify-segments.ts';

interface Step {
  readonly damage?: Damage;
  /** Read since the last step. */
  readonly bytes: number;
}

export class StreamVerification {
  readonly #root: string;
  readonly #database: Database;
  readonly #segments: SegmentIndex;
  readonly #leases: RangeLeases;
  readonly #consumers;

  constructor(root: string, database: Database, segments: SegmentIndex, leases: RangeLeases) {
    this.#root = root;
    this.#database = database;
    this.#segments = segments;
    this.#leases = leases;
    this.#consumers = database.prepare(
      'select name, place as offset from reader where stream = ? and place is not null order by name',
    );
  }

  async *verify(onProgress?: (done: number, all: number) => void): AsyncGenerator<Damage> {
    const all = this.#segments.countBytes();
    let done = 0;
    for (const stream of this.#segments.listStreams()) {
      for await (const { damage, bytes } of this.#verifyStream(stream)) {
        if (damage) yield damage;
        done += bytes;
        onProgress?.(done, all);
      }
    }
  }

  async skipDamaged(needs: SkipNeeds): Promise<readonly SkippedConsumer[]> {
    const skipped: SkippedConsumer[] = [];
    for (const stream of this.#segments.listStreams()) {
      for (const segment of this.#segments.listBetween(stream, 0, Number.MAX_SAFE_INTEGER)) {
        if (!(await isDamaged(this.#root, stream, segment))) continue;
        const consumers = this.#consumers.all(stream) as { name: string; offset: Offset }[];
        skipped.push(
          ...(await skipSegment(
            segment,
            consumers.map((consumer) => ({ stream, ...consumer })),
            needs,
          )),
        );
      }
    }
    return skipped;
  }

  /** The lease keeps retention from removing files meanwhile. */
  async *#verifyStream(stream: StreamName): AsyncGenerator<Step> {
    const lease = await this.#leases.acquire(stream, 0);
    try {
      const segments = this.#segments.listBetween(stream, 0, Number.MAX_SAFE_INTEGER);
      try {
        assertContiguous(this.#database.name, stream, segments);
      } catch (error) {
        if (!(error instanceof DamagedData)) throw error;
        yield { damage: error, bytes: 0 };
      }
      for (const segment of segments) {
        for await (const damage of verifySegment(this.#root, stream, segment)) yield { damage, bytes: 0 };
        yield { bytes: segment.bytes };
      }
    } finally {
      await this.#leases.release(lease);
    }
  }
}
