/**
 * The earliest time that it can be now, going by what the clock gave during the last hour and the monotonic time since. While nobody sets
 * the clock that is its own time. A clock that was set forward counts only after an hour, so what must not be deleted too early is safe
 * from one that is ahead for less.
 */
import { hourMs, minuteMs } from '../model/durations.ts';

/** The lowest difference between the clock and the monotonic one since `sinceMs` of the latter. */
interface Reading {
  readonly sinceMs: number;
  lowestOffsetMs: number;
}

export class EarliestNow {
  readonly #monotonicMs: () => number;
  #readings: Reading[] = [];

  constructor(monotonicMs = () => performance.now()) {
    this.#monotonicMs = monotonicMs;
  }

  /** Records what the clock gives, and returns the earliest time that it can be. */
  read(nowMs: number, memoryMs = hourMs): number {
    const atMs = this.#monotonicMs();
    const last = this.#readings.at(-1);
    if (last && atMs - last.sinceMs < minuteMs)
      last.lowestOffsetMs = Math.min(last.lowestOffsetMs, nowMs - atMs);
    else this.#readings.push({ sinceMs: atMs, lowestOffsetMs: nowMs - atMs });
    const first = this.#readings.findLastIndex(({ sinceMs }) => sinceMs <= atMs - memoryMs);
    if (first > 0) this.#readings = this.#readings.slice(first);
    return atMs + Math.min(...this.#readings.map(({ lowestOffsetMs }) => lowestOffsetMs));
  }

  /** Whether readings go back that far. */
  covers(memoryMs = hourMs): boolean {
    const first = this.#readings[0];
    return first !== undefined && first.sinceMs <= this.#monotonicMs() - memoryMs;
  }
}
