/** What we asked of a domain, of whom and from where. */
import type { OutgoingRequest } from '../../../model/opsec/outgoing-request.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import { type Detail, thirdParties } from '../../../product/assistant/third-parties.ts';
import type { OpsecStore } from '../../../store/detect/opsec-store.ts';
import { fitAnswer, rowsAnswer } from '../answer.ts';
import { type ChargeCallNeeds, chargeCall } from '../charge-call.ts';
import { getDossierDomain } from '../gather-dossier.ts';
import { defineTool, type Tool } from '../tool.ts';
import { Domain, input, limitOf } from './inputs.ts';

export interface RequestToolNeeds extends ChargeCallNeeds {
  readonly opsec: Pick<OpsecStore, 'listRequests' | 'isPassive'>;
  readonly settings: ChargeCallNeeds['settings'] & Pick<Settings, 'assistant'>;
}

const product = 'intel-detect-watched-domains';

export function requestTool(needs: RequestToolNeeds): Tool {
  return defineTool({
    name: 'domain_requests',
    title: 'What was asked of a domain',
    description:
      'Which requests our collectors made for a domain, newest first: to which address, from which of ours, when, with which outcome; and whether the domain is passive only. Asks nothing of it.',
    input: input({ domain: Domain, limit: limitOf(20, 100) }),
    products: [product],
    permission: 'read',
    call: async ({ domain: written, limit = 20 }, context) => {
      const domain = getDossierDomain('domain', written);
      await chargeCall(context, { product }, needs);
      const requests = await needs.opsec.listRequests(domain, limit);
      const answer = {
        head: { domain, passive_only: await needs.opsec.isPassive(domain), count: requests.length },
        name: 'requests',
        rowsIn: (detail: Detail) => requests.map((request) => requestRow(request, detail)),
      };
      const fitted = fitAnswer(answer, needs.settings.assistant.answerBytesMax);
      return { data: rowsAnswer(answer, fitted, { more: requests.length - fitted.rows.length }) };
    },
  });
}

/** Redirects choose hosts, and servers part of the reasons of failures. */
function requestRow(request: OutgoingRequest, detail: Detail): object {
  const { collector, protocol, host, address, port, source, atMs, outcome } = request;
  return {
    date: new Date(atMs).toISOString(),
    collector,
    protocol,
    ...(address === undefined ? {} : { address }),
    port,
    ...(source === undefined ? {} : { source }),
    ...thirdParties({ host, outcome }, detail),
  };
}
