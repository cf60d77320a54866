/** How long work that failed rests before it is tried again: one minute, four, sixteen, at most six hours. */

const firstMs = 60_000;
const longestMs = 6 * 3_600_000;

export function backoffMs(attempts: number): number {
  return Math.min(firstMs * 4 ** Math.max(0, attempts - 1), longestMs);
}
