/** Counts how domains were decided, by what they have in common. */
import type { DecidedCount, DecidedDomain } from '../../../model/detect/suggestion.ts';

export class DecidedCounts {
  readonly #counts = new Map<string, { kept: number; escalated: number; ignored: number }>();

  add(value: string, { state, isEscalated }: DecidedDomain): void {
    let count = this.#counts.get(value);
    if (!count) {
      count = { kept: 0, escalated: 0, ignored: 0 };
      this.#counts.set(value, count);
    }
    if (state === 'ignored') count.ignored += 1;
    else count.kept += 1;
    if (isEscalated) count.escalated += 1;
  }

  get(value: string): DecidedCount {
    return this.#counts.get(value) ?? { kept: 0, escalated: 0, ignored: 0 };
  }

  /** Those with the most decisions, in this order; equal ones by value. */
  list(limit: number): readonly (DecidedCount & { readonly value: string })[] {
    return Array.from(this.#counts, ([value, count]) => ({ value, ...count }))
      .sort((one, other) => decisionsOf(other) - decisionsOf(one) || (one.value < other.value ? -1 : 1))
      .slice(0, limit);
  }
}

export function decisionsOf({ kept, ignored }: DecidedCount): number {
  return kept + ignored;
}

/** The share of decided domains that were worth attention: from 0 to 1. */
export function precisionOf(count: DecidedCount): number {
  return count.kept / decisionsOf(count);
}
