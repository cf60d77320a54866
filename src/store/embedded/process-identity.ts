/** Identifies the process that holds a lease, and whether it is still running. Leases of dead processes are void. */
import { findStartTicks } from '../../concurrency/process-start.ts';

export interface ProcessIdentity {
  readonly process: number;
  /** The start time from `/proc`, in clock ticks; empty for all processes on systems without it. */
  readonly started: string;
}

export function currentProcess(): ProcessIdentity {
  return { process: process.pid, started: findStartTicks(process.pid) ?? '' };
}

/** Compares the start time because the pid may have been reused: in a container every start has the same pid. */
export function isAlive({ process: pid, started }: ProcessIdentity): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return (findStartTicks(pid) ?? '') === started;
}
