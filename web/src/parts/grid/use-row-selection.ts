import { useRef } from 'react';
import type { DataGridProps } from '../data-grid.tsx';
import { useStable } from '../use-stable.ts';

/** Selects one row or gives it up; with `range` everything from the row before to this one. */
export function useRowSelection<Row>({ rows, rowKey, selected, onSelect }: DataGridProps<Row>) {
  const anchor = useRef(0);
  return useStable((index: number, range: boolean) => {
    if (!onSelect) return;
    const from = range ? Math.min(anchor.current, index) : index;
    const to = range ? Math.max(anchor.current, index) : index;
    const keys = rows.slice(from, to + 1).map(rowKey);
    const before = selected ?? new Set<string>();
    const adds = range || keys.some((key) => !before.has(key));
    anchor.current = index;
    const others = [...before].filter((key) => !keys.includes(key));
    onSelect(new Set(adds ? [...others, ...keys] : others));
  });
}
