/** The account's own domains, beyond the contract: what is never reported as a lookalike. */
import { type Static, Type } from 'typebox';
import type { Settings } from '../../model/settings.ts';
import {
  changeOwnDomains,
  getOwnDomainChange,
  type OwnDomainNeeds,
} from '../../product/detect/own-domains.ts';
import { generalDraw } from './detect-draws.ts';
import { nameOnWire } from './detect-wire.ts';
import type { Offer } from './offer.ts';

export interface OwnDomainRouteNeeds extends OwnDomainNeeds {
  readonly settings: Settings;
}

const namesMax = 1000;

const Names = (description: string) =>
  Type.Optional(Type.Array(Type.String(), { maxItems: namesMax, commas: true, description }));

const OwnDomains = Type.Object({ count: Type.Integer(), own_domains: Type.Array(Type.String()) });

export function detectOwnDomainRoutes(offer: Offer, needs: OwnDomainRouteNeeds): void {
  const { settings, watchlist } = needs;
  offer('getDetectOwnDomains', {
    parameters: Type.Object({}),
    answer: OwnDomains,
    draw: (asked) => generalDraw(asked, settings),
    run: async ({ caller }) => onWire(await watchlist.listOwnDomains(caller.account.id)),
  });

  offer('postDetectOwnDomains', {
    parameters: Type.Object({
      add: Names('domains, also as one text separated by commas'),
      remove: Names('likewise'),
    }),
    answer: OwnDomains,
    understand: ({ parameters: { add = [], remove = [] } }) => getOwnDomainChange(add, remove),
    draw: (asked) => generalDraw(asked, settings),
    run: async ({ caller }, change) => onWire(await changeOwnDomains(caller.account.id, change, needs)),
  });
}

function onWire(names: readonly string[]): Static<typeof OwnDomains> {
  return { count: names.length, own_domains: names.map(nameOnWire) };
}
