/**
 * Circuit breaker for one host (https://martinfowler.com/bliki/CircuitBreaker.html). Consecutive failures open it; while it is open no call
 * is made. After a pause it is half-open: one trial call closes it, or opens it again for twice as long.
 */
import { backoffMs } from './backoff.ts';

export type CircuitState = 'closed' | 'open' | 'half-open';

const failureThreshold = 3;
const openTimes = { firstMs: 5000, factor: 2, maxMs: 300_000 };
/** How long after its last pause the failures of a host still count. */
const memoryMs = 600_000;

export class CircuitBreaker {
  #consecutiveFailures = 0;
  #openUntilMs = 0;

  get consecutiveFailures(): number {
    return this.#consecutiveFailures;
  }

  state(nowMs: number): CircuitState {
    if (this.#consecutiveFailures < failureThreshold) return 'closed';
    return nowMs < this.#openUntilMs ? 'open' : 'half-open';
  }

  recordSuccess(): void {
    this.#consecutiveFailures = 0;
    this.#openUntilMs = 0;
  }

  recordFailure(nowMs: number): void {
    this.#consecutiveFailures += 1;
    const openings = this.#consecutiveFailures - failureThreshold + 1;
    if (openings > 0) this.#openUntilMs = nowMs + backoffMs(openings, openTimes);
  }

  /** Whether a new breaker would do as well as this one. */
  isForgettable(nowMs: number): boolean {
    return this.#consecutiveFailures === 0 || this.#openUntilMs + memoryMs < nowMs;
  }
}
