/** What a name is on the lists of an account: blocked, excepted, left out, or not on them. */
import type { SelectionRules } from '../../../model/detect/blocklist/selection.ts';
import { type Candidate, reasonToList } from './candidate.ts';
import type { Member, Membership } from './member-changes.ts';
import { namesAbove } from './reversed-name.ts';

/** What is known of names of the account. */
export interface NameFacts {
  candidate(name: string): Candidate;
  /** Whether the account has an allow list. */
  readonly hasAllowed: boolean;
  isAllowed(name: string): boolean;
  /** Allowed names below the name; not the name itself. */
  allowedBelow(name: string): readonly string[];
}

/** The names of selections as they are now, drafts included. */
export interface Members<Selection> {
  find(selection: Selection, name: string): Member | undefined;
  put(
    selection: Selection,
    name: string,
    change: { readonly before: Member | undefined; readonly after: Membership | undefined },
  ): void;
}

export function evaluateName<Selection extends { readonly rules: SelectionRules }>(
  selections: readonly Selection[],
  name: string,
  facts: NameFacts,
  members: Members<Selection>,
): void {
  const candidate = facts.candidate(name);
  const isCovered = facts.hasAllowed && [name, ...namesAbove(name)].some((one) => facts.isAllowed(one));
  const put = (selection: Selection, one: string, after: Membership | undefined) => {
    const before = members.find(selection, one);
    if (before?.kind === after?.kind) return [];
    members.put(selection, one, { before, after });
    return [before?.kind, after?.kind];
  };
  const membershipOf = (selection: Selection, one: string, of: Candidate, isAllowed: boolean) => {
    const isException = () =>
      facts.isAllowed(one) &&
      namesAbove(one).some((above) => members.find(selection, above)?.kind === 'blocked');
    return membership(reasonToList(of, selection.rules), isAllowed, isException);
  };
  for (const selection of selections) {
    const changed = put(selection, name, membershipOf(selection, name, candidate, isCovered));
    if (!facts.hasAllowed || !changed.includes('blocked')) continue;
    for (const below of facts.allowedBelow(name))
      put(selection, below, membershipOf(selection, below, facts.candidate(below), true));
  }
}

function membership(
  reason: Membership['reason'] | undefined,
  isAllowed: boolean,
  isException: () => boolean,
): Membership | undefined {
  if (!isAllowed) return reason && { kind: 'blocked', reason };
  if (isException()) return { kind: 'passed', reason: { source: 'allowed' } };
  return reason && { kind: 'left-out', reason };
}
