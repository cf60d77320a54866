/** Deadlines for asynchronous work. Timers are cleared with the work, because there is much of it. */

export class DeadlineExceeded extends Error {
  constructor(ms: number) {
    super(`not done within ${ms} ms`);
    this.name = 'DeadlineExceeded';
  }
}

export interface TimeLimits {
  /** Shutdown. */
  readonly stop: AbortSignal;
  readonly deadlineMs: number;
  /** How long the work has to end by itself after its signal; whatever it does later is ignored. */
  readonly graceMs: number;
}

/** Aborts the signal of the work at the deadline or on `stop`. Throws what the work throws, `DeadlineExceeded`, or the reason of `stop`. */
export async function withDeadline<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  { stop, deadlineMs, graceMs }: TimeLimits,
): Promise<Result> {
  const ending = new AbortController();
  const { signal } = ending;
  const { promise: abandoned, reject: abandon } = Promise.withResolvers<never>();
  let grace: NodeJS.Timeout | undefined;
  const end = (reason: unknown) => {
    if (signal.aborted) return;
    ending.abort(reason);
    grace = setTimeout(() => abandon(reason), graceMs);
  };
  const onStop = () => end(stop.reason);
  const deadline = setTimeout(() => end(new DeadlineExceeded(deadlineMs)), deadlineMs);
  stop.addEventListener('abort', onStop, { once: true });
  if (stop.aborted) onStop();
  try {
    return await Promise.race([work(signal), abandoned]);
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    clearTimeout(deadline);
    clearTimeout(grace);
    stop.removeEventListener('abort', onStop);
  }
}

/**
 * Aborts its signal when the time is over, or on another signal. Not `AbortSignal.any` with `AbortSignal.timeout`, whose timer lives on after the
 * work.
 */
export class Timeout {
  readonly #ending = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #stop: AbortSignal | undefined;
  readonly #onStop = () => this.#ending.abort(this.#stop?.reason);
  #isOver = false;

  constructor(timeoutMs: number, stop: AbortSignal | undefined) {
    this.#stop = stop;
    this.#timer = setTimeout(() => {
      this.#isOver = true;
      this.#ending.abort();
    }, timeoutMs).unref();
    stop?.addEventListener('abort', this.#onStop, { once: true });
    if (stop?.aborted) this.#onStop();
  }

  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** Whether the time is over; false where the other signal was first. */
  get isOver(): boolean {
    return this.#isOver;
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#stop?.removeEventListener('abort', this.#onStop);
  }
}

/** Waits for a promise, which may also reject. False where the time is over or the signal is aborted before. */
export async function settlesWithin(
  work: Promise<unknown>,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<boolean> {
  const { promise: over, resolve } = Promise.withResolvers<boolean>();
  const giveUp = () => resolve(false);
  const timer = setTimeout(giveUp, timeoutMs);
  signal?.addEventListener('abort', giveUp, { once: true });
  if (signal?.aborted) giveUp();
  try {
    const settled = work.then(
      () => true,
      () => true,
    );
    return await Promise.race([over, settled]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', giveUp);
  }
}
