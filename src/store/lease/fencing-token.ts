/**
 * Fencing tokens (Gray and Cheriton, "Leases", https://doi.org/10.1145/74850.74870; Burrows, "The Chubby lock service", section 2.4): a
 * worker that was paused or cut off may go on to write after its lease has ended and another worker has it. What it writes carries its
 * token, and is refused.
 */
import { keepErrorClass } from '../../concurrency/worker-client.ts';

export interface FencingToken {
  /** The name of the lease. */
  readonly lease: string;
  /** Greater with every change of the holder. */
  readonly epoch: number;
}

/** Thrown instead of a write under a lease that another worker has meanwhile. Nothing was written. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
  readonly lease: string;

  constructor(lease: string) {
    super(`another worker has the lease "${lease}" meanwhile`);
    this.lease = lease;
  }
}

keepErrorClass('LeaseLost', ({ lease }: { readonly lease: string }) => new LeaseLost(lease));
