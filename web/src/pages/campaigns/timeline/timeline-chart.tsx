/** Rows over one axis of time. All dots are one stop of the Tab key: the arrows move between them, and what a dot stands for is written below. */
import { type FocusEvent, type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { usePreferences } from '../../../data/me.ts';
import { spelledOut } from '../../../data/unseen.ts';
import { Empty } from '../../../parts/region.tsx';
import { Text } from '../../../parts/text.tsx';
import { eventWords, linkWords, timelineWords as words } from '../../../words/campaigns/campaign-words.ts';
import { AxisTicks } from './axis-ticks.tsx';
import { DotDetail } from './dot-detail.tsx';
import { nextDot } from './dot-moves.ts';
import { dayFormat, lengthWords, whenWords } from './time-words.ts';
import { type Dot, rowsOf, type TimelineData } from './timeline-rows.ts';
import { useColumns } from './use-columns.ts';

const valuesShown = 12;

interface RowView {
  readonly key: string;
  readonly name: string;
  readonly label: React.ReactNode;
  readonly bar?: { readonly left: number; readonly width: number; readonly title: string };
  readonly dots: readonly Dot[];
}

export interface ChosenDot {
  readonly row: RowView;
  readonly dot: Dot;
}

export function TimelineChart(data: TimelineData) {
  const { zone } = usePreferences();
  const track = useRef<HTMLDivElement>(null);
  const columns = useColumns(track);
  const [showsAll, setShowsAll] = useState(false);
  const [focused, setFocused] = useState<string>();
  const [pointed, setPointed] = useState<string>();
  const { events, links, members } = data;
  const rows = useMemo(() => rowsOf({ events, links, members }, columns), [events, links, members, columns]);
  if (!rows) return <Empty title={words.nothing} />;
  const { axis } = rows;
  const days = dayFormat(zone);
  const eventRows = rows.events.map(({ key, kind, dots }): RowView => {
    const name = eventWords[kind];
    return { key, name, label: name, dots };
  });
  const values = showsAll ? rows.values : rows.values.slice(0, valuesShown);
  const valueRows = values.map(({ key, by, value, left, width, fromMs, toMs, dots }): RowView => {
    const title = words.inUse(days(fromMs), days(toMs));
    return {
      key,
      name: `${linkWords[by]} ${spelledOut(value)}`,
      label: (
        <>
          <small>{linkWords[by]}</small> <Text of={value} className="mono" />
        </>
      ),
      bar: { left, width, title },
      dots,
    };
  });
  const all = [...eventRows, ...valueRows];
  const dotsOfRows = all.map(({ dots }) => dots);
  const known = new Map(all.flatMap((row) => row.dots.map((dot) => [dot.key, { row, dot }] as const)));
  const first = dotsOfRows.flat()[0]?.key;
  const tabStop = focused !== undefined && known.has(focused) ? focused : first;
  const chosen = known.get(focused ?? pointed ?? '') ?? known.get(pointed ?? '');
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Escape') setFocused(undefined);
    const at = event.target instanceof HTMLElement ? event.target.dataset['dot'] : undefined;
    const next = at === undefined ? undefined : nextDot(dotsOfRows, at, event.key);
    if (next === undefined) return;
    event.preventDefault();
    const dots = event.currentTarget.querySelectorAll<HTMLElement>('[data-dot]');
    [...dots].find((element) => element.dataset['dot'] === next)?.focus();
  };
  const onFocus = ({ target }: FocusEvent<HTMLElement>) => {
    if (target instanceof HTMLElement && target.dataset['dot'] !== undefined)
      setFocused(target.dataset['dot']);
  };
  const row = (view: RowView) => (
    <Row
      key={view.key}
      view={view}
      columns={columns}
      tabStop={tabStop}
      chosen={chosen?.dot.key}
      when={(dot) => whenWords(dot, axis, zone)}
      point={setPointed}
    />
  );
  return (
    <div className="timeline-chart" onKeyDown={onKeyDown} onFocus={onFocus}>
      <p className="pale">
        {words.hint} {words.column(lengthWords(axis.columnMs))}
      </p>
      <div className="timeline-row axis" aria-hidden="true">
        <span />
        <div ref={track} className="track-width">
          <AxisTicks axis={axis} zone={zone} />
        </div>
      </div>
      {eventRows.length > 0 && (
        <>
          <h2>{words.domains}</h2>
          <ul className="timeline-rows">{eventRows.map(row)}</ul>
        </>
      )}
      {valueRows.length > 0 && (
        <>
          <h2>{words.values}</h2>
          <ul className="timeline-rows">{valueRows.map(row)}</ul>
        </>
      )}
      {rows.values.length > valuesShown && (
        <button
          type="button"
          className="ghost"
          aria-expanded={showsAll}
          onClick={() => setShowsAll(!showsAll)}
        >
          {showsAll ? words.showFewer : words.showAll(rows.values.length)}
        </button>
      )}
      <DotDetail chosen={chosen} when={chosen ? whenWords(chosen.dot, axis, zone) : ''} />
    </div>
  );
}

interface RowProps {
  readonly view: RowView;
  readonly columns: number;
  /** The dot that the Tab key comes to. */
  readonly tabStop: string | undefined;
  readonly chosen: string | undefined;
  readonly when: (dot: Dot) => string;
  readonly point: (key: string | undefined) => void;
}

function Row({ view: { name, label, bar, dots }, columns, tabStop, chosen, when, point }: RowProps) {
  return (
    <li className="timeline-row">
      <span className="timeline-row-name" title={name}>
        {label}
        {bar && <span className="sr">{`, ${bar.title}`}</span>}
      </span>
      <div className="timeline-track">
        {bar && (
          <span
            className="in-use"
            title={bar.title}
            style={{ left: `min(${bar.left}%, 100% - var(--least))`, width: `${bar.width}%` }}
            aria-hidden="true"
          />
        )}
        {dots.map((dot) => {
          const { key, column, within, domains } = dot;
          const text = words.dot(name, domains.length, when(dot));
          return (
            <button
              key={key}
              type="button"
              className="dot-cell"
              data-dot={key}
              aria-label={text}
              title={text}
              aria-current={chosen === key ? 'true' : undefined}
              tabIndex={tabStop === key ? 0 : -1}
              style={{ left: `${(column / columns) * 100}%`, width: `${100 / columns}%` }}
              onClick={({ currentTarget }) => currentTarget.focus()}
              onPointerEnter={() => point(key)}
            >
              <DotMark count={domains.length} within={within} />
            </button>
          );
        })}
      </div>
    </li>
  );
}

const numberMax = 999;

function DotMark({ count, within }: { count: number; within: number }) {
  if (count === 1)
    return <i className="dot" style={{ insetInlineStart: `calc(${within} * (100% - 10px))` }} />;
  return <i className="dot many">{count > numberMax ? words.manyMark : count}</i>;
}
