/**
 * What Triage shows, as a value, and how keys change it. Rows keep their order until the list is read again; what was decided is hidden at
 * once, and shown again if the server refuses it.
 */
import type { DecisionTarget } from '../../../model/detect/watchlist.ts';
import { leaves, type TriageList } from '../../../model/triage/triage-lists.ts';
import { type Grouping, inClusters } from './clusters.ts';
import type { ChosenFacets, FacetName, FacetValue } from './facets.ts';
import type { TriageDetail, TriageRow } from './triage-api.ts';

/** Text for some domains: those that were chosen when it began. */
export interface EntryMode {
  readonly kind: 'entry';
  readonly what: 'note' | 'assign' | 'tag';
  readonly text: string;
  readonly rows: readonly TriageRow[];
}

/** Attributes to narrow the list by, or the values of one. The first line, at 0, is `all`. */
export interface FacetsMode {
  readonly kind: 'facets';
  readonly offered: readonly FacetName[];
  readonly by: FacetName | undefined;
  /** Undefined until they are counted. */
  readonly values: readonly FacetValue[] | undefined;
  readonly more: boolean;
  readonly at: number;
}

export type Mode =
  | { readonly kind: 'list' }
  | EntryMode
  | FacetsMode
  | { readonly kind: 'help' }
  | { readonly kind: 'search'; readonly text: string }
  | { readonly kind: 'confirm'; readonly to: DecisionTarget; readonly typed: string };

export interface Message {
  readonly text: string;
  readonly isError: boolean;
}

export interface TriageState {
  readonly list: TriageList;
  readonly search: string;
  readonly facets: ChosenFacets;
  /** Whether the list is wanted in clusters; they are undefined until they are read. */
  readonly isGrouped: boolean;
  readonly grouping: Grouping | undefined;
  readonly rows: readonly TriageRow[];
  /** All that match, as counted for the first page. */
  readonly total: number;
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  /** Decisions that the rows do not know yet, by id. */
  readonly moves: ReadonlyMap<string, DecisionTarget>;
  readonly cursor: { readonly id: string | undefined; readonly index: number };
  readonly selected: ReadonlySet<string>;
  readonly isAllSelected: boolean;
  /** Where a range starts. */
  readonly anchor: string | undefined;
  /** Arrived since the list was read. */
  readonly arrivals: number;
  /** Why nothing arrives by itself; undefined while it does. */
  readonly notLive: string | undefined;
  readonly isCardOpen: boolean;
  readonly details: ReadonlyMap<string, TriageDetail | { readonly error: string }>;
  readonly mode: Mode;
  readonly message: Message | undefined;
}

export function initialState(list: TriageList, search: string, facets: ChosenFacets = {}): TriageState {
  return {
    list,
    search,
    facets,
    isGrouped: false,
    grouping: undefined,
    rows: [],
    total: 0,
    hasMore: false,
    isLoading: true,
    moves: new Map(),
    cursor: { id: undefined, index: 0 },
    selected: new Set(),
    isAllSelected: false,
    anchor: undefined,
    arrivals: 0,
    notLive: undefined,
    isCardOpen: false,
    details: new Map(),
    mode: { kind: 'list' },
    message: undefined,
  };
}

export function visibleRows({ rows, list, moves, grouping }: TriageState): readonly TriageRow[] {
  const shown = rows.filter(({ id }) => {
    const to = moves.get(id);
    return to === undefined || !leaves(list, to);
  });
  return grouping ? inClusters(shown, grouping) : shown;
}

/** Where the current domain has left the list, the next one takes its position; -1 in an empty list. */
export function currentIndex({ cursor }: TriageState, rows: readonly TriageRow[]): number {
  const at = cursor.id === undefined ? -1 : rows.findIndex(({ id }) => id === cursor.id);
  return Math.min(at >= 0 ? at : cursor.index, rows.length - 1);
}

export function currentRow(state: TriageState): TriageRow | undefined {
  const rows = visibleRows(state);
  return rows[currentIndex(state, rows)];
}

/** All that match less what has left since. */
export function remaining(state: TriageState): number {
  const shown = visibleRows(state).length;
  return Math.max(shown, state.total - (state.rows.length - shown));
}

export function movedTo(state: TriageState, to: (index: number, count: number) => number): TriageState {
  const rows = visibleRows(state);
  if (rows.length === 0) return state;
  const index = Math.max(0, Math.min(rows.length - 1, to(currentIndex(state, rows), rows.length)));
  return { ...state, cursor: { id: rows[index]?.id, index } };
}

export function toggled(state: TriageState): TriageState {
  const row = currentRow(state);
  if (!row) return state;
  const selected = new Set(state.selected);
  if (!selected.delete(row.id)) selected.add(row.id);
  return { ...state, selected, isAllSelected: false, anchor: row.id };
}

export function rangeSelected(state: TriageState): TriageState {
  const rows = visibleRows(state);
  const index = currentIndex(state, rows);
  const anchorAt = rows.findIndex(({ id }) => id === state.anchor);
  const from = anchorAt >= 0 ? anchorAt : index;
  const range = rows.slice(Math.min(from, index), Math.max(from, index) + 1).map(({ id }) => id);
  return {
    ...state,
    selected: new Set([...state.selected, ...range]),
    isAllSelected: false,
    anchor: rows[index]?.id,
  };
}

/** Selects these rows and puts them below the one that they belong to. */
export function gathered(state: TriageState, id: string, ids: readonly string[]): TriageState {
  const wanted = new Set(ids);
  const selected = visibleRows(state).filter((row) => row.id === id || wanted.has(row.id));
  const others = selected.filter((row) => row.id !== id);
  const moved = new Set(others);
  const rows = state.rows
    .filter((row) => !moved.has(row))
    .flatMap((row) => (row.id === id ? [row, ...others] : [row]));
  return {
    ...state,
    rows,
    selected: new Set(selected.map((row) => row.id)),
    isAllSelected: false,
    anchor: id,
    cursor: { ...state.cursor, id },
  };
}

export function allSelected(state: TriageState): TriageState {
  return { ...cleared(state), isAllSelected: !state.isAllSelected };
}

export function cleared(state: TriageState): TriageState {
  return { ...state, selected: new Set(), isAllSelected: false, anchor: undefined };
}

/** What a decision is about: everything loaded, the selection, or the current domain. */
export function chosenRows(state: TriageState): readonly TriageRow[] {
  const rows = visibleRows(state);
  if (state.isAllSelected) return rows;
  if (state.selected.size > 0) return rows.filter(({ id }) => state.selected.has(id));
  const row = currentRow(state);
  return row ? [row] : [];
}

/** Shown before the server has answered. Where the current domain leaves, the next one that stays is current. */
export function decided(state: TriageState, ids: readonly string[], to: DecisionTarget): TriageState {
  const before = visibleRows(state);
  const index = currentIndex(state, before);
  const moves = new Map([...state.moves, ...ids.map((id) => [id, to] as const)]);
  const next = { ...cleared(state), moves };
  const stay = new Set(visibleRows(next).map(({ id }) => id));
  const above = before.slice(0, Math.max(0, index)).filter(({ id }) => stay.has(id)).length;
  const id = before.slice(Math.max(0, index)).find((row) => stay.has(row.id))?.id;
  return { ...next, cursor: { id, index: above } };
}

/** Refused or undone: the rows are back, and the cursor is on the first of them. */
export function takenBack(state: TriageState, ids: readonly string[]): TriageState {
  const back = new Set(ids);
  const moves = new Map([...state.moves].filter(([id]) => !back.has(id)));
  const [first] = ids;
  return { ...state, moves, cursor: first === undefined ? state.cursor : { ...state.cursor, id: first } };
}

export function said(state: TriageState, text: string, isError = false): TriageState {
  return { ...state, message: { text, isError } };
}
