/**
 * Fair queueing of long work on one event loop: each iteration of the loop grants one time slice, to one flow, however many tasks wait. A flow
 * is usually an API key; its tasks share what the flow gets, so that a key with many searches has the share of one key. Between
 * two slices the loop serves all that is ready, so new connections and short lookups wait for one slice at most.
 *
 * The order is that of start-time fair queueing (Goyal, Vin, Cheng 1996, https://doi.org/10.1145/248156.248171): the flow with the least
 * virtual time is next, and a slice adds the time that it took. A flow that was idle starts at the virtual time of the moment: it
 * saves up nothing.
 */

/** What the scheduler needs of its thread; tests pass their own. */
export interface EventLoop {
  now(): number;
  /** Runs the callbacks one after the other in the next iteration, each followed by the promises that it resolved. */
  inNextIteration(first: () => void, second: () => void): void;
}

interface Flow {
  virtualMs: number;
  /** Tasks in the order in which they came. */
  readonly waiting: (() => void)[];
}

/** Iterations with new connections after which a slice is granted all the same, so that a flood of them does not stop all long work. */
const postponedMax = 64;
/** Even an empty slice costs an iteration of the loop. */
const sliceMsMin = 0.01;

export class FairScheduler {
  readonly #loop: EventLoop;
  readonly #flows = new Map<string, Flow>();
  #virtualMs = 0;
  #waiting = 0;
  #isArmed = false;
  #hasNewConnection = false;
  #postponed = 0;
  #granted: { readonly flow: Flow; readonly sinceMs: number } | undefined;

  constructor(loop: EventLoop) {
    this.#loop = loop;
  }

  /** Resolves when a time slice of the flow begins. */
  nextSlice(name: string): Promise<void> {
    return new Promise((resolve) => {
      let flow = this.#flows.get(name);
      if (!flow) {
        flow = { virtualMs: this.#virtualMs, waiting: [] };
        this.#flows.set(name, flow);
      }
      if (flow.waiting.length === 0) flow.virtualMs = Math.max(flow.virtualMs, this.#virtualMs);
      flow.waiting.push(resolve);
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
    this.#loop.inNextIteration(
      () => this.#grant(),
      () => this.#charge(),
    );
  }

  #grant(): void {
    const isPostponed = this.#hasNewConnection && this.#postponed < postponedMax;
    this.#hasNewConnection = false;
    this.#postponed = isPostponed ? this.#postponed + 1 : 0;
    if (isPostponed) return;
    let flow: Flow | undefined;
    for (const one of this.#flows.values()) {
      if (one.waiting.length > 0 && (!flow || one.virtualMs < flow.virtualMs)) flow = one;
    }
    if (!flow) return;
    this.#virtualMs = flow.virtualMs;
    this.#granted = { flow, sinceMs: this.#loop.now() };
    this.#waiting -= 1;
    flow.waiting.shift()?.();
  }

  /** The task and all that continued with its result have run by now. */
  #charge(): void {
    if (this.#granted) {
      const { flow, sinceMs } = this.#granted;
      flow.virtualMs += Math.max(this.#loop.now() - sinceMs, sliceMsMin);
      this.#granted = undefined;
    }
    this.#isArmed = false;
    if (this.#waiting > 0) this.#arm();
    else this.#flows.clear();
  }
}
