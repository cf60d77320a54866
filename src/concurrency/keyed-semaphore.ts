/** A semaphore per key: so many of a key run at once, the others wait in order. Keys without any take no memory. */
interface State {
  running: number;
  readonly waiting: Set<() => void>;
}

export class KeyedSemaphore {
  readonly #max: number;
  readonly #states = new Map<string, State>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Throws the reason of the signal where that aborts before the work has begun. */
  async run<Result>(key: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    const state = this.#states.get(key) ?? { running: 0, waiting: new Set() };
    this.#states.set(key, state);
    if (state.running >= this.#max) await waitIn(state.waiting, signal);
    else state.running += 1;
    try {
      return await work();
    } finally {
      const [next] = state.waiting;
      // Who waited first inherits the permit.
      if (next) next();
      else if ((state.running -= 1) === 0) this.#states.delete(key);
    }
  }
}

function waitIn(waiting: Set<() => void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      waiting.delete(begin);
      signal.removeEventListener('abort', abort);
      settle();
    };
    const begin = () => end(resolve);
    const abort = () => end(() => reject(signal.reason as Error));
    if (signal.aborted) return reject(signal.reason as Error);
    waiting.add(begin);
    signal.addEventListener('abort', abort, { once: true });
  });
}
