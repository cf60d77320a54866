/**
 * Whether a change of mine can be made although colleagues have changed the investigation since: it can where nobody has touched the same
 * thing. Otherwise the person decides.
 */
import type { ChangeView } from '../../../../src/http/web/investigation/investigation-wire.ts';

type Member = ChangeView['members'][number];

export type MyChange =
  | { readonly kind: 'change'; readonly members: readonly Member[] }
  | { readonly kind: 'remove' }
  | { readonly kind: 'change-node'; readonly id: string; readonly members: readonly Member[] }
  | { readonly kind: 'remove-node'; readonly id: string }
  | { readonly kind: 'change-item'; readonly id: string }
  | { readonly kind: 'remove-item'; readonly id: string };

type Theirs = Pick<ChangeView, 'what' | 'ids' | 'members'>;

export function conflictsWith(mine: MyChange, theirs: Theirs): boolean {
  if (theirs.what === 'investigation-removed') return true;
  const common = (members: readonly Member[]) => members.some((member) => theirs.members.includes(member));
  switch (mine.kind) {
    case 'remove':
      return true;
    case 'change':
      return theirs.what === 'investigation-changed' && common(mine.members);
    case 'change-node':
      if (!theirs.ids.includes(mine.id)) return false;
      return theirs.what === 'node-removed' || (theirs.what === 'node-changed' && common(mine.members));
    case 'remove-node':
      // What was added may be below it.
      return theirs.what === 'node-added' || (theirs.what === 'node-changed' && theirs.ids.includes(mine.id));
    case 'change-item':
    case 'remove-item':
      return /^item-(?:changed|removed)$/.test(theirs.what) && theirs.ids.includes(mine.id);
  }
}
