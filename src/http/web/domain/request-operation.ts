/** What was asked of a domain, for its page. */
import { requestsPerDomainMax } from '../../../model/opsec/outgoing-request.ts';
import { getDomainName } from '../../../product/investigate/requested-domain.ts';
import type { OpsecStore } from '../../../store/detect/opsec-store.ts';
import { requestOnWire } from '../../platform/detect/opsec-operations.ts';
import { defineWebOperation, type WebOperation } from '../web-operation.ts';
import { DomainParams } from './overview-operation.ts';
import { DomainRequests } from './request-wire.ts';

export interface RequestOperationNeeds {
  readonly opsec: Pick<OpsecStore, 'listRequests' | 'isPassive'>;
}

export function requestOperation({ opsec }: RequestOperationNeeds): WebOperation {
  return defineWebOperation({
    method: 'GET',
    path: '/domains/:name/requests',
    access: 'read',
    product: 'intel-enrich',
    charge: 'page',
    summary: 'What was asked of a domain, of whom and from where',
    params: DomainParams,
    answer: DomainRequests,
    handle: async ({ params }) => {
      const name = getDomainName('name', params.name);
      const requests = await opsec.listRequests(name, requestsPerDomainMax);
      return {
        passive_only: await opsec.isPassive(name),
        requests: requests.map((request) => {
          const { date: at, ...others } = requestOnWire(request);
          return { at, ...others };
        }),
      };
    },
  });
}
