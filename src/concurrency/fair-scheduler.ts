/**
 * Fair queueing of long work on one event loop: each iteration of the loop grants one time slice, however many tasks wait. A task that needs
 * less leaves the rest of it to the next one. A flow is usually an API key; its tasks share what the flow gets, so that a key with many
 * searches has the share of one key. Between two slices the loop serves all that is ready, so new connections and short lookups wait
 * for one slice at most.
 *
 * The order is that of start-time fair queueing (Goyal, Vin, Cheng 1996, https://doi.org/10.1145/248156.248171): the flow with the least
 * virtual time is next, and a task adds the time that it took. A flow that was idle starts at the virtual time of the moment: it
 * saves up nothing.
 */

/** What the scheduler needs of its thread; tests pass their own. */
export interface EventLoop {
  now(): number;
  inNextIteration(callback: () => void): void;
  /** Runs the callback in the same iteration, after the promises that are resolved by now and all that continues with their results. */
  afterPromises(callback: () => void): void;
}

interface Task {
  readonly begin: () => void;
  /** In which it came. It is granted nothing before the next one. */
  readonly iteration: number;
}

interface Flow {
  virtualMs: number;
  /** In the order in which they came. */
  readonly waiting: Task[];
}

interface Grant {
  readonly flow: Flow;
  readonly sinceMs: number;
  readonly endsAtMs: number;
}

/** Iterations with new connections after which a slice is granted all the same, so that a flood of them does not stop all long work. */
const postponedMax = 64;
/** Even a task that does nothing takes some time. */
const taskMsMin = 0.01;
/** What is left of a slice is granted if it is at least this long: in less, a task would get nothing done. */
const restMsMin = 0.5;

export class FairScheduler {
  readonly #loop: EventLoop;
  readonly #sliceMs: () => number;
  readonly #flows = new Map<string, Flow>();
  #virtualMs = 0;
  #waiting = 0;
  #iteration = 0;
  #isArmed = false;
  #hasNewConnection = false;
  #postponed = 0;
  #grant: Grant | undefined;

  constructor(loop: EventLoop, sliceMs: () => number) {
    this.#loop = loop;
    this.#sliceMs = sliceMs;
  }

  /** When the slice ends in which the caller runs; undefined where it has not waited for one. */
  get grantedUntilMs(): number | undefined {
    return this.#grant?.endsAtMs;
  }

  /** Resolves when a time slice of the flow begins, in a later iteration. */
  nextSlice(name: string): Promise<void> {
    return new Promise((resolve) => {
      let flow = this.#flows.get(name);
      if (!flow) {
        flow = { virtualMs: this.#virtualMs, waiting: [] };
        this.#flows.set(name, flow);
      }
      if (flow.waiting.length === 0) flow.virtualMs = Math.max(flow.virtualMs, this.#virtualMs);
      flow.waiting.push({ begin: resolve, iteration: this.#iteration });
      this.#waiting += 1;
      this.#arm();
    });
  }

  /** An iteration accepts one connection (libuv), so while they arrive slices are postponed: many would wait for a slice each otherwise. */
  noteConnection(): void {
    this.#hasNewConnection = true;
  }

  #arm(): void {
    if (this.#isArmed) return;
    this.#isArmed = true;
    this.#loop.inNextIteration(() => this.#beginIteration());
  }

  #beginIteration(): void {
    this.#iteration += 1;
    const isPostponed = this.#hasNewConnection && this.#postponed < postponedMax;
    this.#hasNewConnection = false;
    this.#postponed = isPostponed ? this.#postponed + 1 : 0;
    if (isPostponed) this.#endIteration();
    else this.#grantUntil(this.#loop.now() + this.#sliceMs());
  }

  #grantUntil(endsAtMs: number): void {
    const flow = this.#nextFlow();
    // Whose time has come, but has had its slice in this iteration: the rest of it goes to nobody else.
    if (!flow || flow.waiting[0]?.iteration === this.#iteration) return this.#endIteration();
    this.#virtualMs = flow.virtualMs;
    this.#grant = { flow, sinceMs: this.#loop.now(), endsAtMs };
    this.#waiting -= 1;
    flow.waiting.shift()?.begin();
    this.#loop.afterPromises(() => this.#charge());
  }

  #nextFlow(): Flow | undefined {
    let next: Flow | undefined;
    for (const flow of this.#flows.values()) {
      if (flow.waiting.length > 0 && (!next || flow.virtualMs < next.virtualMs)) next = flow;
    }
    return next;
  }

  /** The task, and all that continued with its result, has run by now. */
  #charge(): void {
    const { flow, sinceMs, endsAtMs } = this.#grant as Grant;
    const nowMs = this.#loop.now();
    flow.virtualMs += Math.max(nowMs - sinceMs, taskMsMin);
    this.#grant = undefined;
    if (nowMs + restMsMin <= endsAtMs) this.#grantUntil(endsAtMs);
    else this.#endIteration();
  }

  #endIteration(): void {
    this.#isArmed = false;
    if (this.#waiting > 0) this.#arm();
    else this.#flows.clear();
  }
}
