/** Which columns are in sight: a wide table has many that are not. */
import { type RefObject, useEffect, useMemo, useState } from 'react';

export interface DrawnColumns {
  /** Where each column begins, in pixels. */
  readonly lefts: readonly number[];
  /** Of all columns together. */
  readonly width: number;
  /** Of those in sight, without the first, which always is. */
  readonly from: number;
  readonly to: number;
}

/** On either side, so that a small step shows no gap. */
const extraPixels = 200;

export function useVisibleColumns(
  scroller: RefObject<HTMLElement | null>,
  columns: readonly { readonly width: number }[],
): DrawnColumns {
  const lefts = useMemo(() => {
    const found = [0];
    for (const { width } of columns) found.push((found.at(-1) ?? 0) + width);
    return found;
  }, [columns]);
  const [sight, setSight] = useState({ left: 0, right: 2000 });
  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const update = () => {
      // In steps, so that not every pixel draws the table again.
      const left = Math.floor((element.scrollLeft - extraPixels) / extraPixels) * extraPixels;
      const right =
        Math.ceil((element.scrollLeft + element.clientWidth + extraPixels) / extraPixels) * extraPixels;
      setSight((before) => (before.left === left && before.right === right ? before : { left, right }));
    };
    update();
    const observer = new ResizeObserver(update);
    observer.observe(element);
    element.addEventListener('scroll', update, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', update);
    };
  }, [scroller]);
  return useMemo(() => {
    const isSeen = (at: number) => (lefts[at + 1] ?? 0) > sight.left && (lefts[at] ?? 0) < sight.right;
    const seen = columns.map((_, at) => at).filter((at) => at > 0 && isSeen(at));
    return { lefts, width: lefts.at(-1) ?? 0, from: seen[0] ?? 1, to: (seen.at(-1) ?? 0) + 1 };
  }, [lefts, columns, sight]);
}
