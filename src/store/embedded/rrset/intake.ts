/**
 * Collects observations into batches and has each made durable in turn. While one batch is written the next is filled, and
 * when that is full too whoever adds waits, so memory stays within about three batches.
 */
import type { Rrset } from '../../../model/dns/rrset.ts';
import { rdataBytesMax, rrsetBytesMax } from '../../../model/dns/rrset.ts';
import type { Intake } from '../../rrset-store.ts';
import { ObservationBatch } from './observation-batch.ts';

/** Small enough to sort mostly within the caches of a processor, large enough that runs are few. */
const batchBytes = 8 << 20;
const firstBatchBytes = 1 << 16;
/** Batches that may be full at once: one being written, one ready. */
const waitingMax = 2;

/** Makes a batch durable, together with how far its import has come. */
export type WriteBatch = (
  batch: ObservationBatch,
  progress: { before: number; observations: number },
) => Promise<void>;

export interface IntakeNeeds {
  readonly write: WriteBatch;
  readonly complete: (observations: number) => Promise<void>;
}

interface Waiting {
  readonly batch: ObservationBatch;
  readonly progress: { readonly before: number; readonly observations: number };
}

export class BatchIntake implements Intake {
  readonly #needs: IntakeNeeds;
  #batch = new ObservationBatch(firstBatchBytes);
  /** Full batches; the first is being written, and stays when that fails, to be tried again. */
  readonly #waiting: Waiting[] = [];
  /** Written ones, whose memory is used again. */
  readonly #spare: ObservationBatch[] = [];
  #head: Promise<void> | undefined;
  /** Observations that an earlier run of this import has made durable and that come again now. */
  #toPass: number;
  #taken: number;
  durable: number;

  constructor(needs: IntakeNeeds, durableBefore: number) {
    this.#needs = needs;
    this.#toPass = durableBefore;
    this.#taken = durableBefore;
    this.durable = durableBefore;
  }

  add(observation: Rrset): Promise<void> | undefined {
    if (this.#toPass > 0) {
      this.#toPass -= 1;
      return undefined;
    }
    refuseMisfit(observation);
    this.#batch.add(observation);
    if (this.#batch.bytes < batchBytes) return undefined;
    this.#close();
    const written = this.#writeHead();
    if (this.#waiting.length >= waitingMax) return written;
    // Whoever flushes next hears of a failure.
    written.catch(() => undefined);
    return undefined;
  }

  async flush(): Promise<void> {
    if (this.#batch.count > 0) this.#close();
    const wanted = this.#taken;
    while (this.durable < wanted) await this.#writeHead();
  }

  async finish(): Promise<void> {
    await this.flush();
    await this.#needs.complete(this.durable);
  }

  #close(): void {
    const batch = this.#batch;
    const progress = { before: this.#taken, observations: this.#taken + batch.count };
    this.#waiting.push({ batch, progress });
    this.#taken = progress.observations;
    this.#batch = this.#spare.pop() ?? new ObservationBatch(firstBatchBytes);
  }

  /** Writes the first batch that waits, and then goes on with the others by itself. */
  #writeHead(): Promise<void> {
    this.#head ??= this.#write().finally(() => {
      this.#head = undefined;
    });
    return this.#head;
  }

  async #write(): Promise<void> {
    const first = this.#waiting[0];
    if (!first) return;
    await this.#needs.write(first.batch, first.progress);
    this.durable = first.progress.observations;
    this.#waiting.shift();
    first.batch.clear();
    this.#spare.push(first.batch);
    if (this.#waiting.length > 0) setImmediate(() => this.#writeHead().catch(() => undefined));
  }
}

/** Formats check what they read; what gets here unfit is a mistake of ours. */
function refuseMisfit({ owner, bailiwick, rdata, firstSeconds, lastSeconds, count }: Rrset): void {
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
    throw new Error(`${firstSeconds} to ${lastSeconds}, seen ${count} times, is no sighting`);
  }
}
