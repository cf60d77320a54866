/**
 * Group commit of job outcomes: those that arrive while one batch is being committed are committed together in the next, because a commit of
 * a hundred takes as long as a commit of one.
 */
import type { LeasedJob } from '../../job-store.ts';

export interface JobOutcome {
  readonly job: LeasedJob;
  /** Undefined: the job is removed. */
  readonly dueMs: number | undefined;
  /** Whether attempts keep counting. */
  readonly failed: boolean;
}

/** False for each job whose lease was lost. */
export type WriteOutcomes = (outcomes: readonly JobOutcome[]) => Promise<readonly boolean[]>;

interface PendingOutcome extends JobOutcome {
  readonly resolve: (isWritten: boolean) => void;
  readonly reject: (error: unknown) => void;
}

const batchSizeMax = 500;

export class JobOutcomeWriter {
  readonly #writeOutcomes: WriteOutcomes;
  readonly #pending: PendingOutcome[] = [];
  #writing: Promise<void> | undefined;

  constructor(writeOutcomes: WriteOutcomes) {
    this.#writeOutcomes = writeOutcomes;
  }

  write(job: LeasedJob, dueMs: number | undefined, failed: boolean): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#pending.push({ job, dueMs, failed, resolve, reject });
      this.#writing ??= this.#write();
    });
  }

  /** Resolves when all outcomes are committed. */
  async finish(): Promise<void> {
    await this.#writing;
  }

  async #write(): Promise<void> {
    // Collects the outcomes of the same microtask checkpoint.
    await Promise.resolve();
    while (this.#pending.length > 0) {
      const batch = this.#pending.splice(0, batchSizeMax);
      const outcomes = batch.map(({ job, dueMs, failed }) => ({ job, dueMs, failed }));
      try {
        const written = await this.#writeOutcomes(outcomes);
        for (const [index, { resolve }] of batch.entries()) resolve(written[index] ?? false);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    // Set synchronously after finding nothing pending, so that the next outcome starts a new loop.
    this.#writing = undefined;
  }
}
