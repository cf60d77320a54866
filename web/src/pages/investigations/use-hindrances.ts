/** Why the person may not change an investigation: undefined where they may. */
import type { Investigation } from '../../data/investigation/investigations.ts';
import { useMissing } from '../../data/me.ts';
import { spelledOut } from '../../data/unseen.ts';
import { rightWords as words } from '../../words/investigations.ts';

export interface Hindrances {
  readonly add: string | undefined;
  readonly manage: string | undefined;
  /** Of a search or a finding. */
  readonly remove: (added: { readonly own: boolean }) => string | undefined;
}

export function useHindrances({ may, by }: Pick<Investigation, 'may' | 'by'>): Hindrances {
  const missing = useMissing('triage');
  const owner = spelledOut(by);
  const add = may.add ? undefined : (missing ?? words.viewOnly(owner));
  return {
    add,
    manage: may.manage ? undefined : (missing ?? words.ownerOnly(owner)),
    remove: ({ own }) => (may.remove || (may.add && own) ? undefined : (add ?? words.notYours)),
  };
}
