/** Escalations: recording them, and, beyond the contract, what has become of them. */
import { type Static, Type } from 'typebox';
import { type Escalation, escalationTypes } from '../../model/detect/watchlist.ts';
import type { Settings } from '../../model/settings.ts';
import {
  type EscalationNeeds,
  escalate,
  getEscalatedIds,
  listEscalations,
} from '../../product/detect/escalations.ts';
import { generalDraw } from './detect-draws.ts';
import { choice, DomainIds } from './detect-parameters.ts';
import { EscalationOnWire, escalationOnWire, nameOnWire } from './detect-wire.ts';
import type { Offer } from './offer.ts';

export interface EscalationRouteNeeds extends EscalationNeeds {
  readonly settings: Settings;
}

const limitMax = 100;

const ListedEscalation = Type.Object({
  ...EscalationOnWire.properties,
  domain: Type.String({ description: 'in Unicode' }),
  submission: Type.Unsafe<object | null>({
    description: 'of type external_safe: status waiting, submitted or failed, attempts, and the last error',
  }),
});

export function detectEscalationRoutes(offer: Offer, needs: EscalationRouteNeeds): void {
  const { settings } = needs;
  offer('postDetectEscalations', {
    parameters: Type.Object({
      watchlist_domain_ids: DomainIds,
      escalation_type: choice(escalationTypes, 'blocked: inside; external_safe: submitted outside'),
    }),
    answer: Type.Object({ escalations: Type.Array(EscalationOnWire) }),
    understand: ({ caller, parameters: { watchlist_domain_ids: ids, escalation_type: type } }) =>
      getEscalatedIds(caller, ids, type, needs),
    run: async ({ caller, parameters: { escalation_type: type }, nowMs }, ids) => {
      const escalations = await escalate(caller, ids, type, needs, nowMs);
      return { escalations: escalations.map(escalationOnWire) };
    },
  });

  offer('getDetectEscalations', {
    parameters: Type.Object({
      escalation_type: Type.Optional(choice(escalationTypes, 'only these')),
      before: Type.Optional(Type.String({ description: 'id of the last escalation of the page before' })),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: limitMax, default: limitMax, description: 'in one answer' }),
      ),
    }),
    answer: Type.Object({
      count: Type.Integer({ description: 'those in this answer' }),
      has_more_results: Type.Boolean(),
      next_before: Type.Optional(Type.String({ description: 'before, for older ones' })),
      escalations: Type.Array(ListedEscalation, { description: 'newest first' }),
    }),
    draw: (asked) => generalDraw(asked, settings),
    run: async ({ caller, parameters: { escalation_type: type, before, limit = limitMax } }) => {
      const page = { type, beforeId: before, limit };
      const { escalations, more } = await listEscalations(caller.account.id, page, needs);
      const last = escalations.at(-1);
      return {
        count: escalations.length,
        has_more_results: more,
        ...(more && last ? { next_before: last.id } : {}),
        escalations: escalations.map(listedOnWire),
      };
    },
  });
}

function listedOnWire(escalation: Escalation): Static<typeof ListedEscalation> {
  const { domain, submission } = escalation;
  return {
    ...escalationOnWire(escalation),
    domain: nameOnWire(domain),
    submission: submission
      ? { status: submission.status, attempts: submission.attempts, error: submission.error ?? null }
      : null,
  };
}
