/** What `w`, `i`, `b`, `e` and `u` do on the list: decide about the selection or the current domain, and undo. */
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import type { DecisionsAnswer } from '../../../../src/http/web/detect/decision-wire.ts';
import type { DecisionTarget } from '../../../../src/http/web/detect/domain-wire.ts';
import { decide, decideAll, type Undone, undoDecision, undoLast } from '../../data/decide.ts';
import { plain } from '../../data/foreign.ts';
import { useMe } from '../../data/me.ts';
import { request } from '../../data/request.ts';
import { showToast } from '../../data/toasts.ts';
import { decisionWords } from '../../words/triage.ts';
import { showDone, showFailure, showRefused, showUndone } from './decision-messages.tsx';
import type { TriageState } from './use-triage.ts';

export function useDecisions(triage: TriageState) {
  const client = useQueryClient();
  const me = useMe().data;
  const [confirming, setConfirming] = useState<DecisionTarget>();

  const undo = useCallback(async () => {
    const last = undoLast(client);
    const [first] = last?.ids ?? [];
    if (first !== undefined) triage.focusOn(first);
    try {
      const done = await (last?.answer ?? undoNewest(client, me ? plain(me.person.name) : ''));
      if (done) showUndone(done);
      else showToast({ text: decisionWords.nothingToUndo });
      // What this page has not hidden itself is not in its rows.
      if (done && first === undefined) await triage.refresh();
    } catch (error) {
      showFailure(error);
    }
  }, [client, me, triage]);

  const choose = useCallback(
    (to: DecisionTarget) => {
      const { selection, current, rows } = triage;
      if (selection.all) {
        setConfirming(to);
        return;
      }
      const selected = selection.ids.size > 0 ? [...selection.ids] : [];
      const ids = selected.length === 0 && current ? [current.id] : selected;
      if (ids.length === 0) return;
      const isChosen = new Set(ids);
      const chosen = rows.filter(({ id }) => isChosen.has(id));
      const expect = Object.fromEntries(chosen.map(({ id, state }) => [id, state]));
      triage.holdPosition();
      triage.clearSelection();
      const decision = decide(client, { ids, to, expect });
      showDone(to, ids.length === 1 ? chosen[0] : undefined, ids.length, () => void undo());
      decision.answer.then(({ refused }) => showRefused(refused), showFailure);
    },
    [client, triage, undo],
  );

  const confirm = useCallback(() => {
    if (confirming === undefined) return;
    const decision = decideAll(client, triage.filter, triage.first?.total ?? 0, confirming);
    setConfirming(undefined);
    triage.clearSelection();
    decision.answer.then(({ changed, refused }) => {
      showDone(confirming, undefined, changed.length, () => void undo());
      showRefused(refused);
      void triage.refresh();
    }, showFailure);
  }, [client, confirming, triage, undo]);

  return { choose, undo, confirming, confirm, cancel: () => setConfirming(undefined) };
}

/** The newest decision of this person that can still be undone, also one of an hour ago. */
async function undoNewest(client: QueryClient, name: string): Promise<Undone | undefined> {
  const { decisions } = await request<DecisionsAnswer>('GET', '/detect/decisions', { query: { by: name } });
  const newest = decisions.find(({ can_undo, undone }) => can_undo && undone === null);
  return newest && undoDecision(client, newest.id);
}
