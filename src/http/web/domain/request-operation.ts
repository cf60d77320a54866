/** What was asked of a domain, and whether anything is asked of it from now on, for its page. */
import { requestsPerDomainMax } from '../../../model/opsec/outgoing-request.ts';
import { changePassiveDomains, type PassiveDomainNeeds } from '../../../product/detect/passive-domains.ts';
import { getDomainName } from '../../../product/investigate/requested-domain.ts';
import { getScoredDomain } from '../../../product/risk/assess.ts';
import type { OpsecStore } from '../../../store/detect/opsec-store.ts';
import { requestOnWire } from '../../platform/detect/opsec-operations.ts';
import { defineWebOperation, type WebCaller, type WebOperation } from '../web-operation.ts';
import { isoTime } from '../wire-values.ts';
import { DomainParams } from './overview-operation.ts';
import { DomainRequests, PassiveBody } from './request-wire.ts';

export interface RequestOperationNeeds extends PassiveDomainNeeds {
  readonly opsec: PassiveDomainNeeds['opsec'] &
    Pick<OpsecStore, 'listRequests' | 'isPassive' | 'findPassive'>;
}

export function requestOperations(needs: RequestOperationNeeds): readonly WebOperation[] {
  return [
    defineWebOperation({
      method: 'GET',
      path: '/domains/:name/requests',
      access: 'read',
      product: 'intel-enrich',
      charge: 'page',
      summary: 'What was asked of a domain, of whom and from where',
      params: DomainParams,
      answer: DomainRequests,
      handle: ({ params, caller }) => requestsOf(getDomainName('name', params.name), caller, needs),
    }),
    defineWebOperation({
      method: 'PUT',
      path: '/domains/:name/passive',
      access: 'manage',
      product: 'intel-detect-monitors',
      charge: 'page',
      summary: 'Sets whether nothing is asked of the servers of a domain',
      params: DomainParams,
      body: PassiveBody,
      answer: DomainRequests,
      handle: async ({ params, body: { passive_only }, caller, nowMs }) => {
        const domain = getScoredDomain('name', params.name);
        const change = { add: passive_only ? [domain] : [], remove: passive_only ? [] : [domain] };
        await changePassiveDomains(caller, change, needs, nowMs);
        return requestsOf(domain, caller, needs);
      },
    }),
  ];
}

async function requestsOf(
  name: string,
  { account }: WebCaller,
  { opsec }: RequestOperationNeeds,
): Promise<DomainRequests> {
  const requests = await opsec.listRequests(name, requestsPerDomainMax);
  const set = await opsec.findPassive(account.id, name);
  return {
    passive_only: await opsec.isPassive(name),
    passive_set: set ? { by: set.by, at: isoTime(set.atMs) } : null,
    requests: requests.map((request) => {
      const { date: at, ...others } = requestOnWire(request);
      return { at, ...others };
    }),
  };
}
