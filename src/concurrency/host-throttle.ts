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

export class HostThrottle {
  readonly #rules: ThrottleRules;
  readonly #timers: Timers;
  readonly #queues = new Map<string, HostQueue>();
  #queuesMax = queuesUsual;

  constructor(rules: ThrottleRules, timers: Timers = realTimers) {
    this.#rules = rules;
    this.#timers = timers;
  }

  /** Runs the work when the host may be contacted. `host` is a name or an address. */
  async run<Result>(host: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    const queue = this.#queueOf(host.toLowerCase());
    await queue.enter(signal);
    let succeeded = false;
    try {
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
