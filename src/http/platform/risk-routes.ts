/** The risk of one domain, as a score and with everything that it is made of. A domain that nobody knows is judged by its name. */
import { type Static, Type } from 'typebox';
import type { Assessment } from '../../model/risk/assessment.ts';
import {
  type AssessNeeds,
  assess,
  type ExplainedAssessment,
  explain,
  getScoredDomain,
} from '../../product/risk/assess.ts';
import type { Offer } from './offer.ts';

export type RiskRouteNeeds = AssessNeeds;

const parameters = Type.Object({
  domain: Type.String({ description: 'a domain, or a host of it, in Unicode or punycode' }),
});

const Score = Type.Integer({ minimum: 0, maximum: 100 });

const score = {
  domain: Type.String({ description: 'the registrable domain, punycode' }),
  risk_score: Type.Integer({ minimum: 0, maximum: 100, description: 'the largest of the components' }),
};

const component = { name: Type.String(), risk_score: Score };

const RiskAnswer = Type.Object({
  response: Type.Object({ ...score, components: Type.Array(Type.Object(component)) }),
});

const EvidenceAnswer = Type.Object({
  response: Type.Object({
    ...score,
    risk_score_status: Type.String({ description: 'provisional or full' }),
    components: Type.Array(
      Type.Object({
        ...component,
        threats: Type.Optional(Type.Array(Type.String({ description: 'kinds of 70 and more' }))),
        evidence: Type.Optional(Type.Array(Type.String({ description: 'what speaks for them' }))),
      }),
    ),
    contributions: Type.Array(
      Type.Object({
        component: Type.String(),
        reason: Type.String(),
        evidence: Type.Unsafe<string | null>({
          type: ['string', 'null'],
          description: 'null for what every domain has',
        }),
        points: Type.Integer({ description: 'those of a component sum to its score' }),
      }),
    ),
  }),
});

export function riskRoutes(offer: Offer, needs: RiskRouteNeeds): void {
  const understand = (asked: { readonly parameters: Static<typeof parameters> }) =>
    getScoredDomain('domain', asked.parameters.domain);
  offer('getRiskScore', {
    parameters,
    answer: RiskAnswer,
    understand,
    run: async ({ nowMs }, domain) => onWire(await assess(domain, needs, nowMs)),
  });
  offer('getRiskEvidence', {
    parameters,
    answer: EvidenceAnswer,
    understand,
    run: async ({ nowMs }, domain) => {
      const [explained] = await explain([domain], needs, nowMs);
      return evidenceOnWire(explained as ExplainedAssessment);
    },
  });
}

function onWire({ domain, risk }: Assessment): Static<typeof RiskAnswer> {
  const components = risk.components.map(({ name, risk_score }) => ({ name, risk_score }));
  return { response: { domain, risk_score: risk.risk_score, components } };
}

function evidenceOnWire({
  domain,
  status,
  risk,
  contributions,
}: ExplainedAssessment): Static<typeof EvidenceAnswer> {
  return {
    response: {
      domain,
      risk_score: risk.risk_score,
      risk_score_status: status,
      components: risk.components,
      contributions: contributions.map(({ component: of, reason, evidence, points }) => ({
        component: of,
        reason,
        evidence: evidence ?? null,
        points,
      })),
    },
  };
}
