/**
 * Cooperative scheduling of long synchronous work: it runs for a few milliseconds, then yields to the event loop so that requests and
 * timers are served, and waits for the next slice of its flow (`event-loop-slices.ts`). Several workers may share one instance; then they
 * share its slice.
 */
import { sliceEndsAtMs, yieldToEventLoop } from './event-loop-slices.ts';

/** Reading the clock costs about as much as a small step of work, so `isOver` reads it once in this many calls. */
const callsPerClockRead = 16;

export class TimeSlice {
  #endsAtMs = sliceEndsAtMs();
  #calls = 0;
  #yielding: Promise<void> | undefined;

  /** On the clock of `performance.now()`. */
  get endsAtMs(): number {
    return this.#endsAtMs;
  }

  /** Starts a slice that ends at this time of `performance.now()`. */
  begin(endsAtMs: number): void {
    this.#endsAtMs = endsAtMs;
    this.#calls = 0;
  }

  /** Cheap: samples the clock, so it may be a few calls late. */
  isOver(): boolean {
    this.#calls += 1;
    return this.#calls % callsPerClockRead === 0 && this.isOverNow();
  }

  /** Exact; for use after a step that may have taken long. */
  isOverNow(): boolean {
    return performance.now() >= this.#endsAtMs;
  }

  /**
   * A promise to await when the slice is over; the next slice begins when it resolves. Workers that share an instance get the same promise, and
   * call again after it: another of them may have used up the new slice.
   */
  yieldIfOver(): Promise<void> | undefined {
    if (this.#yielding === undefined && this.isOverNow()) this.#yielding = this.#yield();
    return this.#yielding;
  }

  async #yield(): Promise<void> {
    await yieldToEventLoop();
    this.#yielding = undefined;
    this.begin(sliceEndsAtMs());
  }
}
