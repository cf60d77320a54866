/** When to try again: half a minute after the first failure, twice as long after each further one, six hours at most. */

const firstWaitMs = 30_000;
const waitMsMax = 6 * 3_600_000;
const doublingsMax = 20;

/** `failures` before this one. A receiver that asks for more time gets it. */
export function retryTimeMs(failures: number, nowMs: number, retryAfterMs = 0): number {
  const waitMs = Math.min(firstWaitMs * 2 ** Math.min(failures, doublingsMax), waitMsMax);
  return nowMs + Math.max(waitMs, retryAfterMs);
}
