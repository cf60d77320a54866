/**
 * Work that only one worker does at a time, wherever the workers run: under a lease, which is renewed while the work goes on. When its holder
 * dies, another one goes on with the work within a minute.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../model/clock.ts';
import { secondMs } from '../model/durations.ts';
import { type FencingToken, LeaseLost } from '../store/lease/fencing-token.ts';
import type { LeaseStore } from '../store/lease/lease-store.ts';

export interface ExclusiveWorkNeeds {
  readonly leases: Pick<LeaseStore, 'acquireLease' | 'releaseLease'>;
  readonly clock: Clock;
  /** Of this process. */
  readonly holder: string;
  readonly signal: AbortSignal;
  /** Error callback: the lease could not be acquired or renewed, which is tried again. */
  readonly onFailure: (error: unknown) => void;
  /** Instead of the usual times, for tests. */
  readonly times?: LeaseTimes;
}

export interface LeaseTimes {
  /** How long a lease lasts that is not renewed. */
  readonly leaseMs: number;
  /** How often it is renewed, and how often another process tries to get it. */
  readonly everyMs: number;
}

/** What the work is given. */
export interface HeldLease {
  /** Ends the work, which must resolve soon after it: the process stops, or the lease was lost. */
  readonly signal: AbortSignal;
  /** For what the work writes: it is refused when another process has the lease. */
  readonly fence: FencingToken;
  /** Runs a write under the lease. Where it is refused, the work ends. */
  readonly guard: <Result>(write: () => Promise<Result>) => Promise<Result>;
}

type Work = (lease: HeldLease) => Promise<unknown>;

const usualTimes: LeaseTimes = { leaseMs: 40 * secondMs, everyMs: 10 * secondMs };

/** Runs the work whenever this process has the lease, until the signal. */
export async function workExclusively(name: string, needs: ExclusiveWorkNeeds, work: Work): Promise<void> {
  const { everyMs } = needs.times ?? usualTimes;
  while (!needs.signal.aborted) {
    const fence = await acquire(name, needs);
    if (fence && fence !== 'unknown') await workUnderLease(fence, needs, work);
    await pause(everyMs, undefined, { signal: needs.signal, ref: false }).catch(() => undefined);
  }
}

async function workUnderLease(fence: FencingToken, needs: ExclusiveWorkNeeds, work: Work): Promise<void> {
  const { leases, holder, clock } = needs;
  const { leaseMs, everyMs } = needs.times ?? usualTimes;
  const name = fence.lease;
  const lost = new AbortController();
  const ended = AbortSignal.any([needs.signal, lost.signal]);
  const renew = async () => {
    let renewedMs = clock.now();
    while (!ended.aborted) {
      await pause(everyMs, undefined, { signal: ended, ref: false }).catch(() => undefined);
      if (ended.aborted) return;
      const askedMs = clock.now();
      const renewed = await acquire(name, needs);
      // Where nobody answers, others may have it as soon as it has expired.
      if (renewed === 'unknown') {
        if (clock.now() + everyMs >= renewedMs + leaseMs) lost.abort();
      } else if (renewed?.epoch === fence.epoch) renewedMs = askedMs;
      // Also where this process has got it again: another one has worked meanwhile.
      else lost.abort();
    }
  };
  const guard = async <Result>(write: () => Promise<Result>): Promise<Result> => {
    try {
      return await write();
    } catch (error) {
      if (error instanceof LeaseLost) lost.abort();
      throw error;
    }
  };
  const renewing = renew();
  try {
    await work({ signal: ended, fence, guard });
  } finally {
    lost.abort();
    await renewing;
    await leases.releaseLease(name, holder).catch(needs.onFailure);
  }
}

/** Undefined if another process has it. */
async function acquire(
  name: string,
  needs: ExclusiveWorkNeeds,
): Promise<FencingToken | 'unknown' | undefined> {
  const { leases, clock, holder, onFailure } = needs;
  const { leaseMs } = needs.times ?? usualTimes;
  try {
    const nowMs = clock.now();
    return await leases.acquireLease(name, holder, nowMs, nowMs + leaseMs);
  } catch (error) {
    onFailure(error);
    return 'unknown';
  }
}
