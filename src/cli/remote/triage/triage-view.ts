/** The whole screen of Triage as lines, from its state and the size of the terminal. */
import { domainToASCII } from 'node:url';
import { type TriageKey, triageKeys } from '../../../model/triage/triage-keys.ts';
import { type TriageList, triageLists } from '../../../model/triage/triage-lists.ts';
import { counted } from '../../output.ts';
import { cardLines } from './card-lines.ts';
import { headingsOf } from './clusters.ts';
import { decisionWords } from './decision-words.ts';
import { facetLines } from './facet-lines.ts';
import { conditionsOf } from './facets.ts';
import { rowLine } from './row-line.ts';
import { type Line, lineWidth, span } from './styled-line.ts';
import type { ScreenSize } from './terminal-screen.ts';
import { currentIndex, type EntryMode, remaining, type TriageState, visibleRows } from './triage-state.ts';

const listNames: Readonly<Record<TriageList, string>> = {
  new: 'New',
  changed: 'Changed',
  watched: 'Watched',
  ignored: 'Ignored',
  blocked: 'Blocked',
};

/** From here on the card stands beside the list, below it otherwise. */
const besideColumns = 120;

export interface ViewNeeds {
  readonly size: ScreenSize;
  readonly nowMs: number;
}

/** How many rows of the list fit, for moving by one screen. */
export function listHeight(state: TriageState, { columns, rows }: ScreenSize): number {
  const inner = rows - 4;
  return state.isCardOpen && columns < besideColumns ? Math.max(1, Math.floor(inner * 0.4)) : inner;
}

export function triageLines(state: TriageState, { size, nowMs }: ViewNeeds): readonly Line[] {
  const { columns, rows } = size;
  const filled = (body: readonly Line[], height: number): readonly Line[] =>
    Array.from({ length: height }, (_, index) => body[index] ?? []);
  // It takes the whole screen: all keys have room on one of 24 rows.
  if (state.mode.kind === 'help') return [...filled(helpLines(columns), rows - 1), footLine(columns)];
  const body = filled(bodyLines(state, size, nowMs), rows - 4);
  return [headLine(state, columns), subheadLine(state), ...body, messageLine(state), footLine(columns)];
}

function headLine(state: TriageState, columns: number): Line {
  const tabs = triageLists.flatMap((list): Line => {
    const name = ` ${listNames[list]} `;
    return [list === state.list ? span(name, 'reverse', 'bold') : span(name), span(' ')];
  });
  const arrivals = state.arrivals > 0 ? `${state.arrivals.toLocaleString('en')} new — press n` : '';
  const left: Line = [span('Triage ', 'bold'), ...tabs];
  const gap = columns - lineWidth(left) - lineWidth([span(arrivals)]);
  return [...left, span(' '.repeat(Math.max(1, gap))), span(arrivals, 'bold', 'green')];
}

function subheadLine(state: TriageState): Line {
  const count = remaining(state);
  const chosen = state.isAllSelected ? `all ${count} selected` : `${state.selected.size} selected`;
  const parts = [
    state.isLoading && state.rows.length === 0 ? 'loading …' : counted(count, 'domain'),
    ...(state.isAllSelected || state.selected.size > 0 ? [chosen] : []),
    ...(state.search === '' ? [] : [`name has "${state.search}"`]),
    ...conditionsOf(state.facets),
    ...(state.notLive === undefined ? [] : [`not live: ${state.notLive}`]),
  ];
  return [span(parts.join(' · '), 'dim')];
}

function bodyLines(state: TriageState, size: ScreenSize, nowMs: number): readonly Line[] {
  const { columns } = size;
  if (state.mode.kind === 'facets')
    return facetLines(state.mode, { chosen: state.facets, width: columns, height: size.rows - 4 });
  const height = listHeight(state, size);
  const isBeside = state.isCardOpen && columns >= besideColumns;
  const width = isBeside ? Math.floor(columns * 0.55) : columns;
  const rows = visibleRows(state);
  const index = currentIndex(state, rows);
  if (rows.length === 0) return [[], [span(state.isLoading ? '' : emptyText(state))]];
  const headings = state.grouping ? headingsOf(rows, state.grouping) : new Map<number, string>();
  const entries = rows.flatMap((row, at) => [...(headings.has(at) ? [headings.get(at) ?? ''] : []), row]);
  const line = entries.indexOf(rows[index] ?? '');
  const first = Math.max(0, Math.min(line - Math.floor(height / 2), entries.length - height));
  const list = entries.slice(first, first + height).map((entry, at): Line => {
    if (typeof entry === 'string') return [span(entry, 'bold', 'underline')];
    const to = state.moves.get(entry.id);
    return rowLine(entry, {
      isCurrent: first + at === line,
      isSelected: state.isAllSelected || state.selected.has(entry.id),
      moved: to && decisionWords[to].done,
      width,
      nowMs,
    });
  });
  const current = rows[index];
  if (!state.isCardOpen || !current) return list;
  const cardWidth = isBeside ? columns - width - 3 : columns;
  const card = cardLines(current, state.details.get(current.id), cardWidth);
  if (!isBeside) return [...list, [span('─'.repeat(columns), 'dim')], ...card];
  return Array.from({ length: Math.max(height, card.length) }, (_, at): Line => {
    const left = list[at] ?? [];
    const gap = ' '.repeat(Math.max(0, width - lineWidth(left)));
    return [...left, span(`${gap} │ `, 'dim'), ...(card[at] ?? [])];
  });
}

function emptyText({ list, search, facets }: TriageState): string {
  if (search !== '' || Object.keys(facets).length > 0) return 'No domain matches the filter. Esc clears it.';
  return list === 'new' ? 'Nothing left to decide.' : `No domain is ${listNames[list].toLowerCase()}.`;
}

function messageLine({ mode, message, ...state }: TriageState): Line {
  if (mode.kind === 'search') return [span('Filter by name: ', 'bold'), span(mode.text), span('▏')];
  if (mode.kind === 'entry') return entryLine(mode);
  if (mode.kind === 'facets') return [span('Enter chooses, Esc goes back, f closes.', 'dim')];
  if (mode.kind === 'confirm') {
    const count = remaining({ ...state, mode, message });
    const how = count > 100 ? `type ${count} and Enter` : 'Enter';
    return [
      span(`${decisionWords[mode.to].verb} all ${count} that match? ${how}; Esc does nothing. `, 'bold'),
      span(mode.typed),
    ];
  }
  if (!message) return [];
  return [span(message.text, ...(message.isError ? (['red', 'bold'] as const) : (['green'] as const)))];
}

const entryWords: Readonly<Record<EntryMode['what'], string>> = {
  note: 'Note on',
  assign: 'Person (none: nobody) for',
  tag: 'Tag for',
};

/** The end of a long text is what somebody types. */
function entryLine({ what, text, rows }: EntryMode): Line {
  const which = rows.length === 1 ? (rows[0]?.domain ?? '') : counted(rows.length, 'domain');
  return [
    span(`${entryWords[what]} ${which}: `, 'bold'),
    span(Array.from(text).slice(-60).join('')),
    span('▏'),
  ];
}

function footLine(columns: number): Line {
  const hints: readonly (readonly [TriageKey, string])[] = [
    [triageKeys.card, 'card'],
    [triageKeys.select, 'select'],
    [triageKeys.watch, 'watch'],
    [triageKeys.ignore, 'ignore'],
    [triageKeys.block, 'block'],
    [triageKeys.submit, 'submit'],
    [triageKeys.undo, 'undo'],
    [triageKeys.filter, 'filter'],
    [triageKeys.help, 'keys'],
    [triageKeys.quit, 'quit'],
  ];
  const line = hints.flatMap(([{ keys }, label]): Line => [span(keys, 'bold'), span(` ${label} `, 'dim')]);
  return lineWidth(line) <= columns ? line : line.slice(0, Math.max(2, Math.floor(columns / 10) * 2));
}

/** Of the table that the web UI has too; what only works there is listed as such. */
function helpLines(columns: number): readonly Line[] {
  const keys: readonly TriageKey[] = Object.values(triageKeys);
  const own = keys.filter(({ only }) => only !== 'web');
  const entries = Object.entries(Object.groupBy(own, ({ group }) => group)).flatMap(
    ([group, bindings]): readonly Line[] => [
      [span(group, 'bold')],
      ...bindings.map(
        ({ keys: key, also = [], label }): Line => [
          span(`  ${[key, ...also].map(shownKey).join(', ')}`.padEnd(13)),
          span(label),
        ],
      ),
    ],
  );
  const half = Math.ceil(entries.length / 2);
  const width = Math.floor(columns / 2);
  const listed = entries.slice(0, half).map((left, at): Line => {
    const gap = ' '.repeat(Math.max(1, width - lineWidth(left)));
    return [...left, span(gap), ...(entries[half + at] ?? [])];
  });
  return [...listed, ...webOnlyLines(keys, columns)];
}

/** What a terminal has no room or no picture for. */
function webOnlyLines(keys: readonly TriageKey[], columns: number): readonly Line[] {
  const lines = ['In the web UI alone:'];
  for (const { keys: key, label, only } of keys) {
    if (only !== 'web') continue;
    const item = ` ${shownKey(key)} ${label};`;
    const last = lines.at(-1) ?? '';
    if (last.length + item.length <= columns) lines[lines.length - 1] = last + item;
    else lines.push(item);
  }
  return lines.map(
    (line, at): Line => [span(at === lines.length - 1 ? line.replace(/;$/, '') : line, 'dim')],
  );
}

function shownKey(keys: string): string {
  return keys.replace('Mod+', 'Ctrl+').replace(/^Arrow/, '');
}

/** The page of the web UI about a domain. */
export function pageAddress(server: string, domain: string): string {
  return `${server}/ui/domain/${encodeURIComponent(domainToASCII(domain) || domain)}`;
}
