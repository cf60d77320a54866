/** What keys do: which action a key stands for, and where those that move lead. */
import { type TriageAction, type TriageKey, triageKeys } from '../../../model/triage/triage-keys.ts';

export const actionOf: ReadonlyMap<string, TriageAction> = new Map(
  Object.entries<TriageKey>(triageKeys).flatMap(([action, { keys, also = [] }]) =>
    [keys, ...also].map((key) => [key, action as TriageAction] as const),
  ),
);

type CursorMove = (index: number, count: number) => number;

/** `height`: rows of one screen. */
export function cursorMoves(height: number): Partial<Record<TriageAction, CursorMove>> {
  return {
    next: (index) => index + 1,
    down: (index) => index + 1,
    previous: (index) => index - 1,
    up: (index) => index - 1,
    pageDown: (index) => index + height,
    pageUp: (index) => index - height,
    first: () => 0,
    last: (_index, count) => count - 1,
  };
}
