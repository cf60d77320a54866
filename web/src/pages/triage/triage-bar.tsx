import { Link } from '@tanstack/react-router';
import { History, LayoutGrid, List, SlidersHorizontal } from 'lucide-react';
import { memo, type RefObject, useEffect, useState } from 'react';
import type { TriageSort } from '../../../../src/http/web/detect/filter-wire.ts';
import { useCounts } from '../../data/detect.ts';
import { number } from '../../words/language.ts';
import { listWords, triageWords as words } from '../../words/triage.ts';
import { defaultSort, lists, sorts } from './triage-search.ts';
import type { TriageView } from './use-triage.ts';

const typedMs = 200;

interface BarProps {
  readonly triage: TriageView;
  readonly filterField: RefObject<HTMLInputElement | null>;
  readonly toggleView: () => void;
  readonly toggleFacets: () => void;
}

export const TriageBar = memo(function TriageBar({
  triage,
  filterField,
  toggleView,
  toggleFacets,
}: BarProps) {
  const { search, change, list, sort, total, first } = triage;
  const isWall = search.view === 'wall';
  const fresh = first?.new_since_looked ?? 0;
  return (
    <div className="bar">
      <h1>
        {words.title}{' '}
        <span className="count" title={words.countHint}>
          {first ? number(total) : ''}
        </span>
      </h1>
      <Tabs triage={triage} />
      {fresh > 0 && (
        <span className="since" title={words.sinceVisitHint}>
          {words.sinceVisit(fresh)}
        </span>
      )}
      <div className="grow" />
      <NameFilter triage={triage} field={filterField} />
      <select
        aria-label={words.order}
        value={sort}
        onChange={({ target }) =>
          change(({ sort: _sort, at: _at, ...rest }) =>
            target.value === defaultSort(list) ? rest : { ...rest, sort: target.value as TriageSort },
          )
        }
      >
        {sorts.map((one) => (
          <option key={one} value={one}>
            {words.sorts[one]}
          </option>
        ))}
      </select>
      <button
        type="button"
        className="ghost"
        aria-label={words.facets}
        aria-expanded={search.facets === true}
        title={words.facetsHint}
        onClick={toggleFacets}
      >
        <SlidersHorizontal size={16} aria-hidden />
      </button>
      <button
        type="button"
        className="ghost"
        aria-label={isWall ? words.asList : words.asWall}
        title={isWall ? words.asListHint : words.asWallHint}
        onClick={toggleView}
      >
        {isWall ? <List size={16} aria-hidden /> : <LayoutGrid size={16} aria-hidden />}
      </button>
      <Link to="/decisions" className="button ghost" aria-label={words.decisions} title={words.decisionsHint}>
        <History size={16} aria-hidden />
      </Link>
    </div>
  );
});

function Tabs({ triage: { search, list } }: { triage: TriageView }) {
  const counts = useCounts().data?.lists;
  return (
    <nav className="tabs" aria-label={words.lists}>
      {lists.map((one) => (
        <Link
          key={one}
          to="/triage"
          search={{
            ...(one === 'new' ? {} : { s: one }),
            ...(search.view ? { view: search.view } : {}),
            ...(search.group ? { group: search.group } : {}),
            ...(search.card ? { card: search.card } : {}),
          }}
          aria-current={one === list ? 'page' : undefined}
          title={counts ? words.inAll(counts[one]) : undefined}
        >
          {listWords[one]}
        </Link>
      ))}
    </nav>
  );
}

/** Filters the whole list, not only the rows that are in the document, which is all that the browser's own search sees. */
function NameFilter({
  triage: { search, change },
  field,
}: {
  triage: TriageView;
  field: RefObject<HTMLInputElement | null>;
}) {
  const [typed, setTyped] = useState(search.q ?? '');
  const [applied, setApplied] = useState(search.q);
  if (applied !== search.q) {
    setApplied(search.q);
    if ((search.q ?? '') !== typed.trim()) setTyped(search.q ?? '');
  }
  useEffect(() => {
    const q = typed.trim();
    if (q === (search.q ?? '')) return undefined;
    const timer = setTimeout(
      () => change(({ q: _q, at: _at, ...rest }) => (q === '' ? rest : { ...rest, q })),
      typedMs,
    );
    return () => clearTimeout(timer);
  }, [typed, search.q, change]);
  return (
    <input
      ref={field}
      type="search"
      placeholder={words.filterNamesPlaceholder}
      aria-label={words.filterNames}
      title={words.filterNamesHint}
      maxLength={255}
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur();
      }}
    />
  );
}
