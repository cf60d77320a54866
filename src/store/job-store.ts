/**
 * A queue of jobs with due times and leases, such as probing a domain now and again later. A job is identified by its kind and subject:
 * enqueuing it again does not duplicate it, but moves its due time to the earlier of the two.
 */

export interface NewJob {
  /** `collect` */
  readonly kind: string;
  /** A domain in punycode. */
  readonly subject: string;
  readonly dueMs: number;
}

export interface LeasedJob extends NewJob {
  /** How often it was leased since it last finished, including this time. */
  readonly attempts: number;
  /** Unique to this lease: finishing or retrying the job fails once another process has leased it. */
  readonly lease: string;
}

export interface JobStore {
  /** Durable when this resolves. A job that is leased becomes due again after it finishes, at the given time. */
  enqueue(jobs: readonly NewJob[]): Promise<void>;

  /**
   * Jobs that are due, longest overdue first, ties by subject. After `untilMs` they may be leased again. The order holds for each call: of
   * two calls at once, one may get jobs that are longer overdue than some of the other's.
   */
  leaseJobs(kind: string, limit: number, nowMs: number, untilMs: number): Promise<readonly LeasedJob[]>;

  /** Removes the job, or makes it due again at `againMs` with attempts reset. False if the lease was lost. */
  finishJob(job: LeasedJob, againMs: number | undefined): Promise<boolean>;

  /** Makes a failed job due again at `dueMs`; attempts keep counting. False if the lease was lost. */
  retryJob(job: LeasedJob, dueMs: number): Promise<boolean>;

  /** When the next job of a kind can be leased: the earliest due time or end of a lease. */
  findNextDueMs(kind: string): Promise<number | undefined>;

  /** When the jobs of these subjects are due, in the order given; undefined for a subject without one. */
  findDueMs(kind: string, subjects: readonly string[]): Promise<readonly (number | undefined)[]>;

  /** Every job is in one of three states: `waiting` for its due time, `due` now (including expired leases), or `leased`. */
  statistics(
    kind: string,
    nowMs: number,
  ): Promise<{ readonly waiting: number; readonly due: number; readonly leased: number }>;

  close(): Promise<void>;
}
