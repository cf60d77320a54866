/** Escalations: recording them and, beyond the contract, listing them with the state of their submission. */
import { type Static, Type } from 'typebox';
import { type Escalation, escalationTypes } from '../../../model/detect/watchlist.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import {
  type EscalationNeeds,
  escalate,
  getEscalatedIds,
  listEscalations,
} from '../../../product/detect/escalations.ts';
import { families } from '../families.ts';
import { defineOperation, type Operation } from '../operation/define-operation.ts';
import { generalCharge } from './charges.ts';
import { choice, DomainIds } from './detect-parameters.ts';
import { EscalationOnWire, escalationOnWire, nameOnWire } from './detect-wire.ts';

export interface EscalationOperationNeeds extends EscalationNeeds {
  readonly settings: Settings;
}

const limitMax = 100;

const ListedEscalation = Type.Object({
  ...EscalationOnWire.properties,
  domain: Type.String({ description: 'in Unicode' }),
  submission: Type.Unsafe<object | null>({
    description:
      'only for external_safe: status (waiting, submitted or failed), attempts, and the last error',
  }),
});

export function escalationOperations(needs: EscalationOperationNeeds): readonly Operation[] {
  const { settings } = needs;
  const postDetectEscalations = defineOperation({
    id: 'postDetectEscalations',
    family: families.detect,
    route: 'POST /intel-detect/escalations/',
    product: 'intel-detect-escalate-domains',
    permission: 'escalate',
    summary: 'Escalates domains',
    description: 'All of the domains or none; they are watched from then on.',
    errorCode: 'invalid-members',
    parameters: Type.Object({
      watchlist_domain_ids: DomainIds,
      escalation_type: choice(
        escalationTypes,
        'blocked: on our own blocklists; external_safe: submitted to an external service',
      ),
    }),
    response: Type.Object({ escalations: Type.Array(EscalationOnWire) }),
    parse: ({ caller, parameters: { watchlist_domain_ids: ids, escalation_type: type } }) =>
      getEscalatedIds(caller, ids, type, needs),
    handle: async ({ caller, parameters: { escalation_type: type }, nowMs }, ids) => {
      const escalations = await escalate(caller, { ids, type }, needs, nowMs);
      return { escalations: escalations.map(escalationOnWire) };
    },
  });

  const getDetectEscalations = defineOperation({
    id: 'getDetectEscalations',
    family: families.detect,
    route: 'GET /intel-detect/escalations/',
    product: 'intel-detect-escalate-domains',
    permission: 'read',
    summary: 'Lists escalations and the state of their submission',
    parameters: Type.Object({
      escalation_type: Type.Optional(choice(escalationTypes, 'only escalations of this type')),
      before: Type.Optional(Type.String({ description: 'id of the last escalation of the previous page' })),
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: limitMax,
          default: limitMax,
          description: 'escalations per response',
        }),
      ),
    }),
    response: Type.Object({
      count: Type.Integer({ description: 'escalations in this response' }),
      has_more_results: Type.Boolean(),
      next_before: Type.Optional(Type.String({ description: 'value of before for the next page' })),
      escalations: Type.Array(ListedEscalation, { description: 'newest first' }),
    }),
    charge: (context) => generalCharge(context, settings),
    handle: async ({ caller, parameters: { escalation_type: type, before, limit = limitMax } }) => {
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

  return [postDetectEscalations, getDetectEscalations];
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
