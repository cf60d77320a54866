import { X } from 'lucide-react';
import { memo, useState } from 'react';
import type { FacetAttribute } from '../../../../src/model/triage/triage-facets.ts';
import { type Facets, useCounts, useFacets } from '../../data/detect.ts';
import { type Foreign, foreign, plain } from '../../data/foreign.ts';
import { Failure, Skeletons } from '../../parts/region.tsx';
import { Text } from '../../parts/text.tsx';
import { number } from '../../words/language.ts';
import { riskWords } from '../../words/parts.ts';
import { facetWords as words } from '../../words/triage.ts';
import {
  filterOf,
  type TriageSearch,
  toggleValue,
  type ValueFilter,
  withoutFilters,
} from './triage-search.ts';
import type { TriageView } from './use-triage.ts';

/** Filtered by everything but itself, so that other values can be added. */
function facetFilter(search: TriageSearch, by: FacetAttribute) {
  const { [by]: _own, ...others } = filterOf(search) as ReturnType<typeof filterOf> & Record<string, unknown>;
  return others as ReturnType<typeof filterOf>;
}

/** How the names vary the term: the first question about any list. */
export const ClassChips = memo(function ClassChips({ triage }: { triage: TriageView }) {
  const { search, change } = triage;
  const { data } = useFacets('class', facetFilter(search, 'class'));
  const chosen = search.class ?? [];
  return (
    <div className="chips" role="group" aria-label={words.whyMatched}>
      <button
        type="button"
        aria-pressed={chosen.length === 0}
        onClick={() => change(({ class: _class, at: _at, ...rest }) => rest)}
      >
        {words.all}
      </button>
      {data?.values.map(({ value, domains }) => (
        <button
          type="button"
          key={plain(value)}
          aria-pressed={chosen.includes(plain(value))}
          onClick={() => change((before) => toggleValue(before, 'class', plain(value)))}
        >
          <Text of={value} /> <span>{number(domains)}</span>
        </button>
      ))}
    </div>
  );
});

const labels: Readonly<Record<ValueFilter | 'mx' | 'resolved' | 'q' | 'since', string>> = words.conditions;

/** Every condition, each with its own way out. */
export const ActiveFilters = memo(function ActiveFilters({ triage }: { triage: TriageView }) {
  const { search, change } = triage;
  const monitors = useCounts().data?.monitors;
  const { list: _list, q: _q, class: _class, ...conditions } = filterOf(search);
  const entries = Object.entries(conditions).flatMap(([filter, value]) =>
    [value].flat().map((one) => [filter as keyof typeof labels, one] as const),
  );
  if (entries.length === 0) return null;
  const shown = (filter: string, value: string): Foreign =>
    (filter === 'monitor' ? monitors?.find(({ id }) => id === value)?.term : undefined) ?? foreign(value);
  return (
    <div className="conditions" role="group" aria-label={words.filters}>
      {entries.map(([filter, value]) => (
        <button
          type="button"
          key={`${filter} ${value}`}
          title={words.removeFilter}
          onClick={() =>
            change((before) => {
              if (filter === 'mx' || filter === 'resolved' || filter === 'q' || filter === 'since') {
                const { [filter]: _gone, ...rest } = before;
                return rest;
              }
              return toggleValue(before, filter, value);
            })
          }
        >
          {labels[filter]}{' '}
          <b>
            <Text of={shown(filter, value)} />
          </b>{' '}
          <X size={13} aria-hidden />
        </button>
      ))}
      <button type="button" className="ghost" onClick={() => change(withoutFilters)}>
        {words.clear}
      </button>
    </div>
  );
});

const drawer = ['monitor', 'registrar', 'name_server', 'ip', 'country', 'tld', 'picture'] as const;

const riskRanges = [
  ['100-100', riskWords.bad],
  ['70-99', riskWords.high],
  ['40-69', riskWords.medium],
  ['1-39', riskWords.low],
  ['none', riskWords.none],
] as const;

export const FacetDrawer = memo(function FacetDrawer({
  triage,
  close,
}: {
  triage: TriageView;
  close: () => void;
}) {
  const { search, change } = triage;
  const toggle = (filter: ValueFilter, value: string) =>
    change((before) => toggleValue(before, filter, value));
  return (
    <aside className="drawer" aria-label={words.title}>
      <header>
        <h2>{words.narrow}</h2>
        <button type="button" className="ghost" aria-label={words.close} onClick={close}>
          <X size={18} aria-hidden />
        </button>
      </header>
      <details open>
        <summary>{words.risk}</summary>
        {riskRanges.map(([range, word]) => (
          <Choice
            key={range}
            chosen={search.risk?.includes(range) ?? false}
            toggle={() => toggle('risk', range)}
          >
            <span>{word}</span>
          </Choice>
        ))}
      </details>
      <details open>
        <summary>{words.mail}</summary>
        {(['yes', 'no'] as const).map((answer) => (
          <Choice
            key={answer}
            chosen={search.mx === answer}
            toggle={() =>
              change(({ mx, at: _at, ...rest }) => (mx === answer ? rest : { ...rest, mx: answer }))
            }
          >
            <span>{words.takesMail[answer]}</span>
          </Choice>
        ))}
      </details>
      <details open>
        <summary>{words.resolved}</summary>
        {(['yes', 'no'] as const).map((answer) => (
          <Choice
            key={answer}
            chosen={search.resolved === answer}
            toggle={() =>
              change(({ resolved, at: _at, ...rest }) =>
                resolved === answer ? rest : { ...rest, resolved: answer },
              )
            }
          >
            <span>{words.isResolved[answer]}</span>
          </Choice>
        ))}
      </details>
      {drawer.map((by) => (
        <Facet key={by} by={by} title={words.titles[by]} triage={triage} toggle={toggle} />
      ))}
    </aside>
  );
});

interface FacetProps {
  readonly by: Exclude<FacetAttribute, never>;
  readonly title: string;
  readonly triage: TriageView;
  readonly toggle: (filter: ValueFilter, value: string) => void;
}

const valuesShown = 8;

function Facet({ by, title, triage, toggle }: FacetProps) {
  const [isOpen, setOpen] = useState(by === 'monitor' || by === 'registrar' || by === 'name_server');
  const [showsAll, setShowsAll] = useState(false);
  const facet = useFacets(by, facetFilter(triage.search, by), isOpen);
  const chosen = triage.search[by] ?? [];
  const values = facet.data?.values ?? [];
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {facet.isError && (
        <Failure error={facet.error} what={words.values} retry={() => void facet.refetch()} />
      )}
      {facet.isPending && isOpen && <Skeletons count={3} label={title} />}
      {facet.data && values.length === 0 && <p className="pale">{words.noValues}</p>}
      {values.slice(0, showsAll ? undefined : valuesShown).map((value) => (
        <FacetValue
          key={plain(value.value)}
          value={value}
          by={by}
          chosen={chosen.includes(plain(value.value))}
          toggle={toggle}
        />
      ))}
      {values.length > valuesShown && !showsAll && (
        <button type="button" className="ghost more" onClick={() => setShowsAll(true)}>
          {words.moreValues(values.length - valuesShown)}
        </button>
      )}
      {facet.data?.more && showsAll && <p className="pale">{words.narrowFirst}</p>}
    </details>
  );
}

interface FacetValueProps {
  readonly value: Facets['values'][number];
  readonly by: FacetAttribute;
  readonly chosen: boolean;
  readonly toggle: (filter: ValueFilter, value: string) => void;
}

function FacetValue({ value: { value, label, domains, average_risk }, by, chosen, toggle }: FacetValueProps) {
  return (
    <Choice chosen={chosen} toggle={() => toggle(by, plain(value))}>
      <Text of={label ?? value} />
      <small title={words.averageRisk}>{average_risk === null ? '' : `⌀ ${average_risk}`}</small>
      <b>{number(domains)}</b>
    </Choice>
  );
}

function Choice({
  chosen,
  toggle,
  children,
}: {
  chosen: boolean;
  toggle: () => void;
  children: React.ReactNode;
}) {
  return (
    <label className="choice">
      <input type="checkbox" checked={chosen} onChange={toggle} />
      {children}
    </label>
  );
}
