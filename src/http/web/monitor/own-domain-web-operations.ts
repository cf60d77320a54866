/** The account's own domains, which are never reported. */
import {
  changeOwnDomains,
  getOwnDomainChange,
  type OwnDomainNeeds,
} from '../../../product/detect/own-domains.ts';
import { namesOf } from '../domain/overview-operation.ts';
import { defineWebOperation, type WebOperation } from '../web-operation.ts';
import { OwnDomains, OwnDomainsBody } from './monitor-wire.ts';

export type OwnDomainWebNeeds = OwnDomainNeeds;

const common = { product: 'intel-detect-monitors', charge: 'page', answer: OwnDomains } as const;

export function ownDomainWebOperations(needs: OwnDomainWebNeeds): readonly WebOperation[] {
  const list = defineWebOperation({
    ...common,
    method: 'GET',
    path: '/own-domains',
    access: 'read',
    summary: 'The own domains of the account',
    handle: async ({ caller }) => view(await needs.monitors.listOwnDomains(caller.account.id)),
  });

  const change = defineWebOperation({
    ...common,
    method: 'POST',
    path: '/own-domains',
    access: 'manage',
    summary: 'Adds and removes own domains',
    body: OwnDomainsBody,
    handle: async ({ body: { add = [], remove = [] }, caller }) =>
      view(await changeOwnDomains(caller.account.id, getOwnDomainChange(add, remove), needs)),
  });

  return [list, change];
}

function view(names: readonly string[]): OwnDomains {
  return { own_domains: names.map(namesOf) };
}
