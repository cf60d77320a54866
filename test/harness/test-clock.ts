import type { Clock } from '../../src/model/clock.ts';

/** A clock that stands still until it is set or advanced. */
export class TestClock implements Clock {
  #nowMs: number;

  constructor(start = '2026-03-04T10:11:12Z') {
    this.#nowMs = Date.parse(start);
  }

  now(): number {
    return this.#nowMs;
  }

  set(instant: string): void {
    this.#nowMs = Date.parse(instant);
  }

  advanceSeconds(seconds: number): void {
    this.#nowMs += seconds * 1000;
  }
}
