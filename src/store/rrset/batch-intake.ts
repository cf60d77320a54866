/**
 * Collects observations into batches (the memtables of the LSM tree) and writes them; they become durable in their order. While two
 * batches are written the next fills; when that is full too, `add` applies backpressure, so memory stays within about three batches.
 */
import { isPackedRrset } from '../../model/dns/packed-rrset.ts';
import type { Rrset } from '../../model/dns/rrset.ts';
import { rdataBytesMax, rrsetBytesMax } from '../../model/dns/rrset.ts';
import type { Intake } from '../rrset-store.ts';
import { ObservationBatch } from './observation-batch.ts';

/** Small enough to be sorted mostly within the CPU caches, large enough to keep the number of segments low. */
const batchBytes = 8 << 20;
const firstBatchBytes = 1 << 16;
/** Full batches in memory, all of them being written. */
const fullBatchesMax = 2;

export interface BatchProgress {
  readonly before: number;
  readonly observations: number;
  /** Resolves when all earlier batches are durable, and rejects when one of them could not be written: then neither may this one. */
  readonly earlier: Promise<void>;
}

/** Makes a batch and the progress of its import durable in one transaction, after the earlier ones. What needs no order may be done before. */
export type WriteBatch = (batch: ObservationBatch, progress: BatchProgress) => Promise<void>;

export interface IntakeNeeds {
  readonly write: WriteBatch;
  readonly complete: (observations: number) => Promise<void>;
}

interface FullBatch {
  readonly batch: ObservationBatch;
  readonly progress: Omit<BatchProgress, 'earlier'>;
  /** Undefined unless it is being written. */
  written: Promise<void> | undefined;
}

export class BatchIntake implements Intake {
  readonly #needs: IntakeNeeds;
  #batch = new ObservationBatch(firstBatchBytes);
  /** In their order. They stay when writing them fails, and are retried. */
  readonly #full: FullBatch[] = [];
  /** Written batches, for reuse of their memory. */
  readonly #spare: ObservationBatch[] = [];
  /** Observations that an earlier attempt at this import made durable, and that are added again now. */
  #toSkip: number;
  #accepted: number;
  durable: number;

  constructor(needs: IntakeNeeds, durableBefore: number) {
    this.#needs = needs;
    this.#toSkip = durableBefore;
    this.#accepted = durableBefore;
    this.durable = durableBefore;
  }

  add(observation: Rrset): Promise<void> | undefined {
    if (this.#toSkip > 0) {
      this.#toSkip -= 1;
      return undefined;
    }
    assertStorable(observation);
    this.#batch.add(observation);
    return this.#batch.bytes < batchBytes ? undefined : this.#writeFull();
  }

  addPacked(packed: Uint8Array, length: number): Promise<void> | undefined {
    if (this.#toSkip > 0) {
      this.#toSkip -= 1;
      return undefined;
    }
    if (!isPackedRrset(packed, length)) throw new Error('a packed RRset cannot be stored');
    this.#batch.addPacked(packed, length);
    return this.#batch.bytes < batchBytes ? undefined : this.#writeFull();
  }

  #writeFull(): Promise<void> | undefined {
    this.#closeBatch();
    const written = this.#write();
    if (this.#full.length >= fullBatchesMax) return written;
    // A failure is reported by the next flush, which retries.
    written.catch(() => undefined);
    return undefined;
  }

  async flush(): Promise<void> {
    const target = this.#accepted + this.#batch.count;
    while (this.durable < target) {
      // While nothing can be written, what is added stays in one batch.
      if (this.#accepted < target && this.#full.length < fullBatchesMax) this.#closeBatch();
      await this.#write();
    }
  }

  async finish(): Promise<void> {
    await this.flush();
    await this.#needs.complete(this.durable);
  }

  #closeBatch(): void {
    const batch = this.#batch;
    const progress = { before: this.#accepted, observations: this.#accepted + batch.count };
    this.#full.push({ batch, progress, written: undefined });
    this.#accepted = progress.observations;
    this.#batch = this.#spare.pop() ?? new ObservationBatch(firstBatchBytes);
  }

  /** Begins to write all full batches. Resolves when the first is durable; when it cannot be written, rejects once all have ended. */
  async #write(): Promise<void> {
    let earlier = Promise.resolve();
    const all: Promise<void>[] = [];
    for (const full of this.#full) {
      full.written ??= this.#writeOne(full, earlier);
      earlier = full.written;
      earlier.catch(() => undefined);
      all.push(earlier);
    }
    try {
      await all[0];
    } catch (error) {
      await Promise.allSettled(all);
      throw error;
    }
  }

  async #writeOne(full: FullBatch, earlier: Promise<void>): Promise<void> {
    try {
      await this.#needs.write(full.batch, { ...full.progress, earlier });
    } catch (error) {
      full.written = undefined;
      throw error;
    }
    this.durable = full.progress.observations;
    this.#full.shift();
    full.batch.clear();
    this.#spare.push(full.batch);
  }
}

/** The readers of input formats have validated it already, so a failure here is a bug. */
function assertStorable({ owner, bailiwick, rdata, firstSeconds, lastSeconds, count }: Rrset): void {
  let bytes = 0;
  for (const one of rdata) {
    bytes += one.length + 2;
    if (one.length > rdataBytesMax) throw new Error('rdata is too long');
  }
  if (rdata.length === 0 || rdata.length > 0xffff || bytes > rrsetBytesMax + 2 * rdata.length) {
    throw new Error(`an RRset of ${rdata.length} rdata and ${bytes} bytes cannot be stored`);
  }
  if (owner.length > 255 || bailiwick.length > 255) throw new Error('a name is too long');
  const inOrder = firstSeconds >= 0 && firstSeconds <= lastSeconds && lastSeconds <= 0xffff_ffff;
  if (!inOrder || !(count >= 1 && count <= Number.MAX_SAFE_INTEGER)) {
    throw new Error(`${firstSeconds} to ${lastSeconds}, seen ${count} times, is not a valid sighting`);
  }
}
