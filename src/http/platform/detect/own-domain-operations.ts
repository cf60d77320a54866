/** The account's own domains, beyond the contract: they are never reported as lookalikes. */
import { type Static, Type } from 'typebox';
import type { Settings } from '../../../model/settings/settings.ts';
import {
  changeOwnDomains,
  getOwnDomainChange,
  type OwnDomainNeeds,
} from '../../../product/detect/own-domains.ts';
import { families } from '../families.ts';
import { defineOperation, type Operation } from '../operation/define-operation.ts';
import { generalCharge } from './charges.ts';
import { nameOnWire } from './detect-wire.ts';

export interface OwnDomainOperationNeeds extends OwnDomainNeeds {
  readonly settings: Settings;
}

const namesMax = 1000;

const Names = (description: string) =>
  Type.Optional(Type.Array(Type.String(), { maxItems: namesMax, commas: true, description }));

const OwnDomains = Type.Object({ count: Type.Integer(), own_domains: Type.Array(Type.String()) });

export function ownDomainOperations(needs: OwnDomainOperationNeeds): readonly Operation[] {
  const { settings, monitors } = needs;
  const getDetectOwnDomains = defineOperation({
    id: 'getDetectOwnDomains',
    family: families.detect,
    route: 'GET /intel-detect/own-domains/',
    product: 'intel-detect-monitors',
    permission: 'read',
    summary: 'Lists domains of the account that are never reported',
    parameters: Type.Object({}),
    response: OwnDomains,
    charge: (context) => generalCharge(context, settings),
    handle: async ({ caller }) => onWire(await monitors.listOwnDomains(caller.account.id)),
  });

  const postDetectOwnDomains = defineOperation({
    id: 'postDetectOwnDomains',
    family: families.detect,
    route: 'POST /intel-detect/own-domains/',
    product: 'intel-detect-monitors',
    permission: 'manage',
    summary: 'Adds and removes domains that are never reported',
    parameters: Type.Object({
      add: Names('domains, also as one text separated by commas'),
      remove: Names('domains, also as one text separated by commas'),
    }),
    response: OwnDomains,
    parse: ({ parameters: { add = [], remove = [] } }) => getOwnDomainChange(add, remove),
    charge: (context) => generalCharge(context, settings),
    handle: async ({ caller }, change) => onWire(await changeOwnDomains(caller.account.id, change, needs)),
  });

  return [getDetectOwnDomains, postDetectOwnDomains];
}

function onWire(names: readonly string[]): Static<typeof OwnDomains> {
  return { count: names.length, own_domains: names.map(nameOnWire) };
}
