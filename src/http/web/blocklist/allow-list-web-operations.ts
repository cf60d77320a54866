/** The allow list of the account, which wins over every blocklist. */

import { type AllowListNeeds, changeAllowList } from '../../../product/detect/blocklist/allow-list.ts';
import { getNameListChange } from '../../../product/detect/name-list-change.ts';
import type { AllowedName } from '../../../store/detect/blocklist-store.ts';
import { namesOf } from '../domain/overview-operation.ts';
import { defineWebOperation, type WebOperation } from '../web-operation.ts';
import { AllowListBody, AllowListView } from './blocklist-wire.ts';

const common = {
  product: 'intel-detect-escalate-domains',
  charge: 'page',
  answer: AllowListView,
  path: '/blocklists/allowed',
} as const;

export function allowListWebOperations(needs: AllowListNeeds): readonly WebOperation[] {
  const list = defineWebOperation({
    ...common,
    method: 'GET',
    access: 'read',
    summary: 'The allow list of the account',
    handle: async ({ caller: { account } }) => view(await needs.blocklists.listAllowed(account.id)),
  });

  const change = defineWebOperation({
    ...common,
    method: 'POST',
    access: 'manage',
    summary: 'Adds and removes allowed domains',
    body: AllowListBody,
    handle: async ({ body: { add = [], remove = [] }, caller, nowMs }) =>
      view(await changeAllowList(caller, getNameListChange(add, remove), needs, nowMs)),
  });

  return [list, change];
}

function view(names: readonly AllowedName[]): AllowListView {
  return {
    allowed: names.map(({ name, by, atMs }) => ({
      ...namesOf(name),
      by,
      at: new Date(atMs).toISOString(),
    })),
  };
}
