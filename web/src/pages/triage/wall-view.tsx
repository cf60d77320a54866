import { useVirtualizer } from '@tanstack/react-virtual';
import { Check, Layers } from 'lucide-react';
import { memo, type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Domain } from '../../data/detect.ts';
import { Name } from '../../parts/name.tsx';
import { Picture } from '../../parts/picture.tsx';
import { Risk } from '../../parts/risk.tsx';
import { rowWords as words } from '../../words/triage.ts';
import type { TriageState } from './use-triage.ts';

const tileWidthMin = 220;
const gap = 14;
const captionHeight = 54;

interface TileProps {
  readonly domain: Domain;
  readonly index: number;
  readonly alike: number;
  readonly isCurrent: boolean;
  readonly isSelected: boolean;
  readonly open: (index: number) => void;
  readonly gatherAlike: (hash: string) => void;
}

const Tile = memo(function Tile({
  domain,
  index,
  alike,
  isCurrent,
  isSelected,
  open,
  gatherAlike,
}: TileProps) {
  const [match] = domain.match;
  const { hash } = domain.picture;
  return (
    <div className={`tile${isCurrent ? ' at' : ''}${isSelected ? ' picked' : ''}`}>
      <button type="button" className="tile-open" aria-current={isCurrent} onClick={() => open(index)}>
        <Picture picture={domain.picture} of={domain.domain} width={320} height={200} brief />
        <span className="caption">
          <Name host={match?.host ?? domain.domain} match={match} />
          <Risk score={domain.risk_score} status={domain.risk_score_status} />
        </span>
      </button>
      {isSelected && <Check className="tile-check" size={16} role="img" aria-label={words.selected} />}
      {alike > 1 && hash !== undefined && (
        <button type="button" className="alike" title={words.selectAlike} onClick={() => gatherAlike(hash)}>
          <Layers size={13} aria-hidden /> {words.alike(alike)}
        </button>
      )}
    </div>
  );
});

/** Screenshots side by side; like ones are counted and can be selected together. */
export function WallView({
  triage,
  open,
  columns: shared,
}: {
  triage: TriageState;
  open: (index: number) => void;
  columns: RefObject<number>;
}) {
  const { rows, index, selection, query, gather } = triage;
  const scroller = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth - 2 * 16));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const columns = Math.max(1, Math.floor((width + gap) / (tileWidthMin + gap)));
  useEffect(() => {
    shared.current = columns;
    return () => {
      shared.current = 1;
    };
  }, [columns, shared]);
  const tileWidth = (width - gap * (columns - 1)) / columns;
  const rowHeight = Math.round((tileWidth * 10) / 16) + captionHeight + gap;
  const virtualizer = useVirtualizer({
    count: width > 0 ? Math.ceil(rows.length / columns) : 0,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 2,
  });
  useEffect(() => virtualizer.measure(), [rowHeight, virtualizer]);
  const currentLine = Math.floor(index / columns);
  useEffect(() => {
    if (index >= 0 && width > 0) virtualizer.scrollToIndex(currentLine, { align: 'auto' });
  }, [currentLine, index, virtualizer, width]);
  const lastLine = virtualizer.getVirtualItems().at(-1)?.index ?? 0;
  useEffect(() => {
    if ((lastLine + 4) * columns > rows.length && query.hasNextPage && !query.isFetchingNextPage)
      void query.fetchNextPage();
  }, [lastLine, columns, rows.length, query]);
  const byHash = useMemo(
    () =>
      Map.groupBy(
        rows.filter(({ picture }) => picture.hash !== undefined),
        ({ picture }) => picture.hash,
      ),
    [rows],
  );
  const gatherAlike = useMemo(
    () => (hash: string) =>
      gather(
        (byHash.get(hash) ?? []).map(({ id }) => id),
        null,
        [],
      ),
    [byHash, gather],
  );
  return (
    <div className="scroll wall" ref={scroller} role="group" aria-label={words.screenshots} tabIndex={-1}>
      <div className="lines" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map((line) => (
          <div
            key={line.key}
            className="wall-line"
            style={{
              transform: `translateY(${line.start}px)`,
              height: line.size - gap,
              gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
            }}
          >
            {rows.slice(line.index * columns, (line.index + 1) * columns).map((domain, offset) => {
              const at = line.index * columns + offset;
              return (
                <Tile
                  key={domain.id}
                  domain={domain}
                  index={at}
                  alike={byHash.get(domain.picture.hash)?.length ?? 0}
                  isCurrent={at === index}
                  isSelected={selection.all || selection.ids.has(domain.id)}
                  open={open}
                  gatherAlike={gatherAlike}
                />
              );
            })}
          </div>
        ))}
      </div>
    </div>
  );
}
