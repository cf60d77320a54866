/** Those who wait for an answer for too long. One timer for all of them: one for each statement would be a good part of its cost. */
import { secondMs } from '../../../model/durations.ts';

const checkMs = secondMs;

interface Waiting {
  readonly dueMs: number;
  readonly onOverdue: () => void;
}

export class AnswerWatch {
  readonly #waiting = new Set<Waiting>();
  #timer: NodeJS.Timeout | undefined;

  /** Calls `onOverdue` up to a second after the time is over, unless what is returned was called before. */
  add(waitMs: number, onOverdue: () => void): () => void {
    const waiting = { dueMs: performance.now() + waitMs, onOverdue };
    this.#waiting.add(waiting);
    this.#timer ??= setInterval(() => this.#check(), checkMs).unref();
    return () => void this.#waiting.delete(waiting);
  }

  #check(): void {
    const nowMs = performance.now();
    for (const waiting of this.#waiting) {
      if (waiting.dueMs > nowMs) continue;
      this.#waiting.delete(waiting);
      waiting.onOverdue();
    }
    if (this.#waiting.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
