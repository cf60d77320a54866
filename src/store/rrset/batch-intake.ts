/**
 * Collects observations into batches (the memtables of the LSM tree) and writes them one after the other. While one batch is
 * written the next fills; when that is full too, `add` applies backpressure, so memory stays within about three batches.
 */
import { isPackedRrset } from '../../model/dns/packed-rrset.ts';
import type { Rrset } from '../../model/dns/rrset.ts';
import { rdataBytesMax, rrsetBytesMax } from '../../model/dns/rrset.ts';
import type { Intake } from '../rrset-store.ts';
import { ObservationBatch } from './observation-batch.ts';

/** Small enough to be sorted mostly within the CPU caches, large enough to keep the number of segments low. */
const batchBytes = 8 << 20;
const firstBatchBytes = 1 << 16;
/** Full batches in memory: one being written, one ready. */
const fullBatchesMax = 2;

/** Makes a batch and the progress of its import durable in one transaction. */
export type WriteBatch = (
  batch: ObservationBatch,
  progress: { before: number; observations: number },
) => Promise<void>;

export interface IntakeNeeds {
  readonly write: WriteBatch;
  readonly complete: (observations: number) => Promise<void>;
}

interface FullBatch {
  readonly batch: ObservationBatch;
  readonly progress: { readonly before: number; readonly observations: number };
}

export class BatchIntake implements Intake {
  readonly #needs: IntakeNeeds;
  #batch = new ObservationBatch(firstBatchBytes);
  /** The first is being written; it stays when that fails, and is retried. */
  readonly #full: FullBatch[] = [];
  /** Written batches, for reuse of their memory. */
  readonly #spare: ObservationBatch[] = [];
  #writing: Promise<void> | undefined;
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
    const written = this.#writeFirst();
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
      await this.#writeFirst();
    }
  }

  async finish(): Promise<void> {
    await this.flush();
    await this.#needs.complete(this.durable);
  }

  #closeBatch(): void {
    const batch = this.#batch;
    const progress = { before: this.#accepted, observations: this.#accepted + batch.count };
    this.#full.push({ batch, progress });
    this.#accepted = progress.observations;
    this.#batch = this.#spare.pop() ?? new ObservationBatch(firstBatchBytes);
  }

  /** Resolves when the first full batch is written; any others follow in the background. */
  #writeFirst(): Promise<void> {
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  async #write(): Promise<void> {
    const first = this.#full[0];
    if (!first) return;
    await this.#needs.write(first.batch, first.progress);
    this.durable = first.progress.observations;
    this.#full.shift();
    first.batch.clear();
    this.#spare.push(first.batch);
    if (this.#full.length > 0) setImmediate(() => this.#writeFirst().catch(() => undefined));
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
