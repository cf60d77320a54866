import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, useEffect, useRef } from 'react';
import { usePreferences } from '../../data/me.ts';
import { moves } from '../../data/moves.ts';
import { useStore } from '../../data/store.ts';
import { Text } from '../../parts/text.tsx';
import { useMedia } from '../../parts/use-media.ts';
import { clusterWords, rowWords } from '../../words/triage.ts';
import type { Line } from './list-lines.ts';
import { Row } from './row.tsx';
import type { TriageState } from './use-triage.ts';

const headingHeight = 34;

function Heading({ line: { of, count } }: { line: Extract<Line, { kind: 'heading' }> }) {
  if (!of) return <span>{clusterWords.rest(count)}</span>;
  if (!of.shared) return <span>{clusterWords.alike(count)}</span>;
  return (
    <span>
      {clusterWords.share(
        <b>{count}</b>,
        clusterWords.by[of.shared.by],
        <Text className="mono" of={of.shared.value} />,
      )}
    </span>
  );
}

/** Only the rows that can be seen are in the document. */
export function ListView({ triage, open }: { triage: TriageState; open: (index: number) => void }) {
  const { lines, rows, index, current, selection, list, query, first } = triage;
  const scroller = useRef<HTMLDivElement>(null);
  const isNarrow = useMedia('(max-width: 700px)');
  const { density } = usePreferences();
  const rowHeight = isNarrow ? 74 : density === 'compact' ? 32 : 44;
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: (at) => (lines[at]?.kind === 'heading' ? headingHeight : rowHeight),
    overscan: 6,
    // Rows of one frame are drawn together.
    useFlushSync: false,
  });
  useEffect(() => virtualizer.measure(), [rowHeight, lines, virtualizer]);
  const lineOfCurrent =
    lines[0]?.kind === 'heading'
      ? lines.findIndex((line) => line.kind === 'domain' && line.index === index)
      : index;
  const shown = useRef<string>(undefined);
  useEffect(() => {
    if (current === undefined || shown.current === current.id) return;
    shown.current = current.id;
    virtualizer.scrollToIndex(index === 0 ? 0 : lineOfCurrent, { align: 'auto' });
  }, [current, index, lineOfCurrent, virtualizer]);
  const items = virtualizer.getVirtualItems();
  const lastLine = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (lastLine > lines.length - 40 && query.hasNextPage && !query.isFetchingNextPage)
      void query.fetchNextPage();
  }, [lastLine, lines.length, query]);
  const moved = useStore(moves);
  const monitors = first?.monitors ?? {};
  return (
    <div
      className="scroll"
      ref={scroller}
      role="listbox"
      aria-label={rowWords.lookalikes}
      aria-multiselectable="true"
      tabIndex={0}
      aria-activedescendant={
        current && items.some(({ index: at }) => at === lineOfCurrent) ? `row-${current.id}` : undefined
      }
    >
      <div
        className="lines"
        role="presentation"
        style={{ height: virtualizer.getTotalSize(), '--row-height': `${rowHeight}px` } as CSSProperties}
      >
        {items.map(({ index: at, start, size }) => {
          const line = lines[at];
          if (!line) return null;
          if (line.kind === 'heading')
            return (
              <div
                key={`heading ${at}`}
                className="heading"
                role="presentation"
                style={{ transform: `translateY(${start}px)`, height: size }}
              >
                <Heading line={line} />
              </div>
            );
          const { domain } = line;
          return (
            <Row
              key={domain.id}
              domain={domain}
              list={list}
              index={line.index}
              count={rows.length}
              start={start}
              isCurrent={line.index === index}
              isSelected={selection.all || selection.ids.has(domain.id)}
              term={termOf(query.data?.pages, domain.monitor_ids, monitors)}
              move={moved.get(domain.id)}
              open={open}
              toggle={triage.toggle}
            />
          );
        })}
      </div>
    </div>
  );
}

type Terms = NonNullable<TriageState['first']>['monitors'];

/** Each page names the monitors of its own domains. */
export function termOf(
  pages: readonly { readonly monitors: Terms }[] | undefined,
  ids: readonly string[],
  first: Terms,
) {
  const [id] = ids;
  if (id === undefined) return undefined;
  return first[id] ?? pages?.find(({ monitors }) => monitors[id] !== undefined)?.monitors[id];
}
