/**
 * What several workers, on one machine or on many, must not do at the same time: a lease gives one of them the exclusive right to something, such
 * as reading a source; slots keep all of them together from contacting a host too often.
 */

import type { FencingToken } from './fencing-token.ts';

/** Longer leases count as a fault of a clock, and end at once. */
export const leaseMsMax = 10 * 60_000;

export interface LeaseStore {
  /**
   * Gives the holder the lease of this name until `untilMs`, or renews it. Undefined while another holder has it. A lease that is not renewed in
   * time may be acquired by another holder, and that of a process of this machine that has ended at once. The token stays the same as long as
   * no other holder had the lease.
   */
  acquireLease(
    name: string,
    holder: string,
    nowMs: number,
    untilMs: number,
  ): Promise<FencingToken | undefined>;

  /** Has no effect on the lease of another holder. */
  releaseLease(name: string, holder: string): Promise<void>;

  /**
   * Reserves the next slot to contact a host, and returns after how many milliseconds it comes. Slots of a host are at least `pauseMs` apart, over
   * all workers. Absent where all workers are one process, which keeps the pauses by itself.
   */
  reserveSlot?(host: string, pauseMs: number): Promise<number>;

  close(): Promise<void>;
}
