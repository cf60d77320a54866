/**
 * How jobs ended, on its way to the thread: what ends while one commit is being made goes into the next one together, because a commit of a
 * hundred takes as long as that of one.
 */
import type { LeasedJob } from '../../job-store.ts';

export interface Settlement {
  readonly job: LeasedJob;
  /** Undefined: never again. */
  readonly dueMs: number | undefined;
  /** Whether attempts go on counting. */
  readonly failed: boolean;
}

/** False for each whose lease was lost. */
export type Settle = (settlements: readonly Settlement[]) => Promise<readonly boolean[]>;

interface Waiting extends Settlement {
  readonly resolve: (isSettled: boolean) => void;
  readonly reject: (error: unknown) => void;
}

const togetherMax = 500;

export class Settlements {
  readonly #settle: Settle;
  readonly #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;

  constructor(settle: Settle) {
    this.#settle = settle;
  }

  put(job: LeasedJob, dueMs: number | undefined, failed: boolean): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ job, dueMs, failed, resolve, reject });
      this.#writing ??= this.#write();
    });
  }

  /** Resolves when nothing is waiting any more. */
  async finish(): Promise<void> {
    await this.#writing;
  }

  async #write(): Promise<void> {
    // What ends in the same turn belongs together.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const together = this.#waiting.splice(0, togetherMax);
      const settlements = together.map(({ job, dueMs, failed }) => ({ job, dueMs, failed }));
      try {
        const settled = await this.#settle(settlements);
        for (const [index, { resolve }] of together.entries()) resolve(settled[index] ?? false);
      } catch (error) {
        for (const { reject } of together) reject(error);
      }
    }
    // In the same turn in which nothing was waiting: whoever comes now begins anew.
    this.#writing = undefined;
  }
}
