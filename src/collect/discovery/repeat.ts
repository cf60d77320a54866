/** Does something again and again for as long as a server runs; after failures less and less often. */
import { setTimeout as pause } from 'node:timers/promises';

export interface RepeatOptions {
  readonly everyMs: number;
  readonly signal: AbortSignal;
  /** Hears of what went wrong; it is tried again. */
  readonly onFailure: (error: unknown) => void;
}

const waitMsMax = 60_000;

/** Resolves when the signal has come and what was under way has ended. */
export async function repeat(
  work: () => Promise<unknown>,
  { everyMs, signal, onFailure }: RepeatOptions,
): Promise<void> {
  let waitMs = everyMs;
  while (!signal.aborted) {
    try {
      await work();
      waitMs = everyMs;
    } catch (error) {
      if (signal.aborted) return;
      onFailure(error);
      waitMs = Math.max(everyMs, Math.min(waitMs * 2, waitMsMax));
    }
    await pause(waitMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
