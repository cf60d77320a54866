/**
 * Writes text to a descriptor in the order in which it came. The event loop never waits for who reads it: what is not read in time stays in
 * memory up to a bound, and beyond that lines are left out and counted. At the end of the process the rest is written, for as long as it is read.
 */
import { constants, fstatSync, openSync, write, writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { backoffMs } from './concurrency/backoff.ts';
import { secondMs } from './model/durations.ts';

export interface LogWriterNeeds {
  readonly descriptor: number;
  /** Lines wait until there is so much, since a system call for each would cost more than the rest of logging. */
  readonly plentyCharacters: number;
  /** Or for so long. */
  readonly waitMs: number;
  /** Beyond that much text lines are left out. */
  readonly charactersMax: number;
  /** A line that says how many were left out. */
  readonly lostLine: (count: number) => string;
}

const writeInSystem = promisify(write);
/** A pipe that is full is empty soon after if somebody reads it; later there is no hurry. */
const retries = { firstMs: 1, factor: 2, maxMs: 50 } as const;
/** How long a process that ends waits for a reader that does not read. */
const patienceMs = secondMs;
const sleeper = new Int32Array(new SharedArrayBuffer(4));

export class LogWriter {
  readonly #needs: LogWriterNeeds;
  readonly #descriptor: number;
  #waiting: string[] = [];
  #waitingCharacters = 0;
  #lostLines = 0;
  /** How many of them the text that is being written says. */
  #lostLinesSaid = 0;
  /** What the system has not taken yet of what is being written. */
  #rest = Buffer.alloc(0);
  #isInSystem = false;
  #writing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(needs: LogWriterNeeds) {
    this.#needs = needs;
    this.#descriptor = withoutWaiting(needs.descriptor);
    process.on('exit', () => this.#writeAtExit());
  }

  /** It is written with those that come soon. */
  add(line: string): void {
    if (!this.#keep(line)) return;
    if (this.#waitingCharacters >= this.#needs.plentyCharacters) this.#begin();
    else this.#timer ??= setTimeout(() => this.#begin(), this.#needs.waitMs).unref();
  }

  /** At once. False while there is plenty to write: `drained` should be awaited before more is. */
  write(lines: string): boolean {
    if (this.#keep(lines)) this.#begin();
    return this.#waitingCharacters < this.#needs.plentyCharacters;
  }

  /** Resolves when everything is written, or when nobody reads it any more. */
  async drained(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  /** The same, but a reader that reads nothing is not waited for. */
  async flush(): Promise<void> {
    this.#begin();
    const patience = new AbortController();
    const over = pause(patienceMs, undefined, { signal: patience.signal }).catch(() => undefined);
    await Promise.race([this.drained(), over]);
    patience.abort();
  }

  #keep(lines: string): boolean {
    if (this.#waitingCharacters >= this.#needs.charactersMax) {
      this.#lostLines += linesIn(lines);
      return false;
    }
    this.#waiting.push(lines);
    this.#waitingCharacters += lines.length;
    return true;
  }

  #begin(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
      // It came when the last of the others had just been written.
      if (this.#waitingCharacters > 0) this.#begin();
    });
  }

  async #writeAll(): Promise<void> {
    let failures = 0;
    while (this.#next()) {
      const { bytesWritten, error } = await this.#writeSome();
      this.#rest = this.#rest.subarray(bytesWritten);
      failures = error === undefined ? 0 : failures + 1;
      if (error === undefined) continue;
      if (hasNoReader(error)) return this.#leaveOut();
      await pause(backoffMs(failures, retries), undefined, { ref: false });
    }
  }

  async #writeSome(): Promise<{ readonly bytesWritten: number; readonly error?: unknown }> {
    this.#isInSystem = true;
    try {
      return await writeInSystem(this.#descriptor, this.#rest);
    } catch (error) {
      return { bytesWritten: 0, error };
    } finally {
      this.#isInSystem = false;
    }
  }

  /** False when there is nothing left. */
  #next(): boolean {
    if (this.#rest.length > 0) return true;
    if (this.#lostLines > 0) this.#waiting.push(this.#needs.lostLine(this.#lostLines));
    this.#lostLinesSaid = this.#lostLines;
    this.#rest = Buffer.from(this.#waiting.join(''));
    this.#waiting = [];
    this.#waitingCharacters = 0;
    this.#lostLines = 0;
    return this.#rest.length > 0;
  }

  /** Of a named pipe there may be another reader later. */
  #leaveOut(): void {
    const saying = this.#lostLinesSaid > 0 ? 1 : 0;
    const lines = linesIn(this.#rest.toString()) + linesIn(this.#waiting.join(''));
    this.#lostLines += this.#lostLinesSaid + lines - saying;
    this.#lostLinesSaid = 0;
    this.#rest = Buffer.alloc(0);
    this.#waiting = [];
    this.#waitingCharacters = 0;
  }

  #writeAtExit(): void {
    // A thread of the system writes it, at this moment or never.
    if (this.#isInSystem) this.#rest = Buffer.alloc(0);
    const end = performance.now() + patienceMs;
    while (performance.now() < end && this.#next()) {
      try {
        this.#rest = this.#rest.subarray(writeSync(this.#descriptor, this.#rest));
      } catch (error) {
        if (hasNoReader(error)) return;
        Atomics.wait(sleeper, 0, 0, retries.firstMs);
      }
    }
  }
}

const linesIn = (text: string) => text.split('\n').length - 1;

/** After any other error it is tried again: a pipe is full, or a disk. */
const hasNoReader = (error: unknown) => (error as NodeJS.ErrnoException).code === 'EPIPE';

/**
 * A pipe is opened once more, so that a full one says so: a thread that waited in it would keep the process from ending. What others have of
 * the same pipe stays as it is.
 */
function withoutWaiting(descriptor: number): number {
  try {
    if (!fstatSync(descriptor).isFIFO()) return descriptor;
    return openSync(`/proc/self/fd/${descriptor}`, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    return descriptor;
  }
}
