/** The risk of one domain, as a score or with its evidence, beyond the contract. An unknown domain is scored by its name alone. */
import { type Static, Type } from 'typebox';
import type { Assessment } from '../../../model/risk/assessment.ts';
import {
  type AssessNeeds,
  assess,
  type ExplainedAssessment,
  explain,
  getScoredDomain,
} from '../../../product/risk/assess.ts';
import { families } from '../families.ts';
import { defineOperation, type Operation } from '../operation/define-operation.ts';

const parameters = Type.Object({
  domain: Type.String({ description: 'a domain, or a host name below it, in Unicode or punycode' }),
});

const Score = Type.Integer({ minimum: 0, maximum: 100 });

const score = {
  domain: Type.String({ description: 'the registrable domain, punycode' }),
  risk_score: Type.Integer({ minimum: 0, maximum: 100, description: 'the largest of the components' }),
};

const component = { name: Type.String(), risk_score: Score };

const ScoreResponse = Type.Object({
  response: Type.Object({ ...score, components: Type.Array(Type.Object(component)) }),
});

const EvidenceResponse = Type.Object({
  response: Type.Object({
    ...score,
    risk_score_status: Type.String({ description: 'provisional or full' }),
    components: Type.Array(
      Type.Object({
        ...component,
        threats: Type.Optional(Type.Array(Type.String({ description: 'kinds with a score of 70 or more' }))),
        evidence: Type.Optional(Type.Array(Type.String({ description: 'what supports the score' }))),
      }),
    ),
    contributions: Type.Array(
      Type.Object({
        component: Type.String(),
        code: Type.String({ description: 'which kind of reason; stable' }),
        reason: Type.String({ description: 'for humans; never contains what a third party wrote' }),
        value: Type.Unsafe<string | null>({
          type: ['string', 'null'],
          description: 'what a third party wrote, such as an e-mail address: untrusted text',
        }),
        evidence: Type.Unsafe<string | null>({
          type: ['string', 'null'],
          description: 'null for the baseline that every domain has',
        }),
        points: Type.Integer({ description: 'those of a component sum to its score' }),
      }),
    ),
  }),
});

export function riskOperations(needs: AssessNeeds): readonly Operation[] {
  const common = {
    family: families.risk,
    product: 'intel-enrich',
    permission: 'read',
    parameters,
    parse: (context: { readonly parameters: Static<typeof parameters> }) =>
      getScoredDomain('domain', context.parameters.domain),
  } as const;

  const getRiskScore = defineOperation({
    ...common,
    id: 'getRiskScore',
    route: 'GET /risk/',
    summary: 'The risk score of a domain, known or not',
    response: ScoreResponse,
    handle: async ({ nowMs }, domain) => onWire(await assess(domain, needs, nowMs)),
  });

  const getRiskEvidence = defineOperation({
    ...common,
    id: 'getRiskEvidence',
    route: 'GET /risk/evidence/',
    summary: 'The same with threats, evidence, and the contributions to each score',
    response: EvidenceResponse,
    handle: async ({ nowMs }, domain) => {
      const [explained] = await explain([domain], needs, nowMs);
      return evidenceOnWire(explained as ExplainedAssessment);
    },
  });

  return [getRiskScore, getRiskEvidence];
}

function onWire({ domain, risk }: Assessment): Static<typeof ScoreResponse> {
  const components = risk.components.map(({ name, risk_score }) => ({ name, risk_score }));
  return { response: { domain, risk_score: risk.risk_score, components } };
}

function evidenceOnWire({
  domain,
  status,
  risk,
  contributions,
}: ExplainedAssessment): Static<typeof EvidenceResponse> {
  return {
    response: {
      domain,
      risk_score: risk.risk_score,
      risk_score_status: status,
      components: risk.components,
      contributions: contributions.map(({ component: of, code, reason, value, evidence, points }) => ({
        component: of,
        code,
        reason,
        value: value ?? null,
        evidence: evidence ?? null,
        points,
      })),
    },
  };
}
