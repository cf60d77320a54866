import { Link } from '@tanstack/react-router';
import { Ban, Eye, EyeOff, Send, Undo2 } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useCounts } from '../../data/detect.ts';
import { useMissing } from '../../data/me.ts';
import { request } from '../../data/request.ts';
import { useStore } from '../../data/store.ts';
import { arrivals } from '../../data/use-live-events.ts';
import { Empty, Failure, Skeletons } from '../../parts/region.tsx';
import { Text } from '../../parts/text.tsx';
import { useStable } from '../../parts/use-stable.ts';
import { useTitle } from '../../parts/use-title.ts';
import { Card } from './card.tsx';
import { defanged } from './decision-messages.tsx';
import { Assign, ConfirmAll } from './dialogs.tsx';
import { ActiveFilters, ClassChips, FacetDrawer } from './facets.tsx';
import { ListView, termOf } from './list-view.tsx';
import { TriageBar } from './triage-bar.tsx';
import { useTriageKeys } from './triage-keys.ts';
import { hasFilter, withoutFilters } from './triage-search.ts';
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
  const [assigning, setAssigning] = useState(false);
  const cannotTriage = useMissing('triage');
  const cannotEscalate = useMissing('escalate');
  useTitle(`Triage (${triage.total})`);
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
    writeNote: () => {
      if (!search.card) openNow();
      setTimeout(() => noteField.current?.focus(), search.card ? 0 : 300);
    },
    assign: () => current && setAssigning(true),
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
      <section className="queue" aria-label="Domains">
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
            <Failure error={query.error} what="The list" retry={() => void query.refetch()} />
          ) : query.isPending ? (
            <Skeletons count={14} label="the list" />
          ) : rows.length === 0 ? (
            <NothingLeft triage={triage} />
          ) : (
            view
          )}
        </div>
        <Toolbar
          triage={triage}
          decisions={decisions}
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
          assign={() => setAssigning(true)}
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
      {assigning && current && <Assign domain={current} close={() => setAssigning(false)} />}
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

const announceMs = 10_000;

function Arrivals({ refresh }: { refresh: () => void }) {
  const count = useStore(arrivals);
  const [said, setSaid] = useState('');
  const lastMs = useRef(0);
  useEffect(() => {
    if (count === 0 || Date.now() - lastMs.current < announceMs) return;
    lastMs.current = Date.now();
    setSaid(`${count} new domains. Press n to show them.`);
  }, [count]);
  return (
    <>
      <span className="sr" aria-live="polite">
        {said}
      </span>
      {count > 0 && (
        <button type="button" className="arrivals" onClick={refresh}>
          {count.toLocaleString('en')} new <kbd>n</kbd>
        </button>
      )}
    </>
  );
}

function NothingLeft({ triage: { search, list, change } }: { triage: TriageState }) {
  const monitors = useCounts().data?.monitors;
  if (hasFilter(search))
    return (
      <Empty title="No domain matches the filter">
        <button type="button" onClick={() => change(withoutFilters)}>
          Clear the filter
        </button>
      </Empty>
    );
  if (monitors?.length === 0)
    return (
      <Empty title="Nothing is monitored yet">
        <p>
          A monitor is a term that you protect, such as the name of a brand. Names that resemble it appear
          here.
        </p>
      </Empty>
    );
  if (list !== 'new') return <Empty title={`No domain is ${list}`} />;
  return (
    <Empty title="Nothing left to decide">
      <p>New lookalikes appear here as they are found.</p>
      <Link to="/triage" search={{ s: 'changed' }} className="button">
        Show what has changed
      </Link>
    </Empty>
  );
}

interface ToolbarProps {
  readonly triage: TriageState;
  readonly decisions: ReturnType<typeof useDecisions>;
  readonly cannotTriage: string | undefined;
  readonly cannotEscalate: string | undefined;
}

/** The same actions as the keys. */
function Toolbar({
  triage: { selection, current, first, clearSelection, list },
  decisions,
  cannotTriage,
  cannotEscalate,
}: ToolbarProps) {
  const count = selection.all ? (first?.total ?? 0) : selection.ids.size;
  const isIdle = count === 0 && current === undefined;
  return (
    <div className={count > 0 ? 'actions many' : 'actions'} role="toolbar" aria-label="Decide">
      <span className="subject">
        {count > 0
          ? `${selection.all ? 'All ' : ''}${count.toLocaleString('en')} selected`
          : current && <Text of={defanged(current)} />}
      </span>
      {count > 0 && (
        <button type="button" className="ghost" onClick={clearSelection}>
          Clear <kbd>Esc</kbd>
        </button>
      )}
      <button
        type="button"
        className="ghost optional"
        disabled={cannotTriage !== undefined}
        title={cannotTriage}
        onClick={() => void decisions.undo()}
      >
        <Undo2 size={15} aria-hidden /> Undo <kbd>u</kbd>
      </button>
      {list !== 'watched' && (
        <button
          type="button"
          disabled={isIdle || cannotTriage !== undefined}
          title={cannotTriage}
          onClick={() => decisions.choose('watched')}
        >
          <Eye size={15} aria-hidden /> Watch <kbd>w</kbd>
        </button>
      )}
      {list !== 'ignored' && (
        <button
          type="button"
          disabled={isIdle || cannotTriage !== undefined}
          title={cannotTriage}
          onClick={() => decisions.choose('ignored')}
        >
          <EyeOff size={15} aria-hidden /> Ignore <kbd>i</kbd>
        </button>
      )}
      {list !== 'blocked' && (
        <button
          type="button"
          className="danger"
          disabled={isIdle || cannotEscalate !== undefined}
          title={cannotEscalate}
          onClick={() => decisions.choose('blocked')}
        >
          <Ban size={15} aria-hidden /> Block <kbd>b</kbd>
        </button>
      )}
      <button
        type="button"
        className="optional"
        disabled={isIdle || cannotEscalate !== undefined}
        title={cannotEscalate ?? 'Submit to the safe-browsing service'}
        onClick={() => decisions.choose('external_safe')}
      >
        <Send size={15} aria-hidden /> Submit <kbd>e</kbd>
      </button>
    </div>
  );
}
