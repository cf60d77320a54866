/** The longest time that the event loop of this process was blocked while something ran. Worker threads have their own loops. */
import { monitorEventLoopDelay } from 'node:perf_hooks';

const resolution = 1;

export async function longestPauseMs(work: () => Promise<unknown>): Promise<number> {
  const delays = monitorEventLoopDelay({ resolution });
  delays.enable();
  try {
    await work();
    // A pause is noticed when it is over.
    await new Promise((resolve) => setTimeout(resolve, 2 * resolution));
    return Math.max(0, delays.max / 1e6 - resolution);
  } finally {
    delays.disable();
  }
}
