/** What scoring has done since its start. */
import type { ScoredCounts } from './score-domains.ts';

export interface ScoringCounts extends ScoredCounts {
  /** Domains that were to be scored again because of a known bad one. */
  readonly neighbours: number;
  /** Lines of the feed of risky domains, and of the hotlist. */
  readonly told: number;
  readonly hot: number;
  /** How old the changes of records are that are being followed. */
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
    told: 0,
    hot: 0,
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
