/** Keeps the facts of one part's report: its successes and failures, and what it counted in each of the last minutes. */
import type { Clock } from '../../model/clock.ts';
import { minuteMs } from '../../model/durations.ts';
import {
  errorCharactersMax,
  minutesKept,
  type PartKind,
  type PartReport,
  type PartUnit,
} from '../../model/health/part-report.ts';

export interface PartOptions {
  readonly kind: PartKind;
  readonly name: string;
  readonly unit: PartUnit;
  /** How often it succeeds when all is well. */
  readonly everyMs?: number;
  /** As many failures in a row are usual; none by default. */
  readonly failuresUsual?: number;
  /** Why it does not run. */
  readonly off?: string;
  /** What is known to wait, read with each report. */
  readonly backlog?: () => number | undefined;
}

export class PartHealth {
  readonly #options: PartOptions;
  readonly #clock: Clock;
  /** Why it does not run at present. */
  off: string | undefined;
  readonly #startedMs: number;
  /** By minute, modulo the number of minutes kept. */
  readonly #counts = new Array<number>(minutesKept).fill(0);
  #minute: number;
  #total = 0;
  #failuresInRow = 0;
  #lastSuccessMs: number | undefined;
  #countBy: { readonly readTotal: () => number; before: number } | undefined;
  #lastFailure: { readonly atMs: number; readonly error: string } | undefined;

  constructor(options: PartOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
    this.off = options.off;
    this.#startedMs = clock.now();
    this.#minute = Math.floor(this.#startedMs / minuteMs);
  }

  /** Something worked, and this much was done by it. */
  succeed(count = 0): void {
    const nowMs = this.#clock.now();
    this.#lastSuccessMs = nowMs;
    this.#failuresInRow = 0;
    this.#total += count;
    this.#forgetBefore(nowMs);
    const index = this.#minute % minutesKept;
    this.#counts[index] = (this.#counts[index] ?? 0) + count;
  }

  fail(error: unknown): void {
    this.#failuresInRow += 1;
    this.#lastFailure = { atMs: this.#clock.now(), error: messageOf(error) };
  }

  /** For what counts by itself: when its total has grown since the last report, it has succeeded. */
  countBy(readTotal: () => number): void {
    this.#countBy = { readTotal, before: readTotal() };
  }

  report(): PartReport {
    this.#readCount();
    const { backlog, failuresUsual = 0, off: _off, ...described } = this.#options;
    this.#forgetBefore(this.#clock.now());
    const waiting = backlog?.();
    const perMinute = this.#counts.map(
      (_, index) => this.#counts[(this.#minute + 1 + index) % minutesKept] ?? 0,
    );
    return {
      ...described,
      ...(this.off === undefined ? {} : { off: this.off }),
      failuresUsual,
      startedMs: this.#startedMs,
      failuresInRow: this.#failuresInRow,
      total: this.#total,
      perMinute,
      ...(this.#lastSuccessMs === undefined ? {} : { lastSuccessMs: this.#lastSuccessMs }),
      ...(this.#lastFailure === undefined
        ? {}
        : { lastFailureMs: this.#lastFailure.atMs, lastError: this.#lastFailure.error }),
      ...(waiting === undefined ? {} : { backlog: waiting }),
    };
  }

  #readCount(): void {
    if (!this.#countBy) return;
    const total = this.#countBy.readTotal();
    if (total > this.#countBy.before) this.succeed(total - this.#countBy.before);
    this.#countBy.before = total;
  }

  /** Empties the minutes that have begun since the last call. A clock that was set back goes on in the newest minute. */
  #forgetBefore(nowMs: number): void {
    const minute = Math.floor(nowMs / minuteMs);
    const passed = Math.min(minute - this.#minute, minutesKept);
    for (let step = 1; step <= passed; step += 1) this.#counts[(this.#minute + step) % minutesKept] = 0;
    if (passed > 0) this.#minute = minute;
  }
}

/** The reason is often in the cause: "fetch failed" alone helps nobody. */
function messageOf(error: unknown): string {
  const messages: string[] = [];
  for (let each = error; each !== undefined && each !== null && messages.length < 3; ) {
    const message = each instanceof Error ? each.message : String(each);
    if (message !== '' && !messages.some((earlier) => earlier.includes(message))) messages.push(message);
    each = each instanceof Error ? each.cause : undefined;
  }
  return (messages.join(': ') || 'failed without a message').slice(0, errorCharactersMax);
}
