/** Deciding and undoing. Both are shown at once; a failure is shown too, and what was shown is taken back. */
import type { QueryClient } from '@tanstack/react-query';
import type { DecisionAnswer, UndoAnswer, UndoConflict } from '../../../src/http/web/detect/decision-wire.ts';
import type { DecisionTarget } from '../../../src/http/web/detect/domain-wire.ts';
import type { TriageFilter } from '../../../src/http/web/detect/filter-wire.ts';
import { countsKey, decisionsKey, domainsKey, facetsKey } from './detect.ts';
import type { Received } from './foreign.ts';
import { addMoves, removeMoves } from './moves.ts';
import { request, ServerError } from './request.ts';

export interface Choice {
  readonly ids: readonly string[];
  readonly to: DecisionTarget;
  readonly expect?: Readonly<Record<string, string>>;
  readonly note?: string;
}

export interface Decision {
  readonly ids: readonly string[];
  readonly to: DecisionTarget;
  readonly answer: Promise<Received<DecisionAnswer>>;
}

/** Newest last: what `u` undoes. */
const made: Decision[] = [];
const ownIds = new Set<string>();
const unanswered = new Set<Promise<unknown>>();

const numbersAfterMs = 1500;
let numbersTimer: ReturnType<typeof setTimeout> | undefined;

/**
 * Numbers are read again, once for a series of decisions, and other lists when they are opened; what is on the screen stays in its order.
 */
export function numbersChanged(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: decisionsKey });
  void client.invalidateQueries({ queryKey: domainsKey, refetchType: 'none' });
  numbersTimer ??= setTimeout(() => {
    numbersTimer = undefined;
    void client.invalidateQueries({ queryKey: countsKey });
    void client.invalidateQueries({ queryKey: facetsKey });
  }, numbersAfterMs);
}

function remember(client: QueryClient, decision: Decision): void {
  made.push(decision);
  unanswered.add(decision.answer);
  decision.answer
    .then(
      ({ decision_id }) => {
        if (decision_id !== null) ownIds.add(decision_id);
        numbersChanged(client);
      },
      () => made.splice(made.indexOf(decision), 1),
    )
    .finally(() => unanswered.delete(decision.answer));
}

/** Resolves when the server has answered everything that was decided so far. */
export async function decisionsAnswered(): Promise<void> {
  await Promise.allSettled(unanswered);
}

export function decide(client: QueryClient, choice: Choice): Decision {
  const { ids, to } = choice;
  addMoves(ids, { to });
  const answer = request<DecisionAnswer>('POST', '/detect/decisions', { body: choice }).then(
    (done) => {
      removeMoves(done.refused.map(({ id }) => id));
      return done;
    },
    (error: unknown) => {
      removeMoves(ids);
      throw error;
    },
  );
  const decision = { ids, to, answer };
  remember(client, decision);
  return decision;
}

/** Everything that matches, as counted when it was confirmed; the server refuses if it is no longer as many. */
export function decideAll(
  client: QueryClient,
  filter: TriageFilter,
  count: number,
  to: DecisionTarget,
): Decision {
  const body = { filter, count, to };
  const answer = request<DecisionAnswer>('POST', '/detect/decisions', { body }).then((done) => {
    addMoves(
      done.changed.map(({ id }) => id),
      { to },
    );
    return done;
  });
  const decision = { ids: [], to, answer };
  remember(client, decision);
  return decision;
}

export interface Undone {
  readonly ids: readonly string[];
  readonly kept: Received<UndoAnswer>['kept'];
}

export async function undoDecision(client: QueryClient, decisionId: string): Promise<Undone> {
  const { changed, kept } = await request<UndoAnswer>(
    'POST',
    `/detect/decisions/${encodeURIComponent(decisionId)}/undo`,
  );
  const ids = changed.map(({ id }) => id);
  removeMoves(ids);
  numbersChanged(client);
  return { ids, kept };
}

/** Undefined if nothing was decided since the page was opened. The rows come back before the server has answered. */
export function undoLast(
  client: QueryClient,
): { ids: readonly string[]; answer: Promise<Undone> } | undefined {
  const last = made.pop();
  if (!last) return undefined;
  removeMoves(last.ids);
  const answer = last.answer.then(async ({ decision_id, changed }) => {
    if (decision_id === null) return { ids: [], kept: [] };
    try {
      return await undoDecision(client, decision_id);
    } catch (error) {
      addMoves(
        changed.map(({ id }) => id),
        { to: last.to },
      );
      throw error;
    }
  });
  return { ids: last.ids, answer };
}

/** Whether a decision that the server reports was made on this page. */
export async function isMine(decisionId: string): Promise<boolean> {
  await decisionsAnswered();
  return ownIds.has(decisionId);
}

export function conflictsOf(error: unknown): readonly Received<UndoConflict>[] {
  if (!(error instanceof ServerError) || error.status !== 409) return [];
  const { error: members } = error.body as { error?: { conflicts?: readonly Received<UndoConflict>[] } };
  return members?.conflicts ?? [];
}
