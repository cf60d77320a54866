import { type RefObject, useLayoutEffect, useState } from 'react';

/** WCAG 2.2 wants targets of this size. */
const columnWidthMin = 26;
const columnsMax = 60;

/** How many columns fit, which changes with the width of the page. */
export function useColumns(track: RefObject<HTMLElement | null>): number {
  const [columns, setColumns] = useState(24);
  useLayoutEffect(() => {
    const element = track.current;
    if (!element) return undefined;
    const measure = () =>
      setColumns(Math.max(4, Math.min(columnsMax, Math.floor(element.clientWidth / columnWidthMin))));
    measure();
    const sizes = new ResizeObserver(measure);
    sizes.observe(element);
    return () => sizes.disconnect();
  }, [track]);
  return columns;
}
