/** Which list Triage shows, and how: the next list, the filter by name, facets, clusters. */
import { type TriageList, triageLists } from '../../../model/triage/triage-lists.ts';
import { counted } from '../../output.ts';
import { actionOf, cursorMoves } from './action-of-key.ts';
import { groupingOf } from './clusters.ts';
import type { SessionPort } from './domain-actions.ts';
import { type FacetName, type FacetValue, facets, isCounted } from './facets.ts';
import { edited } from './text-entry.ts';
import type { ListQuery, TriageRow } from './triage-api.ts';
import { type FacetsMode, said, type TriageState } from './triage-state.ts';

export interface ListPort extends SessionPort {
  /** Reads a list from its beginning. */
  readonly open: (query: ListQuery) => void;
}

const searchMax = 255;
/** Members of clusters that are read besides the rows that are loaded. */
const othersMax = 3000;
const valuesPerPage = 10;

export class ListActions {
  readonly #port: ListPort;

  constructor(port: ListPort) {
    this.#port = port;
  }

  openList(by: number): void {
    const { search, facets: chosen, list } = this.#port.state();
    const at = triageLists.indexOf(list) + by + triageLists.length;
    const next: TriageList = triageLists[at % triageLists.length] ?? 'new';
    this.#port.open({ list: next, search, facets: chosen });
  }

  typeSearch(text: string, key: string): void {
    const { state, set, open } = this.#port;
    const mode = (next: string) => ({ kind: 'search', text: next.slice(0, searchMax) }) as const;
    if (key === 'Enter') open({ ...state(), search: text.trim() });
    else if (key === 'Escape') set({ ...state(), mode: { kind: 'list' } });
    else set({ ...state(), mode: mode(edited(text, key)) });
  }

  /** False where there is no condition left. */
  widen(): boolean {
    const { state, open } = this.#port;
    const { search, facets: chosen } = state();
    if (search !== '') open({ ...state(), search: '' });
    else if (Object.keys(chosen).length > 0) open({ ...state(), facets: {} });
    else return false;
    return true;
  }

  beginFacets(by?: FacetName): void {
    const { state, set, api } = this.#port;
    const at = by === undefined ? 0 : 1 + api.offered.indexOf(by);
    set({
      ...state(),
      message: undefined,
      mode: { kind: 'facets', offered: api.offered, by: undefined, values: undefined, more: false, at },
    });
  }

  typeFacets(mode: FacetsMode, key: string): void {
    const { state, set } = this.#port;
    const action = actionOf.get(key);
    const count = 1 + (mode.by === undefined ? mode.offered.length : (mode.values?.length ?? 0));
    const move = action && cursorMoves(valuesPerPage)[action];
    if (move) {
      const at = Math.max(0, Math.min(count - 1, move(mode.at, count)));
      set({ ...state(), mode: { ...mode, at } });
    } else if (action === 'card' || key === 'ArrowRight') this.#choose(mode);
    else if (action === 'facets' || (action === 'escape' && mode.by === undefined))
      set({ ...state(), mode: { kind: 'list' } });
    else if (action === 'escape' || key === 'ArrowLeft') this.beginFacets(mode.by);
  }

  #choose({ by, at, offered, values = [] }: FacetsMode): void {
    const { state, open } = this.#port;
    const name = by ?? offered[at - 1];
    if (name === undefined) return open({ ...state(), facets: {} });
    if (by === undefined) return this.#showValues(name);
    const { [by]: _before, ...others } = state().facets;
    const value = values[at - 1];
    open({ ...state(), facets: value ? { ...others, [by]: value } : others });
  }

  #showValues(by: FacetName): void {
    const { api, state, set, enqueue, explain } = this.#port;
    const show = (values: readonly FacetValue[] | undefined, more: boolean) => {
      const own = values?.findIndex(({ value }) => value === state().facets[by]?.value) ?? -1;
      const mode = { kind: 'facets', offered: api.offered, by, values, more, at: own + 1 } as const;
      set({ ...state(), mode });
    };
    if (!isCounted(by)) return show(facets[by].values ?? [], false);
    show(undefined, false);
    // What somebody went on to meanwhile is left alone.
    const { mode } = state();
    enqueue(async () => {
      try {
        const { values, more } = await api.facets(state(), by);
        if (state().mode === mode) show(values, more);
      } catch (error) {
        const list = state().mode === mode ? ({ ...state(), mode: { kind: 'list' } } as const) : state();
        set(said(list, `The values could not be counted: ${explain(error)}`, true));
      }
    });
  }

  toggleClusters(): void {
    const { state, set } = this.#port;
    if (state().isGrouped)
      return set({ ...state(), isGrouped: false, grouping: undefined, message: undefined });
    set(said({ ...state(), isGrouped: true }, 'Searching for what belongs together …'));
    this.readClusters(true);
  }

  /** Members that are not loaded yet are read with them. `isAsked`: by a key, and how many there are is said. */
  readClusters(isAsked: boolean): void {
    const { api, state, set, enqueue, explain } = this.#port;
    enqueue(async () => {
      const asked = state();
      if (!asked.isGrouped) return;
      try {
        const clusters = await api.clusters(asked);
        const loaded = new Set(state().rows.map(({ id }) => id));
        const missing = clusters
          .flatMap(({ watchlist_domain_ids: ids }) => ids)
          .filter((id) => !loaded.has(id));
        const others = await api.readRows(asked, missing.slice(0, othersMax));
        if (!isSameList(asked, state())) return;
        const rows = withRows(state().rows, others);
        const grouped = { ...state(), grouping: groupingOf(clusters), rows };
        set(isAsked ? said(grouped, clustersText(clusters.length)) : grouped);
      } catch (error) {
        const ungrouped = { ...state(), isGrouped: false, grouping: undefined };
        set(said(ungrouped, `The list was not grouped: ${explain(error)}`, true));
      }
    });
  }
}

function clustersText(count: number): string {
  return count === 0
    ? 'No domains of this list share anything specific.'
    : `${counted(count, 'cluster')}. Shift-C shows the list as it was.`;
}

function isSameList(one: TriageState, other: TriageState): boolean {
  return (
    other.isGrouped && one.list === other.list && one.search === other.search && one.facets === other.facets
  );
}

/** Each once. */
export function withRows(rows: readonly TriageRow[], more: readonly TriageRow[]): readonly TriageRow[] {
  const known = new Set(rows.map(({ id }) => id));
  return [...rows, ...more.filter(({ id }) => !known.has(id))];
}
