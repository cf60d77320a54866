/**
 * How the rows of a name change when it becomes of another kind, or leaves the list. A draft changes in place what it added itself; to readers it
 * does not exist.
 */
import type { ListingReason } from '../../../model/detect/blocklist/selection.ts';

/** `passed`: an allowed name below a blocked one. `left-out`: it would be blocked, were it not allowed. */
export type MemberKind = 'blocked' | 'passed' | 'left-out';

export interface Membership {
  readonly kind: MemberKind;
  readonly reason: ListingReason;
}

export interface Member {
  /** The serial of the first version that has it. */
  readonly added: number;
  readonly kind: MemberKind;
}

/** `added` names the row. */
export type MemberWrite =
  | { readonly write: 'delete' | 'end' | 'restore'; readonly added: number }
  | { readonly write: 'rewrite'; readonly added: number; readonly membership: Membership }
  | { readonly write: 'insert'; readonly membership: Membership };

/** `removed`: the row that this draft has ended. `serial`: of the draft. */
export function memberWrites(
  serial: number,
  {
    before,
    removed,
    after,
  }: {
    readonly before: Member | undefined;
    readonly removed: Member | undefined;
    readonly after: Membership | undefined;
  },
): readonly MemberWrite[] {
  const writes: MemberWrite[] = [];
  const returns = removed !== undefined && removed.kind === after?.kind;
  if (before && before.added === serial) {
    if (after && !returns) writes.push({ write: 'rewrite', added: serial, membership: after });
    else writes.push({ write: 'delete', added: serial });
  } else if (before) writes.push({ write: 'end', added: before.added });
  if (returns) writes.push({ write: 'restore', added: removed.added });
  else if (after && before?.added !== serial) writes.push({ write: 'insert', membership: after });
  return writes;
}
