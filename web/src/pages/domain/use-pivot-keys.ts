import type { RefObject } from 'react';
import { useKeys } from '../../keys/use-keys.ts';
import { pivotKeyWords as words } from '../../words/value-menu.ts';

/** From one number of domains to the next; Enter opens the search for them. */
export function usePivotKeys(table: RefObject<HTMLElement | null>): void {
  const move = (step: 1 | -1) => {
    const counts = [...(table.current?.querySelectorAll<HTMLElement>('.search-link a') ?? [])];
    const at = counts.findIndex((count) => count === document.activeElement);
    const next = at < 0 ? 0 : Math.max(0, Math.min(counts.length - 1, at + step));
    counts[next]?.focus();
  };
  useKeys([
    { keys: 'j', label: words.next, group: 'Move', run: () => move(1) },
    { keys: 'k', label: words.previous, group: 'Move', run: () => move(-1) },
  ]);
}
