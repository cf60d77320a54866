/** When a failed delivery is retried: exponential backoff from 30 seconds to 6 hours. */

import { backoffMs } from '../../concurrency/backoff.ts';
import { hourMs } from '../../model/durations.ts';

const backoff = { firstMs: 30_000, factor: 2, maxMs: 6 * hourMs };

/** `failures`: earlier ones. A longer Retry-After of the receiver is respected. */
export function retryTimeMs(failures: number, nowMs: number, retryAfterMs = 0): number {
  return nowMs + Math.max(backoffMs(failures + 1, backoff), retryAfterMs);
}
