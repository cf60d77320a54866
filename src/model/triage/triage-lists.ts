/** The lists of Triage, and what leaves them. */
import type { DecisionTarget } from '../detect/watchlist.ts';

export const triageLists = ['new', 'changed', 'watched', 'ignored', 'blocked'] as const;
export type TriageList = (typeof triageLists)[number];

/** Whether a domain of this list is in it no longer after such a decision. */
export function leaves(list: TriageList, to: DecisionTarget): boolean {
  switch (list) {
    case 'new':
      return true;
    case 'changed':
    case 'watched':
      return to === 'ignored';
    case 'ignored':
      return to !== 'ignored';
    // Only undoing takes a domain off the blocklist.
    case 'blocked':
      return false;
  }
}
