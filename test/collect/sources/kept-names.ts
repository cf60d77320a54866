/** An intake that keeps what it takes, and may be made to fail in the middle. */
import type { NameBatch, NameIntake } from '../../../src/collect/sources/source.ts';

export class KeptNames implements NameIntake {
  readonly batches: NameBatch[] = [];
  readonly places = new Map<string, string>();
  /** Batches that are still taken; the next one fails, as if the process were killed. */
  batchesLeft = Number.POSITIVE_INFINITY;

  get names(): readonly string[] {
    return this.batches.flatMap(({ names }) => names);
  }

  async findPlace(source: string): Promise<string | undefined> {
    return this.places.get(source);
  }

  async take(source: string, batch: NameBatch): Promise<{ fresh: number }> {
    if (this.batchesLeft === 0) throw new Error('killed');
    this.batchesLeft -= 1;
    this.batches.push(batch);
    if (batch.place !== undefined) this.places.set(source, batch.place);
    return { fresh: batch.names.length };
  }

  /** Forgets what was taken, and keeps the places. */
  clear(): void {
    this.batches.length = 0;
  }
}
