/**
 * Work that is due at a time: to look at a domain, to look at it again. A job is one kind of work on one subject, and there is never
 * more than one of it; asked for again, it is due at the earlier of the two times.
 */

export interface NewJob {
  /** `collect` */
  readonly kind: string;
  /** A domain in punycode. */
  readonly subject: string;
  readonly dueMs: number;
}

export interface LeasedJob extends NewJob {
  /** How often it was begun, this time included. */
  readonly attempts: number;
  /** Whoever holds the job settles it with this; one that lost it settles nothing. */
  readonly lease: string;
}

export interface JobStore {
  /** Durable when this resolves. A job that is being done is due again afterwards. */
  enqueue(jobs: readonly NewJob[]): Promise<void>;

  /** Those that are due, the longest due first, for one holder until a time; then others may have them. */
  lease(kind: string, limit: number, nowMs: number, untilMs: number): Promise<readonly LeasedJob[]>;

  /** The job is done, and due again at a time, or never. False where the lease was lost. */
  finish(job: LeasedJob, againMs: number | undefined): Promise<boolean>;

  /** The job has failed and is due again at a time; attempts go on counting. */
  retry(job: LeasedJob, dueMs: number): Promise<boolean>;

  /** When somebody may next have a job of a kind: when one is due, or when the lease of one that is being done ends. */
  findNextDueMs(kind: string): Promise<number | undefined>;

  /** Each job is one of the three: due at a later time, to be had now, or held by somebody. */
  statistics(
    kind: string,
    nowMs: number,
  ): Promise<{ readonly waiting: number; readonly due: number; readonly leased: number }>;

  close(): Promise<void>;
}
