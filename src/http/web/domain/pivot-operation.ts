/** Pivots of a domain. An answer is kept for a minute, so that going back and forth does not use up the limits of Investigate. */
import { listPivots, type PivotNeeds } from '../../../product/investigate/pivots.ts';
import { getDomainName } from '../../../product/investigate/requested-domain.ts';
import { type ChargeProductNeeds, chargeProduct } from '../charge-product.ts';
import { KeptAnswers } from '../kept-answers.ts';
import { defineWebOperation, type WebOperation } from '../web-operation.ts';
import { namesOf } from './overview-operation.ts';
import { PivotRequest, Pivots } from './pivot-wire.ts';

export type PivotOperationNeeds = PivotNeeds & ChargeProductNeeds;

const product = 'intel-investigate';

export function pivotOperation(needs: PivotOperationNeeds): WebOperation {
  const kept = new KeptAnswers<Pivots>();
  return defineWebOperation({
    method: 'POST',
    path: '/pivots',
    access: 'read',
    product,
    summary: 'The values that a domain shares with others',
    body: PivotRequest,
    answer: Pivots,
    handle: async ({ body, caller, nowMs }) => {
      const domain = getDomainName('domain', body.domain);
      const threshold = caller.person.preferences.guidedPivotThreshold;
      const key = JSON.stringify([caller.account.id, domain, threshold]);
      return kept.get(key, nowMs, async () => {
        await chargeProduct(caller, product, needs, nowMs);
        return answerOf(domain, threshold, nowMs, needs);
      });
    },
  });
}

async function answerOf(
  domain: string,
  threshold: number,
  nowMs: number,
  needs: PivotOperationNeeds,
): Promise<Pivots> {
  const { pivots, more } = await listPivots(domain, threshold, needs);
  return {
    ...namesOf(domain),
    as_of: new Date(nowMs).toISOString(),
    threshold,
    known: pivots !== undefined,
    more,
    pivots: (pivots ?? []).map(({ attribute, value, domains, averageRisk, guided, firstNames }) => ({
      attribute,
      value,
      domains,
      average_risk: averageRisk === undefined ? null : Math.round(averageRisk * 10) / 10,
      guided,
      first_names: [...firstNames],
    })),
  };
}
