import type { LeasedJob } from '../job-store.ts';

/** What became of a leased job. */
export interface JobOutcome {
  readonly job: LeasedJob;
  /** Undefined: the job is removed. */
  readonly dueMs: number | undefined;
  /** Whether attempts keep counting. */
  readonly failed: boolean;
}

/** Outcomes per transaction. */
export const outcomesMax = 500;
