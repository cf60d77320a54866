/** The longest time that the event loop of this process was blocked while something ran. Worker threads have their own loops. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type Result, resultOf, type Usage } from './benchmark.ts';

const resolution = 1;
const pauseMsMax = 20;

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

/** A row of its own: pauses of the event loop are delays of every request. */
export function pauseResult(
  during: string,
  ms: number,
  { cpuSeconds, memoryBytes }: Usage,
  whose = 'the event loop',
): Result {
  return resultOf({
    work: `longest pause of ${whose}: ${during}`,
    ours: { value: ms, unit: 'ms' },
    wanted: { ours: { atMost: pauseMsMax } },
    cpuSeconds,
    memoryBytes,
  });
}
