/**
 * Decisions that the lists on the screen do not know yet, mine (shown before the server has answered) and those of colleagues. A list hides
 * what has left it without being read again, so nothing else moves.
 */
import type { DecisionTarget } from '../../../src/http/web/detect/domain-wire.ts';
import type { Foreign } from './foreign.ts';
import { createStore } from './store.ts';

export interface Move {
  readonly to: DecisionTarget;
  /** A colleague; undefined if it was me. */
  readonly by?: Foreign;
  /** A colleague's decision is shown for a moment before the row goes. */
  readonly fading: boolean;
}

export type Moves = ReadonlyMap<string, Move>;

const fadeMs = 4000;
export const moves = createStore<Moves>(new Map());

export function addMoves(ids: readonly string[], move: Omit<Move, 'fading'>): void {
  const fading = move.by !== undefined;
  moves.set((before) => new Map([...before, ...ids.map((id) => [id, { ...move, fading }] as const)]));
  if (!fading) return;
  setTimeout(
    () =>
      moves.set((before) => {
        const still = ids.filter((id) => before.get(id)?.by === move.by);
        return new Map([...before, ...still.map((id) => [id, { ...move, fading: false }] as const)]);
      }),
    fadeMs,
  );
}

export function removeMoves(ids: readonly string[]): void {
  moves.set((before) => new Map([...before].filter(([id]) => !ids.includes(id))));
}
