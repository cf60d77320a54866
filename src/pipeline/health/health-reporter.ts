/** The parts of this process, and the task that saves their report every few seconds for the process that answers people. */
import { repeat } from '../../concurrency/repeat.ts';
import type { Clock } from '../../model/clock.ts';
import { hourMs, secondMs } from '../../model/durations.ts';
import type { PartReport, ProcessReport } from '../../model/health/part-report.ts';
import type { HealthStore } from '../../store/health-store.ts';
import { PartHealth, type PartOptions } from './part-health.ts';

export interface HealthReporterNeeds {
  readonly health: HealthStore;
  readonly clock: Clock;
  readonly process: string;
  readonly node: string;
  readonly role: string;
  readonly version: string;
  readonly onFailure: (error: unknown) => void;
}

const reportMs = 5 * secondMs;
/** Shown for a while as a process that is not seen any more. */
const forgetMs = hourMs;

export class HealthReporter {
  readonly #needs: HealthReporterNeeds;
  readonly #startedMs: number;
  jobKinds: readonly string[] = [];
  readonly #parts = new Map<string, PartHealth>();
  readonly #stopping = new AbortController();
  #reporting: Promise<void> | undefined;

  constructor(needs: HealthReporterNeeds) {
    this.#needs = needs;
    this.#startedMs = needs.clock.now();
  }

  part(options: PartOptions): PartHealth {
    const part = new PartHealth(options, this.#needs.clock);
    this.#parts.set(`${options.kind} ${options.name}`, part);
    return part;
  }

  parts(): readonly PartReport[] {
    return [...this.#parts.values()].map((part) => part.report());
  }

  start(): void {
    const { health, clock, onFailure } = this.#needs;
    this.#reporting = repeat(
      async () => {
        await health.saveReport(this.#report());
        await health.removeReportsBefore(clock.now() - forgetMs);
      },
      { everyMs: reportMs, signal: this.#stopping.signal, onFailure },
    );
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#reporting;
    await this.#needs.health.removeReport(this.#needs.process).catch(this.#needs.onFailure);
  }

  #report(): ProcessReport {
    const { clock, process: name, node, role, version } = this.#needs;
    return {
      process: name,
      node,
      role,
      version,
      startedMs: this.#startedMs,
      atMs: clock.now(),
      memoryBytes: process.memoryUsage.rss(),
      jobKinds: this.jobKinds,
      parts: this.parts(),
    };
  }
}
