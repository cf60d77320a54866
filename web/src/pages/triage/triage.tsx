import { useCallback, useEffect, useRef, useState } from 'react';
import { useMissing } from '../../data/me.ts';
import { request } from '../../data/request.ts';
import { Failure, Skeletons } from '../../parts/region.tsx';
import { useStable } from '../../parts/use-stable.ts';
import { useTitle } from '../../parts/use-title.ts';
import { triageWords as words } from '../../words/triage.ts';
import { Card } from './card.tsx';
import { ConfirmAll, OpenDialog, type TriageDialog } from './dialogs.tsx';
import { ActiveFilters, ClassChips, FacetDrawer } from './facets.tsx';
import { Arrivals, NothingLeft } from './list-states.tsx';
import { ListView, termOf } from './list-view.tsx';
import { Toolbar } from './toolbar.tsx';
import { TriageBar } from './triage-bar.tsx';
import { useTriageKeys } from './triage-keys.ts';
import { useDecisions } from './use-decisions.ts';
import { type TriageState, useTriage, useTriageView } from './use-triage.ts';
import { WallView } from './wall-view.tsx';

export function Triage() {
  const triage = useTriage();
  const fixed = useTriageView(triage);
  const decisions = useDecisions(triage);
  const { search, change, current, query, first, rows } = triage;
  const filterField = useRef<HTMLInputElement>(null);
  const noteField = useRef<HTMLTextAreaElement>(null);
  const columns = useRef(1);
  const [dialog, setDialog] = useState<TriageDialog>();
  const cannotTriage = useMissing('triage');
  const cannotEscalate = useMissing('escalate');
  useTitle(words.titleWith(triage.total));
  useVisit(triage);

  const openCard = useStable((index: number) => {
    triage.moveTo(index);
    const at = rows[index]?.id;
    change((before) => (at === undefined ? before : { ...before, at, card: true }), {
      push: search.card !== true,
    });
  });
  const closeCard = useCallback(() => change(({ card: _card, ...rest }) => rest), [change]);
  const toggleFacets = useCallback(
    () => change(({ facets, ...rest }) => (facets ? rest : { ...rest, facets: true })),
    [change],
  );
  const toggleView = useCallback(
    () => change(({ view, ...rest }) => (view ? rest : { ...rest, view: 'wall' })),
    [change],
  );
  const toggleClusters = useCallback(
    () => change(({ group, ...rest }) => (group ? rest : { ...rest, group: 'cluster' })),
    [change],
  );
  const openNow = () => openCard(triage.index);
  useTriageKeys({
    triage,
    decisions,
    cannotTriage,
    cannotEscalate,
    columns: () => columns.current,
    toggleCard: () => (search.card ? closeCard() : openNow()),
    toggleFacets,
    toggleView,
    toggleClusters,
    writeNote: () => {
      if (!search.card) openNow();
      setTimeout(() => noteField.current?.focus(), search.card ? 0 : 300);
    },
    open: setDialog,
    focusFilter: () => filterField.current?.select(),
    escape: () => {
      if (
        document.activeElement instanceof HTMLElement &&
        document.activeElement.matches('input, textarea, select')
      )
        document.activeElement.blur();
      else if (triage.selection.all || triage.selection.ids.size > 0 || triage.gathered)
        triage.clearSelection();
      else if (search.card) closeCard();
      else if (search.facets) toggleFacets();
    },
  });

  const term = current && termOf(query.data?.pages, current.monitor_ids, first?.monitors ?? {});
  const showsCard = search.card === true && current !== undefined;
  const view =
    search.view === 'wall' ? (
      <WallView triage={triage} open={openCard} columns={columns} />
    ) : (
      <ListView triage={triage} open={openCard} />
    );
  return (
    <div className={`triage${showsCard ? ' with-card' : ''}${search.facets ? ' with-drawer' : ''}`}>
      {search.facets && <FacetDrawer triage={fixed} close={toggleFacets} />}
      <section className="queue" aria-label={words.domains}>
        <TriageBar
          triage={fixed}
          filterField={filterField}
          toggleView={toggleView}
          toggleFacets={toggleFacets}
        />
        <ClassChips triage={fixed} />
        <ActiveFilters triage={fixed} />
        <div className="list-area">
          <Arrivals refresh={() => void triage.refresh()} />
          {query.isError && rows.length === 0 ? (
            <Failure error={query.error} what={words.theList} retry={() => void query.refetch()} />
          ) : query.isPending ? (
            <Skeletons count={14} label={words.loadingList} />
          ) : rows.length === 0 ? (
            <NothingLeft triage={triage} />
          ) : (
            view
          )}
        </div>
        <Toolbar
          triage={triage}
          decisions={decisions}
          makePack={() => setDialog('pack')}
          cannotTriage={cannotTriage}
          cannotEscalate={cannotEscalate}
        />
      </section>
      {showsCard && (
        <Card
          key={current.id}
          domain={current}
          term={term}
          noteField={noteField}
          assign={() => setDialog('assign')}
          close={closeCard}
        />
      )}
      {decisions.confirming && (
        <ConfirmAll
          to={decisions.confirming}
          count={first?.total ?? 0}
          confirm={decisions.confirm}
          cancel={decisions.cancel}
        />
      )}
      {dialog && current && (
        <OpenDialog dialog={dialog} current={current} triage={triage} close={() => setDialog(undefined)} />
      )}
    </div>
  );
}

/** When this list was read last, so that the next visit can say what is new since. */
function useVisit({ list, first, search }: TriageState): void {
  const monitor = search.monitor?.length === 1 ? search.monitor[0] : undefined;
  const at = first?.as_of;
  useEffect(() => {
    if (at === undefined) return undefined;
    const leave = () => {
      const body = { list, at, ...(monitor === undefined ? {} : { monitor }) };
      request('PUT', '/me/looked', { body, keepalive: true, open: true }).catch(() => undefined);
    };
    addEventListener('pagehide', leave);
    return () => {
      removeEventListener('pagehide', leave);
      leave();
    };
  }, [list, monitor, at]);
}
