/** The allow list of an account, beyond the contract: it wins over every blocklist. */

import { Type } from 'typebox';
import type { Settings } from '../../../model/settings/settings.ts';
import { type AllowListNeeds, changeAllowList } from '../../../product/detect/blocklist/allow-list.ts';
import { getNameListChange } from '../../../product/detect/name-list-change.ts';
import { families } from '../families.ts';
import { defineOperation, type Operation } from '../operation/define-operation.ts';
import { AllowListOnWire, allowListOnWire } from './blocklist-wire.ts';
import { generalCharge } from './charges.ts';

const namesMax = 1000;

const Names = Type.Optional(
  Type.Array(Type.String(), {
    maxItems: namesMax,
    commas: true,
    description: 'domains, also as one text separated by commas',
  }),
);

const common = {
  family: families.detect,
  product: 'intel-detect-escalate-domains',
} as const;

export function allowListOperations(
  needs: AllowListNeeds & { readonly settings: Pick<Settings, 'limits'> },
): readonly Operation[] {
  const { blocklists, settings } = needs;

  const getDetectBlocklistAllowed = defineOperation({
    ...common,
    id: 'getDetectBlocklistAllowed',
    route: 'GET /intel-detect/blocklists/allowed/',
    permission: 'read',
    summary: 'Lists domains that no blocklist of the account contains',
    parameters: Type.Object({}),
    response: AllowListOnWire,
    charge: (context) => generalCharge(context, settings),
    handle: async ({ caller }) => allowListOnWire(await blocklists.listAllowed(caller.account.id)),
  });

  const postDetectBlocklistAllowed = defineOperation({
    ...common,
    id: 'postDetectBlocklistAllowed',
    route: 'POST /intel-detect/blocklists/allowed/',
    permission: 'manage',
    summary: 'Adds and removes domains that no blocklist may contain',
    parameters: Type.Object({ add: Names, remove: Names }),
    response: AllowListOnWire,
    parse: ({ parameters: { add = [], remove = [] } }) => getNameListChange(add, remove),
    charge: (context) => generalCharge(context, settings),
    handle: async ({ caller, nowMs }, change) =>
      allowListOnWire(await changeAllowList(caller, change, needs, nowMs)),
  });

  return [getDetectBlocklistAllowed, postDetectBlocklistAllowed];
}
