/**
 * Exponential backoff (https://en.wikipedia.org/wiki/Exponential_backoff): every failed attempt waits longer than the one before, up to a maximum.
 * There is no jitter: what retries here is one process, not a crowd of clients.
 */
export interface Backoff {
  readonly firstMs: number;
  readonly factor: number;
  readonly maxMs: number;
}

/** `attempts`: how many have failed; the first gives `firstMs`. */
export function backoffMs(attempts: number, { firstMs, factor, maxMs }: Backoff): number {
  return Math.min(firstMs * factor ** Math.max(0, attempts - 1), maxMs);
}
