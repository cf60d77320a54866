/** What edits of investigations change, and their bounds: the same in every adapter. */
import { dayMs } from '../../model/durations.ts';
import { type InvestigationHead, investigationLimits } from '../../model/investigation/investigation.ts';
import { Problem } from '../../model/problem.ts';
import type {
  ChangedMember,
  ChangeKind,
  Edit,
  EditOutcome,
  InvestigationChange,
} from './investigation-store.ts';

/** Of each investigation; who comes back after more than these reads it anew. */
export const changesKept = 200;
export const removalsKeptMs = 7 * dayMs;

export interface AppliedEdit {
  readonly what: ChangeKind;
  readonly ids: readonly string[];
  readonly members: readonly ChangedMember[];
  /** It is private, and was. */
  readonly concernsOwnerOnly: boolean;
}

export type Applied = AppliedEdit | 'unchanged' | 'no-node' | 'no-item';
export type EditOf<Kind extends Edit['kind']> = Extract<Edit, { kind: Kind }>;

export function appliedTo(
  { sharing }: InvestigationHead,
  what: ChangeKind,
  ids: readonly string[] = [],
  members: readonly ChangedMember[] = [],
): AppliedEdit {
  return { what, ids, members, concernsOwnerOnly: sharing === 'private' };
}

/** Of an edit that makes none. */
export function outcomeWithoutVersion(applied: Exclude<Applied, AppliedEdit>, version: number): EditOutcome {
  if (applied === 'unchanged') return { kind: 'applied', version, ids: [] };
  return { kind: 'missing', what: applied === 'no-node' ? 'node' : 'item' };
}

/** `changes`: those since the version that the edit was based on that are still kept. */
export function conflictOf(
  { version }: InvestigationHead,
  basedOn: number,
  changes: readonly InvestigationChange[],
): EditOutcome {
  return { kind: 'conflict', version, changes, complete: changes.length === version - basedOn };
}

export function changedMembers(
  head: InvestigationHead,
  edit: EditOf<'change'>,
): readonly ('name' | 'note' | 'sharing')[] {
  const members = ['name', 'note', 'sharing'] as const;
  return members.filter((member) => edit[member] !== undefined && edit[member] !== head[member]);
}

/** The members of a search that differ, and all of them as they are afterwards. */
export function changedNode(
  before: { readonly note: string; readonly star: boolean },
  { note = before.note, star = before.star }: EditOf<'change-node'>,
) {
  const members: ChangedMember[] = [];
  if (note !== before.note) members.push('note');
  if (star !== before.star) members.push('star');
  return { members, note, star };
}

/** Of an investigation with the edit in it, which is not committed yet. */
export function checkBounds(size: {
  readonly nodes: number;
  readonly items: number;
  readonly bytes: number;
}): void {
  const { nodes, items, contentBytes } = investigationLimits;
  if (size.nodes > nodes) throw tooMuch(`${nodes} searches`);
  if (size.items > items) throw tooMuch(`${items} findings`);
  if (size.bytes > contentBytes) throw tooMuch(`${contentBytes} bytes of searches and notes`);
}

/** Of an account that is about to get one more. */
export function checkRoom(investigations: number): void {
  if (investigations < investigationLimits.perAccount) return;
  throw new Problem(
    'conflict',
    `The account has ${investigationLimits.perAccount} investigations, and no more are allowed. Delete one first.`,
  );
}

function tooMuch(limit: string): Problem {
  return new Problem(
    'conflict',
    `An investigation has at most ${limit}. Remove something, or begin another one.`,
  );
}
