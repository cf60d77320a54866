/** Decides about domains, undoes that, and lists what was decided. */
import { type Static, Type } from 'typebox';
import type { Caller } from '../../../model/account/account.ts';
import type { DecisionTarget } from '../../../model/detect/watchlist.ts';
import { fieldProblem } from '../../../model/problem.ts';
import { authorize } from '../../../product/account/authorize.ts';
import { type DecideNeeds, decideDomains, decideMatching } from '../../../product/detect/decisions/decide.ts';
import { getDecision, type UndoNeeds, undoDecision } from '../../../product/detect/decisions/undo.ts';
import { noteText } from '../../../product/detect/lists/triage-domain.ts';
import type { FilterNeeds } from '../../../product/detect/lists/triage-filter.ts';
import type {
  DecisionOutcome,
  DecisionStore,
  KeptDomain,
  RefusedDomain,
  LoggedDecision as StoredDecision,
  UndoConflict,
} from '../../../store/decision-store.ts';
import { nameOnWire } from '../../platform/detect/detect-wire.ts';
import { defineWebOperation, type WebOperation } from '../web-operation.ts';
import {
  DecisionAnswer,
  DecisionRequest,
  DecisionsAnswer,
  DecisionsQuery,
  type LoggedDecision,
  UndoAnswer,
  UndoRequest,
} from './decision-wire.ts';
import { isoTime } from './domain-on-wire.ts';
import { readFilter } from './read-filter.ts';

export interface DecisionOperationNeeds extends DecideNeeds, UndoNeeds, FilterNeeds {
  readonly decisions: DecideNeeds['decisions'] &
    UndoNeeds['decisions'] &
    Pick<DecisionStore, 'listDecisions'>;
  readonly settings: DecideNeeds['settings'];
}

const usualLimit = 50;

export function decisionOperations(needs: DecisionOperationNeeds): readonly WebOperation[] {
  const postDecision = defineWebOperation({
    method: 'POST',
    path: '/detect/decisions',
    access: 'triage',
    product: 'intel-detect-manage-watchlist-domains',
    summary: 'Watches, ignores or escalates domains; those that cannot be changed are named',
    body: DecisionRequest,
    answer: DecisionAnswer,
    handle: async ({ caller, body, nowMs }) => {
      const { ids, filter, count, to: target, note, expect: expected = {} } = body;
      authorizeTarget(caller, target, nowMs);
      if ((ids === undefined) === (filter === undefined))
        throw fieldProblem('invalid-parameters', 'ids', 'either ids or filter is required');
      const common = { target, note: note === undefined ? undefined : noteText('note', note) };
      if (ids) return outcomeOnWire(await decideDomains(caller, { ...common, ids, expected }, needs, nowMs));
      if (!filter || count === undefined)
        throw fieldProblem('invalid-parameters', 'count', 'is required with filter: how many domains match');
      const request = { ...common, filter: await readFilter(filter, needs), count };
      return outcomeOnWire(await decideMatching(caller, request, needs, nowMs));
    },
  });

  const postUndo = defineWebOperation({
    method: 'POST',
    path: '/detect/decisions/:id/undo',
    access: 'triage',
    product: 'intel-detect-manage-watchlist-domains',
    summary: 'Puts the domains of a decision back into the state they were in',
    params: Type.Object({ id: Type.String({ maxLength: 40 }) }),
    body: UndoRequest,
    answer: UndoAnswer,
    handle: async ({ caller, params, body: { skip_conflicts: skipConflicts = false }, nowMs }) => {
      const decision = await getDecision(caller, params.id, needs);
      authorizeTarget(caller, decision.target, nowMs);
      const options = { skipConflicts, onConflict: conflictsOnWire };
      const { changed, kept } = await undoDecision(caller, decision, options, { ...needs, nowMs });
      return {
        changed: changed.map(({ id, from, to }) => ({ id, from, to })),
        kept: kept.map(({ id, why }) => ({ id, why: whyKept[why] })),
      };
    },
  });

  const getDecisions = defineWebOperation({
    method: 'GET',
    path: '/detect/decisions',
    access: 'read',
    product: 'intel-detect-watched-domains',
    summary: 'What was decided, newest first',
    query: DecisionsQuery,
    answer: DecisionsAnswer,
    handle: async ({ caller: { account }, query: { before, by, limit = usualLimit } }) => {
      const found = await needs.decisions.listDecisions(account.id, {
        ...(before === undefined ? {} : { beforeId: before }),
        ...(by === undefined ? {} : { by }),
        limit: limit + 1,
      });
      return { decisions: found.slice(0, limit).map(decisionOnWire), more: found.length > limit };
    },
  });

  return [postDecision, postUndo, getDecisions];
}

/** The same products and permissions as over the API. */
function authorizeTarget(caller: Caller, target: DecisionTarget, nowMs: number): void {
  if (target === 'blocked' || target === 'external_safe')
    authorize(caller, { product: 'intel-detect-escalate-domains', permission: 'escalate' }, nowMs);
}

const whyKept: Readonly<Record<KeptDomain['why'], string>> = {
  submitted: 'The external service has it already; that cannot be called back.',
  submitting: 'It is being submitted to the external service; that cannot be called back.',
  decided: 'Somebody has decided about it since.',
};

const whyRefused: Readonly<Record<RefusedDomain['why'], string>> = {
  unknown: 'It is no longer on the watchlist.',
  already: 'That was decided about it before.',
  state: 'Somebody has decided about it since.',
};

function outcomeOnWire({ decisionId, changed, refused }: DecisionOutcome): Static<typeof DecisionAnswer> {
  return {
    decision_id: decisionId ?? null,
    changed: changed.map(({ id, from, to }) => ({ id, from, to })),
    refused: refused.map(({ id, why, state, assigned }) => ({
      id,
      why,
      message: whyRefused[why],
      ...(state === undefined ? {} : { state }),
      ...(assigned ? { by: assigned.username, at: isoTime(assigned.atMs) } : {}),
    })),
  };
}

function conflictsOnWire(conflicts: readonly UndoConflict[]) {
  return conflicts.map(({ id, domain, by, atMs, state }) => ({
    id,
    domain: nameOnWire(domain),
    by,
    at: isoTime(atMs),
    state,
  }));
}

function decisionOnWire(decision: StoredDecision): LoggedDecision {
  const { id, by, atMs, target, domains, firstNames, undone, canUndo } = decision;
  return {
    id,
    by,
    at: isoTime(atMs),
    to: target,
    domains,
    first_names: firstNames.map(nameOnWire),
    undone: undone ? { by: undone.username, at: isoTime(undone.atMs) } : null,
    can_undo: canUndo,
  };
}
