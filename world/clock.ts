/**
 * The world's own time. Work is done in the order of its time, and work of the same time in the order in which it was given; while it is
 * done, the clock shows the time for which it was meant. So a story unfolds the same however fast the clock runs.
 */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

export interface WorldClockOptions {
  readonly startMs: number;
  /** How much faster than the machine's; 0: it stands until `advance`. */
  readonly speed: number;
  /** The machine's time. */
  readonly machineNow: () => number;
}

interface Planned {
  readonly atMs: number;
  readonly work: () => void;
}

/** Pieces of work between two yields to the event loop. */
const workPerSlice = 100;
const timerMsMax = 2_000_000_000;

export class WorldClock {
  readonly #speed: number;
  readonly #machineNow: () => number;
  /** Undefined: it has not started. */
  #machineStartMs: number | undefined;
  /** The world's time when the machine's was `#machineStartMs`; `advance` moves it. */
  #originMs: number;
  /** Everything up to this time has been done. */
  #reachedMs: number;
  /** The latest first, so that the next is taken from the end. */
  readonly #planned: Planned[] = [];
  #isWorking = false;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;
  #queue: Promise<void> = Promise.resolve();

  constructor({ startMs, speed, machineNow }: WorldClockOptions) {
    this.#speed = speed;
    this.#machineNow = machineNow;
    this.#originMs = startMs;
    this.#reachedMs = startMs;
  }

  /** Starts the clock. Until then time is frozen, so that nothing happens before a client can see it. */
  start(): void {
    this.#machineStartMs ??= this.#machineNow();
    this.#wind();
  }

  now(): number {
    return this.#isWorking ? this.#reachedMs : Math.max(this.#reachedMs, this.#current());
  }

  /** What is meant for the past is done as soon as may be. */
  schedule(atMs: number, work: () => void): void {
    const planned = { atMs: Math.max(Math.round(atMs), this.#reachedMs), work };
    this.#planned.splice(this.#placeFor(planned.atMs), 0, planned);
    this.#wind();
  }

  /** Lets time pass at once; resolves when all that was to happen in it has happened. */
  advance(ms: number): Promise<void> {
    this.#originMs += ms;
    return this.#catchUp();
  }

  /** Nothing happens any more. */
  close(): void {
    this.#isClosed = true;
    this.#planned.length = 0;
    clearTimeout(this.#timer);
  }

  #current(): number {
    if (this.#machineStartMs === undefined) return this.#originMs;
    return this.#originMs + Math.floor((this.#machineNow() - this.#machineStartMs) * this.#speed);
  }

  /** Before everything that comes sooner, and before what was given earlier for the same time. */
  #placeFor(atMs: number): number {
    let [low, high] = [0, this.#planned.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#planned[middle] as Planned).atMs > atMs) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #catchUp(): Promise<void> {
    const untilMs = this.#current();
    this.#queue = this.#queue.then(() => this.#workUntil(untilMs));
    return this.#queue;
  }

  async #workUntil(untilMs: number): Promise<void> {
    for (let done = 1; (this.#planned.at(-1)?.atMs ?? Infinity) <= untilMs; done += 1) {
      const { atMs, work } = this.#planned.pop() as Planned;
      this.#reachedMs = atMs;
      this.#isWorking = true;
      try {
        work();
      } finally {
        this.#isWorking = false;
      }
      if (done % workPerSlice === 0) await yieldToEventLoop();
    }
    this.#reachedMs = Math.max(this.#reachedMs, untilMs);
    this.#wind();
  }

  /** Sets the timer for what comes next, where time passes by itself. */
  #wind(): void {
    const next = this.#planned.at(-1);
    const isRunning = this.#speed > 0 && this.#machineStartMs !== undefined && !this.#isClosed;
    if (!isRunning || this.#isWorking || !next) return;
    clearTimeout(this.#timer);
    const waitMs = Math.max(0, (next.atMs - this.#current()) / this.#speed);
    this.#timer = setTimeout(() => void this.#catchUp(), Math.min(Math.ceil(waitMs), timerMsMax));
  }
}
