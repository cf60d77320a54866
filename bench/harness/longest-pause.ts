/** The longest time that the event loop of this process was blocked while something ran. Worker threads have their own loops. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type Result, resultOf, type Usage } from './benchmark.ts';

const resolution = 1;
export const pauseMsMax = 20;

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

interface PauseOf {
  /** By default that of the process that works. */
  readonly whose?: string;
  /** The longest of a bare route beside it, at the same time. */
  readonly bareMs?: number;
}

/** A row of its own: pauses of the event loop are delays of every request. */
export function pauseResult(
  during: string,
  ms: number,
  { cpuSeconds, memoryBytes }: Usage,
  { whose = 'the event loop', bareMs }: PauseOf = {},
): Result {
  return resultOf({
    work: `longest pause of ${whose}: ${during}`,
    ours: { value: ms, unit: 'ms' },
    ...(bareMs === undefined
      ? {}
      : { peer: { name: 'bare Fastify route meanwhile', value: bareMs, unit: 'ms' } }),
    wanted: { ours: { atMost: pauseMsMax } },
    cpuSeconds,
    memoryBytes,
  });
}
