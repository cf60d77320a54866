/** Reference model of the job store for one kind of job: a plain list that follows the interface's documentation. */
import type { LeasedJob, NewJob } from '../../../src/store/job-store.ts';

interface Entry {
  readonly subject: string;
  dueMs: number;
  attempts: number;
  held: { lease: string; untilMs: number } | undefined;
  /** Due times of requests made while the job was leased. */
  requestedMs: number[];
}

export class JobReference {
  #entries: Entry[] = [];

  enqueue(jobs: readonly NewJob[]): void {
    for (const { subject, dueMs } of jobs) {
      const entry = this.#entries.find((one) => one.subject === subject);
      if (!entry) this.#entries.push({ subject, dueMs, attempts: 0, held: undefined, requestedMs: [] });
      else if (entry.held) entry.requestedMs.push(dueMs);
      else entry.dueMs = Math.min(entry.dueMs, dueMs);
    }
  }

  lease(limit: number, nowMs: number, untilMs: number) {
    const ready = this.#entries
      .filter((entry) => readyMs(entry) <= nowMs)
      .sort((one, other) => readyMs(one) - readyMs(other) || (one.subject < other.subject ? -1 : 1))
      .slice(0, limit);
    for (const entry of ready) {
      entry.attempts += 1;
      entry.held = { lease: '', untilMs };
      entry.requestedMs = entry.requestedMs.filter((dueAgainMs) => dueAgainMs > nowMs);
    }
    return ready.map(({ subject, dueMs, attempts }) => ({ subject, dueMs, attempts }));
  }

  /** Lease ids are known only to the store. */
  name(subject: string, lease: string): void {
    const entry = this.#entries.find((one) => one.subject === subject);
    if (entry?.held) entry.held.lease = lease;
  }

  finish(job: LeasedJob, againMs: number | undefined): boolean {
    const entry = this.#held(job);
    if (!entry) return false;
    const times = againMs === undefined ? entry.requestedMs : [...entry.requestedMs, againMs];
    this.#entries = this.#entries.filter((one) => one !== entry);
    if (times.length > 0) this.#release({ ...entry, attempts: 0 }, times);
    return true;
  }

  retry(job: LeasedJob, dueMs: number): boolean {
    const entry = this.#held(job);
    if (!entry) return false;
    this.#entries = this.#entries.filter((one) => one !== entry);
    this.#release(entry, [...entry.requestedMs, dueMs]);
    return true;
  }

  findNextDueMs(): number | undefined {
    return this.#entries.length === 0 ? undefined : Math.min(...this.#entries.map(readyMs));
  }

  statistics(nowMs: number) {
    const due = this.#entries.filter((entry) => readyMs(entry) <= nowMs).length;
    const leased = this.#entries.filter((entry) => entry.held && readyMs(entry) > nowMs).length;
    return { waiting: this.#entries.length - due - leased, due, leased };
  }

  #held({ subject, lease }: LeasedJob): Entry | undefined {
    return this.#entries.find((entry) => entry.subject === subject && entry.held?.lease === lease);
  }

  #release(entry: Entry, times: readonly number[]): void {
    this.#entries.push({ ...entry, dueMs: Math.min(...times), held: undefined, requestedMs: [] });
  }
}

function readyMs({ dueMs, held }: Entry): number {
  return held?.untilMs ?? dueMs;
}
