/**
 * Does work that has so much time, and hears by its signal when that is over or everything stops. It then has a moment to end by itself; what
 * goes on after that nobody waits for or hears of. Timers end with the work, for there is much of it.
 */

export class TookTooLong extends Error {
  constructor(ms: number) {
    super(`not done within ${ms} ms`);
    this.name = 'TookTooLong';
  }
}

export interface TimeLimits {
  /** The end of everything. */
  readonly stop: AbortSignal;
  readonly deadlineMs: number;
  readonly graceMs: number;
}

/** Throws what the work throws, `TookTooLong`, or the reason of `stop`. */
export async function inTime<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  { stop, deadlineMs, graceMs }: TimeLimits,
): Promise<Result> {
  const ending = new AbortController();
  const { signal } = ending;
  const { promise: givenUp, reject: giveUp } = Promise.withResolvers<never>();
  let grace: NodeJS.Timeout | undefined;
  const end = (reason: unknown) => {
    if (signal.aborted) return;
    ending.abort(reason);
    grace = setTimeout(() => giveUp(reason), graceMs);
  };
  const onStop = () => end(stop.reason);
  const deadline = setTimeout(() => end(new TookTooLong(deadlineMs)), deadlineMs);
  stop.addEventListener('abort', onStop, { once: true });
  if (stop.aborted) onStop();
  try {
    return await Promise.race([work(signal), givenUp]);
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    clearTimeout(deadline);
    clearTimeout(grace);
    stop.removeEventListener('abort', onStop);
  }
}
