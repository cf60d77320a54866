import type { Clock } from '../../src/model/clock.ts';

/** A clock that stands still until it is set or advanced. */
export class TestClock implements Clock {
  readonly #startMs: number;
  #nowMs: number;

  constructor(start = '2026-03-04T10:11:12Z') {
    this.#startMs = Date.parse(start);
    this.#nowMs = this.#startMs;
  }

  now(): number {
    return this.#nowMs;
  }

  set(instant: string): void {
    this.#nowMs = Date.parse(instant);
  }

  /** Sets it to where it began. */
  reset(): void {
    this.#nowMs = this.#startMs;
  }

  advanceSeconds(seconds: number): void {
    this.#nowMs += seconds * 1000;
  }
}
