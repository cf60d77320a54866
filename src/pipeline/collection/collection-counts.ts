/** Counters of collection since the start. */

import type { CollectorName } from '../../collect/collectors/collector.ts';
import type { UpsertCounts } from '../../store/domain-store.ts';
import type { CompletedProbe } from './run-probe.ts';

export interface ProbeCounts {
  readonly found: number;
  /** Reported a failure, or threw. */
  readonly failed: number;
  /** Exceeded the deadline. */
  readonly timedOut: number;
}

export class CollectionCounts {
  readonly #onProbe: (probe: CompletedProbe) => void;
  readonly #probes = new Map<CollectorName, { found: number; failed: number; timedOut: number }>();
  readonly #records = { added: 0, changed: 0, unchanged: 0 };
  /** Domains that were collected completely. */
  domains = 0;
  /** Members and lines that were invalid. */
  dropped = 0;

  constructor(onProbe: (probe: CompletedProbe) => void = () => undefined) {
    this.#onProbe = onProbe;
  }

  countProbe(probe: CompletedProbe): void {
    const { collector, outcome, hasTimedOut } = probe;
    this.#onProbe(probe);
    const counts = this.#probes.get(collector.name) ?? { found: 0, failed: 0, timedOut: 0 };
    counts[hasTimedOut ? 'timedOut' : outcome.outcome] += 1;
    this.#probes.set(collector.name, counts);
  }

  /** Counts updates, not domains. */
  countWritten({ added, changed, unchanged }: UpsertCounts): void {
    this.#records.added += added;
    this.#records.changed += changed;
    this.#records.unchanged += unchanged;
  }

  get probes(): ReadonlyMap<CollectorName, ProbeCounts> {
    return this.#probes;
  }

  get records(): UpsertCounts {
    return { ...this.#records };
  }
}
