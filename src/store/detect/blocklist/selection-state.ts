/** Where a selection stands between two versions. */
import type { SelectionRules } from '../../../model/detect/blocklist/selection.ts';
import type { BlocklistSelection } from '../blocklist-store.ts';
import type { StoredFlag } from '../rows/stored-json.ts';

/** Kept of each selection; those who have an older one get the whole list. */
export const versionsMax = 1000;

/** Selects nothing. */
export const noRules: SelectionRules = { blocked: false, tags: [], monitorIds: [] };

/** Whether the rules depend on more than what is blocked. */
export function isWide({ newScoreMin, tags, monitorIds }: SelectionRules): boolean {
  return newScoreMin !== undefined || tags.length + monitorIds.length > 0;
}

export interface SelectionState {
  /** Of the latest version; 0 until there is one. */
  readonly serial: number;
  /** Of the version that is being made; null: none is. */
  readonly draft: number | null;
  /** All names up to this one are evaluated by the present rules; null: all are. */
  readonly filled: string | null;
}

/** The serial of the version that is being made, or of the next one. */
export function draftSerial({ serial, draft }: SelectionState, nowMs: number): number {
  return draft ?? Math.max(serial + 1, Math.floor(nowMs / 1000));
}

/** Whether a version is to be published. The first version of a list may be an empty one. */
export function isDue({ serial, draft, filled }: SelectionState): boolean {
  return filled === null && (draft !== null || serial === 0);
}

export interface SelectionRow extends SelectionState {
  readonly number: number;
  readonly name: string;
  readonly rules: SelectionRules;
  readonly deleted: StoredFlag;
  readonly created_by: string;
  readonly created_ms: number;
  /** Names that block and names that the allow list leaves out, the draft included. */
  readonly blocked: number;
  readonly left_out: number;
}

/** A deleted one is still emptied. */
export function isAlive({ deleted, filled, blocked, left_out }: SelectionRow): boolean {
  return !deleted || filled !== null || blocked + left_out > 0;
}

export function selectionOf(row: SelectionRow): BlocklistSelection {
  return {
    name: row.name,
    rules: row.rules,
    createdBy: row.created_by,
    createdMs: row.created_ms,
    serial: row.serial,
    blocked: row.blocked,
    leftOut: row.left_out,
  };
}
