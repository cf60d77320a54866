/**
 * The queue in front of one host: limited concurrency, a pause between starts, and a circuit breaker. While the circuit is open, callers are
 * rejected immediately instead of waiting.
 */
import { Problem } from '../model/problem.ts';
import { CircuitBreaker } from './circuit-breaker.ts';

export interface ThrottleRules {
  readonly concurrency: number;
  /** From one start to the next. */
  readonly pauseMs: number;
}

/** The clock and timers; tests use virtual ones. */
export interface Timers {
  now(): number;
  /** Returns the function that cancels the call. */
  after(ms: number, call: () => void): () => void;
}

interface Waiter {
  readonly admit: () => void;
  readonly reject: (reason: unknown) => void;
}

export class HostQueue {
  readonly #host: string;
  readonly #rules: ThrottleRules;
  readonly #timers: Timers;
  readonly #breaker = new CircuitBreaker();
  readonly #waiters = new Set<Waiter>();
  #active = 0;
  #nextStartMs = 0;
  #cancelTimer: (() => void) | undefined;

  constructor(host: string, rules: ThrottleRules, timers: Timers) {
    this.#host = host;
    this.#rules = rules;
    this.#timers = timers;
  }

  /** Resolves when the caller may call the host. Throws the Problem `unavailable` while the circuit is open, or the reason of the signal. */
  enter(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason as Error);
      if (this.#breaker.state(this.#timers.now()) === 'open') return reject(this.#openProblem());
      const onAbort = () => waiter.reject(signal.reason);
      const leaveQueue = () => {
        this.#waiters.delete(waiter);
        signal.removeEventListener('abort', onAbort);
      };
      const waiter: Waiter = {
        admit: () => (leaveQueue(), resolve()),
        reject: (reason) => (leaveQueue(), reject(reason)),
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiters.add(waiter);
      this.#admitNext();
    });
  }

  /** Must follow every `enter` that resolved. */
  leave(succeeded: boolean): void {
    this.#active -= 1;
    const nowMs = this.#timers.now();
    if (succeeded) this.#breaker.recordSuccess();
    else this.#breaker.recordFailure(nowMs);
    if (this.#breaker.state(nowMs) === 'open')
      for (const waiter of this.#waiters) waiter.reject(this.#openProblem());
    this.#admitNext();
  }

  /** Whether the queue is idle and a new one would behave the same. */
  isForgettable(): boolean {
    const nowMs = this.#timers.now();
    const isBusy = this.#active > 0 || this.#waiters.size > 0 || this.#nextStartMs > nowMs;
    return !isBusy && this.#breaker.isForgettable(nowMs);
  }

  #openProblem(): Problem {
    const { consecutiveFailures } = this.#breaker;
    return new Problem(
      'unavailable',
      `${this.#host} failed ${consecutiveFailures} times in a row and is not contacted for a while (circuit open)`,
    );
  }

  #admitNext(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    const isClosed = this.#breaker.state(this.#timers.now()) === 'closed';
    const concurrency = isClosed ? this.#rules.concurrency : 1;
    for (const waiter of this.#waiters) {
      if (this.#active >= concurrency) return;
      const nowMs = this.#timers.now();
      if (this.#nextStartMs > nowMs) {
        this.#cancelTimer = this.#timers.after(this.#nextStartMs - nowMs, () => this.#admitNext());
        return;
      }
      this.#active += 1;
      this.#nextStartMs = nowMs + this.#rules.pauseMs;
      waiter.admit();
    }
  }
}
