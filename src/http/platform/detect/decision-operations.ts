/** The log of decisions and their undoing, beyond the contract: what people do in the web UI, for the command line. */
import { type Static, Type } from 'typebox';
import { decisionTargets } from '../../../model/detect/watchlist.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import { authorize } from '../../../product/account/authorize.ts';
import { getDecision, type UndoNeeds, undoDecision } from '../../../product/detect/decisions/undo.ts';
import type { DecisionStore, KeptDomain, LoggedDecision } from '../../../store/decision-store.ts';
import { families } from '../families.ts';
import { defineOperation, type Operation } from '../operation/define-operation.ts';
import { generalCharge } from './charges.ts';
import { choice } from './detect-parameters.ts';
import { nameOnWire, timeOnWire } from './detect-wire.ts';

export interface DecisionOperationNeeds extends UndoNeeds {
  readonly decisions: UndoNeeds['decisions'] & Pick<DecisionStore, 'listDecisions'>;
  readonly settings: Settings;
}

const limitMax = 100;

const DecisionOnWire = Type.Object({
  id: Type.String(),
  decision: choice(decisionTargets, 'what the domains were set to, or escalated as'),
  created_by: Type.String(),
  created_date: Type.String(),
  domain_count: Type.Integer(),
  domains: Type.Array(Type.String(), { description: 'the first of them' }),
  undone_by: Type.Union([Type.String(), Type.Null()]),
  undone_date: Type.Union([Type.String(), Type.Null()]),
  can_undo: Type.Boolean({ description: 'whether something is left that undoing would change' }),
});

const ListResponse = Type.Object({
  count: Type.Integer({ description: 'decisions in this response' }),
  has_more_results: Type.Boolean(),
  next_before: Type.Optional(Type.String({ description: 'value of before for the next page' })),
  decisions: Type.Array(DecisionOnWire, { description: 'newest first' }),
});

const UndoResponse = Type.Object({
  status: Type.String(),
  watchlist_domains: Type.Array(
    Type.Object({ id: Type.String(), domain: Type.String(), state: Type.String() }),
  ),
  kept: Type.Array(Type.Object({ id: Type.String(), reason: Type.String() }), {
    description: 'what could not be undone',
  }),
});

export function decisionOperations(needs: DecisionOperationNeeds): readonly Operation[] {
  const { settings } = needs;

  const getDetectDecisions = defineOperation({
    id: 'getDetectDecisions',
    family: families.detect,
    route: 'GET /intel-detect/decisions/',
    product: 'intel-detect-manage-watchlist-domains',
    permission: 'read',
    summary: 'Lists what was decided about domains',
    parameters: Type.Object({
      by: Type.Optional(Type.String({ description: 'only decisions of this user' })),
      before: Type.Optional(Type.String({ description: 'id of the last decision of the previous page' })),
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: limitMax,
          default: limitMax,
          description: 'decisions per response',
        }),
      ),
    }),
    response: ListResponse,
    charge: (context) => generalCharge(context, settings),
    handle: async ({ caller, parameters: { by, before, limit = limitMax } }) => {
      const found = await needs.decisions.listDecisions(caller.account.id, {
        ...(by === undefined ? {} : { by }),
        ...(before === undefined ? {} : { beforeId: before }),
        limit: limit + 1,
      });
      const decisions = found.slice(0, limit);
      const last = decisions.at(-1);
      const more = found.length > limit;
      return {
        count: decisions.length,
        has_more_results: more,
        ...(more && last ? { next_before: last.id } : {}),
        decisions: decisions.map(decisionOnWire),
      };
    },
  });

  const postDetectDecisionUndo = defineOperation({
    id: 'postDetectDecisionUndo',
    family: families.detect,
    route: 'POST /intel-detect/decisions/undo/',
    product: 'intel-detect-manage-watchlist-domains',
    permission: 'triage',
    summary: 'Puts the domains of a decision back into the state they were in',
    parameters: Type.Object({
      decision_id: Type.String(),
      skip_conflicts: Type.Optional(
        Type.Boolean({
          description: 'undoes the rest where somebody has decided about some since; by default nothing',
        }),
      ),
    }),
    response: UndoResponse,
    charge: (context) => generalCharge(context, settings),
    parse: async ({ caller, parameters: { decision_id: id }, nowMs }) => {
      const decision = await getDecision(caller, id, needs);
      if (decision.target === 'blocked' || decision.target === 'external_safe')
        authorize(caller, { product: 'intel-detect-escalate-domains', permission: 'escalate' }, nowMs);
      return decision;
    },
    handle: async ({ caller, parameters: { skip_conflicts: skipConflicts = false }, nowMs }, decision) => {
      const options = { skipConflicts, onConflict: () => undefined };
      const { changed, kept } = await undoDecision(caller, decision, options, { ...needs, nowMs });
      return {
        status: 'undone',
        watchlist_domains: changed.map(({ id, domain, to }) => ({
          id,
          domain: nameOnWire(domain),
          state: to,
        })),
        kept: kept.map(({ id, why }) => ({ id, reason: whyKept[why] })),
      };
    },
  });

  return [getDetectDecisions, postDetectDecisionUndo];
}

const whyKept: Readonly<Record<KeptDomain['why'], string>> = {
  submitted: 'The external service has it already; that cannot be called back.',
  submitting: 'It is being submitted to the external service; that cannot be called back.',
  decided: 'Somebody has decided about it since.',
};

function decisionOnWire(decision: LoggedDecision): Static<typeof DecisionOnWire> {
  const { id, target, by, atMs, domains, firstNames, undone, canUndo } = decision;
  return {
    id,
    decision: target,
    created_by: by,
    created_date: timeOnWire(atMs),
    domain_count: domains,
    domains: firstNames.map(nameOnWire),
    undone_by: undone?.username ?? null,
    undone_date: undone ? timeOnWire(undone.atMs) : null,
    can_undo: canUndo,
  };
}
