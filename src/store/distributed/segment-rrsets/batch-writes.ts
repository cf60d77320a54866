/** Makes batches durable: their tables are written to files, uploaded as one object, and listed. */
import type { Clock } from '../../../model/clock.ts';
import { hourMs } from '../../../model/durations.ts';
import type { ObservationBatch } from '../../rrset/observation-batch.ts';
import { newSegmentName } from '../../rrset/segment-name.ts';
import type { SegmentWriter } from '../../rrset/segment-writer.ts';
import type { Objects } from '../s3/open-objects.ts';
import type { ImportProgress, NewSegment, SegmentList } from './segment-list.ts';
import { uploadSegment } from './segment-objects.ts';
import type { TableCache } from './table-cache.ts';

export interface BatchWriteNeeds {
  readonly list: SegmentList;
  readonly cache: TableCache;
  readonly objects: Objects;
  readonly writer: SegmentWriter;
  readonly clock: Clock;
}

export interface BatchKind {
  readonly progress: ImportProgress | undefined;
  readonly published: boolean;
}

/** Objects that no row names are deleted after a day. */
const uploadedAgainMs = 12 * hourMs;

interface Uploaded {
  readonly segment: NewSegment;
  readonly atMs: number;
}

/** The writes of one intake, which come one after the other. */
export class BatchWrites {
  readonly #needs: BatchWriteNeeds;
  /** The attempt that failed: it may have been listed nevertheless, so the next one uses its name. */
  #attempt: { readonly batch: ObservationBatch; readonly name: string; uploaded?: Uploaded } | undefined;

  constructor(needs: BatchWriteNeeds) {
    this.#needs = needs;
  }

  async write(batch: ObservationBatch, { progress, published }: BatchKind): Promise<void> {
    const { list, clock } = this.#needs;
    if (this.#attempt?.batch !== batch) this.#attempt = { batch, name: newSegmentName(clock) };
    const attempt = this.#attempt;
    if (!attempt.uploaded || performance.now() - attempt.uploaded.atMs > uploadedAgainMs)
      attempt.uploaded = await this.#upload(batch, attempt.name);
    await list.addBatch(attempt.uploaded.segment, progress, published);
    this.#attempt = undefined;
  }

  async #upload(batch: ObservationBatch, name: string): Promise<Uploaded> {
    const { cache, objects, writer } = this.#needs;
    await cache.removeSegment({ name });
    return cache.holding([name], async () => {
      const summary = await writer.writeBatch(name, batch);
      const object = await uploadSegment(objects, cache.directory, summary);
      return { segment: { summary, object }, atMs: performance.now() };
    });
  }
}
