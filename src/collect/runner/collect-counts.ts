/** What collecting has come to since the start. */
import type { UpsertCounts } from '../../store/domain-store.ts';
import type { CollectorName } from '../collectors/collector.ts';
import type { LookResult } from './take-look.ts';

export interface LookCounts {
  readonly found: number;
  /** Said that it failed, or threw. */
  readonly failed: number;
  /** Took too long. */
  readonly abandoned: number;
}

export class CollectCounts {
  readonly #looks = new Map<CollectorName, { found: number; failed: number; abandoned: number }>();
  readonly #records = { added: 0, changed: 0, unchanged: 0 };
  /** Rounds that came to their end. */
  domains = 0;
  /** Members and lines that were not as they must be. */
  dropped = 0;

  look({ collector, outcome, isAbandoned }: LookResult): void {
    const counts = this.#looks.get(collector.name) ?? { found: 0, failed: 0, abandoned: 0 };
    counts[isAbandoned ? 'abandoned' : outcome.outcome] += 1;
    this.#looks.set(collector.name, counts);
  }

  /** An update each. */
  written({ added, changed, unchanged }: UpsertCounts): void {
    this.#records.added += added;
    this.#records.changed += changed;
    this.#records.unchanged += unchanged;
  }

  get looks(): ReadonlyMap<CollectorName, LookCounts> {
    return this.#looks;
  }

  get records(): UpsertCounts {
    return { ...this.#records };
  }
}
