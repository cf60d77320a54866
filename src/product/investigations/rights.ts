/** What a person may do with an investigation, by its sharing and the permissions of the person. */

import type { Caller } from '../../model/account/account.ts';
import { permits } from '../../model/account/permission.ts';
import type {
  Investigation,
  InvestigationHead,
  SearchNode,
} from '../../model/investigation/investigation.ts';
import { Problem } from '../../model/problem.ts';
import type { Edit } from '../../store/desk/investigation-store.ts';

export interface Rights {
  /** Add searches and findings, and write notes. */
  readonly add: boolean;
  /** Rename it, and remove what others have added. */
  readonly remove: boolean;
  /** Share it, and delete the whole. */
  readonly manage: boolean;
}

/** A private one of somebody else is indistinguishable from one that does not exist, for administrators too. */
export function mayView(head: InvestigationHead, { account, user }: Caller): boolean {
  return head.accountId === account.id && (head.sharing !== 'private' || head.owner.id === user.id);
}

export function rightsOf({ owner, sharing }: InvestigationHead, { user }: Caller): Rights {
  if (!permits(user.permissions, 'triage')) return { add: false, remove: false, manage: false };
  const manage = owner.id === user.id || permits(user.permissions, 'admin');
  const remove = manage || sharing === 'delete';
  return { add: remove || sharing === 'add', remove, manage };
}

/** Throws `permission-denied`. */
export function requireRight(edit: Edit, investigation: Investigation, caller: Caller): void {
  const fault = faultOf(edit, investigation, caller);
  if (fault !== undefined) throw new Problem('permission-denied', fault);
}

function faultOf(edit: Edit, investigation: Investigation, caller: Caller): string | undefined {
  const rights = rightsOf(investigation, caller);
  const { owner } = investigation;
  switch (edit.kind) {
    case 'remove':
      return rights.manage
        ? undefined
        : `Only ${owner.name} and administrators may delete this investigation.`;
    case 'change':
      if (edit.sharing !== undefined && !rights.manage)
        return `Only ${owner.name} and administrators may share this investigation.`;
      if (edit.name !== undefined && !rights.remove)
        return `Only ${owner.name} may rename this investigation.`;
      return rights.add ? undefined : viewOnly(owner.name);
    case 'remove-node':
      return rights.remove || (rights.add && isOwnBranch(edit.id, investigation, caller))
        ? undefined
        : 'You may remove what you have added yourself, and others have added here too.';
    case 'remove-item': {
      const item = investigation.items.find(({ id }) => id === edit.id);
      const isOwn = item === undefined || item.by === caller.user.username;
      return rights.remove || (rights.add && isOwn)
        ? undefined
        : 'You may remove what you have added yourself.';
    }
    default:
      return rights.add ? undefined : viewOnly(owner.name);
  }
}

const viewOnly = (owner: string) => `You may view this investigation; ${owner} can let you add to it.`;

/** The search and all below it. */
function isOwnBranch(id: string, { nodes }: Investigation, { user }: Caller): boolean {
  return branchOf(id, nodes).every(({ by }) => by === user.username);
}

/** Parents come before their children, so one pass is enough. */
export function branchOf(id: string, nodes: readonly SearchNode[]): readonly SearchNode[] {
  const ids = new Set([id]);
  return nodes.filter((node) => {
    const isIn = ids.has(node.id) || (node.parentId !== undefined && ids.has(node.parentId));
    if (isIn) ids.add(node.id);
    return isIn;
  });
}
