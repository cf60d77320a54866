/** Counters of scoring since its start. */
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
  };

  get all(): ScoringCounts {
    return { ...this.#all };
  }

  add(more: Partial<ScoringCounts>): void {
    for (const [kind, number] of Object.entries(more)) this.#all[kind as keyof ScoringCounts] += number;
  }

  lag(lagMs: number): void {
    this.#all.lagSeconds = Math.max(0, Math.round(lagMs / 1000));
  }
}
