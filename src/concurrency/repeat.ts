/** Polls: repeats work at an interval until a signal, with exponential backoff while it fails. */

import { setTimeout as pause } from 'node:timers/promises';
import { minuteMs } from '../model/durations.ts';
import { backoffMs } from './backoff.ts';

export interface RepeatOptions {
  readonly everyMs: number;
  readonly signal: AbortSignal;
  /** While it returns true the work is left out. */
  readonly isPaused?: () => boolean;
  /** Error callback; the work is retried. */
  readonly onFailure: (error: unknown) => void;
}

const backoffMaxMs = minuteMs;

/** Resolves after the signal, when the work under way has ended. */
export async function repeat(
  work: () => Promise<unknown>,
  { everyMs, signal, onFailure, isPaused = () => false }: RepeatOptions,
): Promise<void> {
  const backoff = { firstMs: everyMs, factor: 2, maxMs: Math.max(everyMs, backoffMaxMs) };
  let failures = 0;
  while (!signal.aborted) {
    try {
      if (!isPaused()) await work();
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      onFailure(error);
      failures += 1;
    }
    const waitMs = backoffMs(failures + 1, backoff);
    await pause(waitMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
