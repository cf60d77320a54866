/**
 * The time slices of this thread's event loop, which all its long reads and streams share. Work belongs to a flow: what runs within
 * `inFlow` to the one named there, everything else to the background.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { FairScheduler } from './fair-scheduler.ts';

/** Short where requests wait for the event loop, longer where nobody waits for an answer: each slice costs an iteration of the loop. */
const sliceMs = { answering: 4, working: 12 } as const;
let ownSliceMs: number = sliceMs.answering;

const background = '';
const flows = new AsyncLocalStorage<string>();

const scheduler = new FairScheduler(
  {
    now: () => performance.now(),
    inNextIteration: (callback) =>
      void setImmediate(() => {
        runPolled();
        callback();
      }),
    // Promises come first among themselves: a tick that one of them schedules waits until none is left.
    afterPromises: (callback) => queueMicrotask(() => process.nextTick(callback)),
  },
  () => ownSliceMs,
);

let polled: (() => void)[] = [];

/** Runs the callback when this iteration of the event loop has handled all that had arrived, before any time slice begins. */
export function afterPolling(callback: () => void): void {
  polled.push(callback);
  if (polled.length === 1) setImmediate(runPolled);
}

function runPolled(): void {
  const callbacks = polled;
  polled = [];
  for (const callback of callbacks) callback();
}

/** For a process that answers no requests. */
export function useLongSlices(): void {
  ownSliceMs = sliceMs.working;
}

/** Called for every connection that a server of this thread accepts: connections go before long work. */
export function noteConnection(): void {
  scheduler.noteConnection();
}

/** Runs work, and all that it starts, as part of a flow such as an API key: it gets its time slices from the share of that flow. */
export function inFlow<Result>(flow: string, work: () => Result): Result {
  return flows.run(flow, work);
}

export function currentFlow(): string {
  return flows.getStore() ?? background;
}

/** Yields to the event loop; resolves when a time slice of the current flow begins. */
export function yieldToEventLoop(): Promise<void> {
  return scheduler.nextSlice(currentFlow());
}

let unscheduledUntilMs: number | undefined;

/**
 * Until when work may run, on a clock like `performance.now()`: what has waited for its slice until that ends. All work of one iteration
 * of the event loop that has not waited shares one slice, so that many requests that arrive together do not get one each.
 */
export function sliceEndsAtMs(): number {
  if (scheduler.grantedUntilMs !== undefined) return scheduler.grantedUntilMs;
  if (unscheduledUntilMs === undefined) {
    unscheduledUntilMs = performance.now() + ownSliceMs;
    setImmediate(() => {
      unscheduledUntilMs = undefined;
    });
  }
  return unscheduledUntilMs;
}

/**
 * To await before each small step of work that many do at once, such as a chunk of a download. All steps of one iteration share one slice;
 * what comes later waits for a slice of its flow.
 */
export function yieldIfIterationIsFull(): Promise<void> | undefined {
  return performance.now() >= sliceEndsAtMs() ? yieldToEventLoop() : undefined;
}
