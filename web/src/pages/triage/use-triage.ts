/** The state of Triage: which domains are listed in which order, which one is current, which are selected. */
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { TriageFilter } from '../../../../src/http/web/detect/filter-wire.ts';
import { decisionsAnswered } from '../../data/decide.ts';
import {
  type Cluster,
  clustersKey,
  type Domain,
  domainsKey,
  readCluster,
  readDomains,
  useClusters,
  useDomains,
} from '../../data/detect.ts';
import { moves } from '../../data/moves.ts';
import { useStore } from '../../data/store.ts';
import { showToast } from '../../data/toasts.ts';
import { arrivals } from '../../data/use-live-events.ts';
import { clusterWords } from '../../words/triage.ts';
import { likeTogether } from './like-together.ts';
import { type Grouping, listLines, listRows, picturesFirst } from './list-lines.ts';
import { listOf, sortOf } from './triage-search.ts';
import { useAddress, useCursorInAddress } from './use-address.ts';

interface Cursor {
  readonly id: string | undefined;
  readonly index: number;
}

/** Ids of selected domains, or all that match the filter. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly all: boolean;
  /** Where a range starts. */
  readonly anchor: string | undefined;
}

const nothing: Selection = { ids: new Set(), all: false, anchor: undefined };

export function useTriage() {
  const client = useQueryClient();
  const { search, change, filter, filterText } = useAddress();
  const list = listOf(search);
  const sort = sortOf(search);
  const query = useDomains(filter, sort);
  const moved = useStore(moves);
  const [gathered, setGathered] = useState<Grouping>();
  const grouping = useGrouping(filter, search.group === 'cluster', gathered);
  const [cursor, setCursor] = useState<Cursor>({ id: search.at, index: 0 });
  const [selection, setSelection] = useState<Selection>(nothing);

  const loaded = useMemo(() => {
    const pages = query.data?.pages.map(({ domains }) => domains) ?? [];
    return (sort === 'risk' ? pages.map(likeTogether) : pages).flat();
  }, [query.data, sort]);
  const listed = useMemo(() => listRows(loaded, list, moved, grouping), [loaded, list, moved, grouping]);
  const isWall = search.view === 'wall';
  const rows = useMemo(
    () => (isWall && !grouping ? picturesFirst(listed) : listed),
    [isWall, grouping, listed],
  );
  const lines = useMemo(() => listLines(rows, grouping), [rows, grouping]);
  const indexes = useMemo(() => new Map(rows.map(({ id }, index) => [id, index])), [rows]);
  // Where the current domain has left the list, the next one takes its position.
  const index = Math.min(indexes.get(cursor.id ?? '') ?? cursor.index, rows.length - 1);
  const current: Domain | undefined = rows[index];
  useCursorInAddress(current?.id, search, change);

  const clearSelection = useCallback(() => {
    setSelection(nothing);
    setGathered(undefined);
  }, []);
  const [shownFor, setShownFor] = useState(filterText);
  if (shownFor !== filterText) {
    setShownFor(filterText);
    setCursor({ id: search.at, index: 0 });
    clearSelection();
  }

  const moveTo = useCallback(
    (next: number) => {
      const at = Math.max(0, Math.min(rows.length - 1, next));
      setCursor({ id: rows[at]?.id, index: at });
    },
    [rows],
  );
  const focusOn = useCallback((id: string) => setCursor((before) => ({ ...before, id })), []);
  /** Before rows leave: the cursor keeps its position, not its domain. */
  const holdPosition = useCallback(() => setCursor({ id: undefined, index }), [index]);

  const toggle = useCallback((id: string) => {
    setSelection(({ ids }) => {
      const next = new Set(ids);
      if (!next.delete(id)) next.add(id);
      return { ids: next, all: false, anchor: id };
    });
  }, []);
  const selectRange = useCallback(() => {
    if (!current) return;
    setSelection((before) => {
      const from = indexes.get(before.anchor ?? current.id) ?? index;
      const range = rows.slice(Math.min(from, index), Math.max(from, index) + 1).map(({ id }) => id);
      return { ids: new Set([...before.ids, ...range]), all: false, anchor: current.id };
    });
  }, [current, index, indexes, rows]);
  const selectAll = useCallback(
    () => setSelection((before) => (before.all ? nothing : { ...nothing, all: true })),
    [],
  );

  const gather = useCallback(
    (ids: readonly string[], shared: Cluster['shared'], others: readonly Domain[]) => {
      setGathered({ groups: [{ ids: new Set(ids), shared }], others });
      setSelection({ ids: new Set(ids), all: false, anchor: undefined });
      setCursor({ id: undefined, index: 0 });
    },
    [],
  );
  const gatherCluster = useCallback(async () => {
    if (!current) return;
    const { shared, ids } = await readCluster(current.id, filter);
    if (ids.length < 2) {
      showToast({ text: clusterWords.none });
      return;
    }
    gather(ids, shared, await readDomains(filter, ids.filter((id) => !indexes.has(id)).slice(0, 500)));
  }, [current, filter, gather, indexes]);

  const refresh = useCallback(async () => {
    arrivals.set(0);
    await decisionsAnswered();
    const key = [...domainsKey, filter, sort];
    client.setQueryData(
      key,
      (before: typeof query.data) =>
        before && { pages: before.pages.slice(0, 1), pageParams: before.pageParams.slice(0, 1) },
    );
    await client.invalidateQueries({ queryKey: key });
    await client.invalidateQueries({ queryKey: clustersKey });
    moves.set(new Map());
  }, [client, filter, sort]);
  useEffect(() => arrivals.set(0), [filterText]);

  /** Decided about, so that they have left. */
  const hidden = useMemo(() => {
    const known = new Set([...loaded, ...(grouping?.others ?? [])].map(({ id }) => id));
    return [...known].filter((id) => !indexes.has(id)).length;
  }, [loaded, grouping, indexes]);
  const first = query.data?.pages[0];
  return {
    search,
    change,
    filter,
    list,
    sort,
    query,
    rows,
    lines,
    index,
    current,
    selection,
    gathered,
    first,
    total: Math.max(rows.length, (first?.total ?? 0) - hidden),
    moveTo,
    focusOn,
    holdPosition,
    toggle,
    selectRange,
    selectAll,
    clearSelection,
    gather,
    gatherCluster,
    refresh,
  };
}

/** The cluster that was gathered last, or the whole list in clusters. */
function useGrouping(
  filter: TriageFilter,
  inClusters: boolean,
  gathered: Grouping | undefined,
): Grouping | undefined {
  const { data } = useClusters(filter, inClusters);
  const clusters = useMemo(
    () =>
      data && {
        groups: data.clusters.map(({ ids, shared }) => ({ ids: new Set(ids), shared })),
        others: data.others,
      },
    [data],
  );
  return gathered ?? (inClusters ? clusters : undefined);
}

export type TriageState = ReturnType<typeof useTriage>;

/** What does not change with the cursor. */
export type TriageView = Pick<TriageState, 'search' | 'change' | 'list' | 'sort' | 'total' | 'first'>;

export function useTriageView({ search, change, list, sort, total, first }: TriageState): TriageView {
  return useMemo(
    () => ({ search, change, list, sort, total, first }),
    [search, change, list, sort, total, first],
  );
}
