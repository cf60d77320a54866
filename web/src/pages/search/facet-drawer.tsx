import { X } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { foreign, plain } from '../../data/foreign.ts';
import { useCatalogue, useSearchFacets } from '../../data/search.ts';
import { Failure, Skeletons } from '../../parts/region.tsx';
import type { SearchQuery } from '../../query/search-query.ts';
import { facetWords as words } from '../../words/search.ts';
import { FacetList, nameOfColumn } from './facet-list.tsx';

interface FacetDrawerProps {
  readonly query: SearchQuery;
  readonly close: () => void;
  readonly element: RefObject<HTMLElement | null>;
}

/** The best ones come in one request; each of the others when it is opened. */
const openAtFirst = 5;

export function FacetDrawer({ query, close, element }: FacetDrawerProps) {
  const all = useCatalogue().data?.facets ?? [];
  const first = all.slice(0, openAtFirst);
  const facets = useSearchFacets(query, first, true);
  const keep = useKeptPlace(element, facets.isPlaceholderData ? undefined : facets.data);
  return (
    <aside
      ref={element}
      className="drawer search-facets"
      aria-label={words.title}
      tabIndex={-1}
      onKeyDown={moveBetween}
      onKeyDownCapture={keep}
    >
      <header>
        <h2>{words.title}</h2>
        <button type="button" className="ghost" aria-label={words.close} onClick={close}>
          <X size={18} aria-hidden />
        </button>
      </header>
      <p className="pale">{words.hint}</p>
      {facets.isError && (
        <Failure error={facets.error} what={words.what} retry={() => void facets.refetch()} />
      )}
      {facets.isPending && <Skeletons count={12} label={words.what} />}
      {facets.data?.too_many && <p className="pale">{words.tooMany}</p>}
      {facets.data?.facets.map((facet) => (
        <details key={plain(facet.by)} open>
          <summary>{nameOfColumn(facet.by)}</summary>
          <FacetList facet={facet} />
        </details>
      ))}
      {facets.data &&
        !facets.data.too_many &&
        all.slice(openAtFirst).map((by) => <FurtherFacet key={by} by={by} query={query} />)}
    </aside>
  );
}

function FurtherFacet({ by, query }: { by: string; query: SearchQuery }) {
  const [isOpen, setOpen] = useState(false);
  const facets = useSearchFacets(query, [by], isOpen);
  const [facet] = facets.data?.facets ?? [];
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{nameOfColumn(foreign(by))}</summary>
      {facets.isError && (
        <Failure error={facets.error} what={words.what} retry={() => void facets.refetch()} />
      )}
      {isOpen && facets.isPending && <Skeletons count={3} label={words.what} />}
      {facet && <FacetList facet={facet} />}
    </details>
  );
}

/** A value that was narrowed to or excluded may be gone from the list; then the one in its place has the focus. */
function useKeptPlace(element: RefObject<HTMLElement | null>, newest: unknown) {
  const place = useRef(-1);
  useEffect(() => {
    const at = place.current;
    if (newest === undefined || at < 0) return;
    place.current = -1;
    if (document.activeElement !== document.body || !element.current) return;
    const stops = stopsOf(element.current);
    stops[Math.min(at, stops.length - 1)]?.focus();
  }, [element, newest]);
  return ({ key, currentTarget }: KeyboardEvent<HTMLElement>) => {
    if (['+', '=', '-'].includes(key)) place.current = placeIn(stopsOf(currentTarget));
  };
}

const stopsOf = (drawer: HTMLElement): readonly HTMLElement[] => [
  ...drawer.querySelectorAll<HTMLElement>('details:not([open]) > summary, .value-button'),
];

const placeIn = (stops: readonly HTMLElement[]): number =>
  stops.findIndex(
    (stop) => stop === document.activeElement || stop.parentElement?.contains(document.activeElement),
  );

/** The arrows go from value to value, and to facets that are closed. */
function moveBetween(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0) return;
  const stops = stopsOf(event.currentTarget);
  const next = stops[placeIn(stops) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

/** From anywhere to the facets; from the facets away. */
export function toggleFacets(
  isOpen: boolean,
  drawer: HTMLElement | null,
  setFacets: (isOpen: boolean) => void,
): void {
  const isInside = drawer?.contains(document.activeElement) ?? false;
  if (isOpen && isInside) {
    setFacets(false);
    return;
  }
  if (!isOpen) setFacets(true);
  focusFacets(Date.now() + 5000);
}

/** Once they are there. */
function focusFacets(untilMs: number): void {
  const first = document.querySelector<HTMLElement>('.search-facets .value-button');
  if (first) first.focus();
  else if (Date.now() < untilMs) setTimeout(() => focusFacets(untilMs), 50);
}
