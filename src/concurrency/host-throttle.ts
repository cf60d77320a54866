/** Throttles requests to third-party hosts, each by its own queue. Idle hosts are forgotten, so memory is bounded by those in use. */
import { Problem } from '../model/problem.ts';
import { HostQueue, type ThrottleRules, type Timers } from './host-queue.ts';

/** Below this many queues none is evicted. */
const queuesUsual = 1000;

const realTimers: Timers = {
  now: () => performance.now(),
  after: (ms, call) => {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
};

/** In milliseconds. */
export type ReserveSlot = (host: string, pauseMs: number) => Promise<number>;

export class HostThrottle {
  readonly #rules: ThrottleRules;
  readonly #timers: Timers;
  readonly #reserveSlot: ReserveSlot | undefined;
  readonly #queues = new Map<string, HostQueue>();
  #queuesMax = queuesUsual;

  /** `reserveSlot`: how long to wait so that other processes, which contact the same hosts, keep the pause as well. */
  constructor(rules: ThrottleRules, timers: Timers = realTimers, reserveSlot?: ReserveSlot) {
    this.#rules = rules;
    this.#timers = timers;
    this.#reserveSlot = reserveSlot;
  }

  /** Runs the work when the host may be contacted. `host` is a name or an address. */
  async run<Result>(host: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    const name = host.toLowerCase();
    const queue = this.#queueOf(name);
    await queue.enter(signal);
    let succeeded = false;
    try {
      if (this.#reserveSlot) await this.#waitForSlot(name, signal, this.#reserveSlot);
      const result = await work();
      succeeded = true;
      return result;
    } catch (error) {
      // The SSRF guard refused the address: the host was not contacted, so it has not failed.
      succeeded = error instanceof Problem && error.code === 'invalid-parameters';
      throw error;
    } finally {
      queue.leave(succeeded);
    }
  }

  async #waitForSlot(host: string, signal: AbortSignal, reserveSlot: ReserveSlot): Promise<void> {
    const waitMs = await reserveSlot(host, this.#rules.pauseMs);
    if (waitMs <= 0) return;
    await new Promise<void>((resolve, reject) => {
      const onAbort = () => {
        cancel();
        reject(signal.reason as Error);
      };
      const cancel = this.#timers.after(waitMs, () => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      });
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  /** How many hosts are remembered. */
  get size(): number {
    return this.#queues.size;
  }

  #queueOf(host: string): HostQueue {
    const known = this.#queues.get(host);
    if (known) return known;
    if (this.#queues.size >= this.#queuesMax) this.#evict();
    const queue = new HostQueue(host, this.#rules, this.#timers);
    this.#queues.set(host, queue);
    return queue;
  }

  #evict(): void {
    for (const [host, queue] of this.#queues) {
      if (queue.isForgettable()) this.#queues.delete(host);
    }
    this.#queuesMax = Math.max(queuesUsual, 2 * this.#queues.size);
  }
}
