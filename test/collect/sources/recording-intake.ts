/** An intake that records batches and can be made to fail. */
import type { NameBatch, NameIntake } from '../../../src/collect/sources/source.ts';

export class RecordingIntake implements NameIntake {
  readonly batches: NameBatch[] = [];
  readonly checkpoints = new Map<string, string>();
  /** Batches that succeed; the next one fails, as if the process were killed. */
  batchesLeft = Number.POSITIVE_INFINITY;

  get names(): readonly string[] {
    return this.batches.flatMap(({ names }) => names);
  }

  async findCheckpoint(source: string): Promise<string | undefined> {
    return this.checkpoints.get(source);
  }

  async ingest(source: string, batch: NameBatch): Promise<{ newDomains: number }> {
    if (this.batchesLeft === 0) throw new Error('killed');
    this.batchesLeft -= 1;
    this.batches.push(batch);
    if (batch.checkpoint !== undefined) this.checkpoints.set(source, batch.checkpoint);
    return { newDomains: batch.names.length };
  }

  /** Clears the recorded batches and keeps the checkpoints. */
  clear(): void {
    this.batches.length = 0;
  }
}
