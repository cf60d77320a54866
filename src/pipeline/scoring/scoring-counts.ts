/** Counters of scoring since its start, and gauges of its progress. */
import type { ScoredCounts } from './score-domains.ts';

export interface ScoringCounts extends ScoredCounts {
  /** Domains enqueued because of a known bad neighbour. */
  readonly neighbours: number;
  /** Lines appended to the feed of risky domains, and to the hotlist. */
  readonly published: number;
  readonly hotlisted: number;
  /** Age of the record updates being followed. */
  readonly lagSeconds: number;
  readonly failures: number;
  /** Stored records, and those of them that were scored by the current model and settings, or have a job to be. */
  readonly records: number;
  readonly current: number;
}

export class ScoringTally {
  #all = {
    scored: 0,
    provisional: 0,
    full: 0,
    changed: 0,
    neighbours: 0,
    published: 0,
    hotlisted: 0,
    lagSeconds: 0,
    failures: 0,
    records: 0,
    current: 0,
  };

  get all(): ScoringCounts {
    return { ...this.#all };
  }

  add(more: Partial<ScoringCounts>): void {
    for (const [kind, number] of Object.entries(more)) this.#all[kind as keyof ScoringCounts] += number;
  }

  set(values: Partial<ScoringCounts>): void {
    this.#all = { ...this.#all, ...values };
  }

  lag(lagMs: number): void {
    this.#all.lagSeconds = Math.max(0, Math.round(lagMs / 1000));
  }
}
