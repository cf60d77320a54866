/** The platform API under `/v1`. A product joins by adding its routes to the list. */
import type { FastifyInstance } from 'fastify';
import type { AdministerNeeds } from '../../product/account/administer.ts';
import type { SummaryNeeds } from '../../product/account/summary.ts';
import { type Dialect, speak } from '../dialect.ts';
import { accountRoutes } from './account-routes.ts';
import { keyRoutes } from './key-routes.ts';
import { createOffer, type Offer, type OfferNeeds } from './offer.ts';

export type PlatformNeeds = OfferNeeds & SummaryNeeds & AdministerNeeds;

export type PlatformRoutes = (offer: Offer, needs: PlatformNeeds) => void;

export const platformRoutes: readonly PlatformRoutes[] = [accountRoutes, keyRoutes];

export function platformScope(needs: PlatformNeeds, dialect: Dialect, routes: readonly PlatformRoutes[]) {
  return async (scope: FastifyInstance) => {
    speak(scope, dialect);
    scope.setValidatorCompiler(() => () => true);
    const { offer, offerRest } = createOffer(scope, needs);
    for (const add of routes) add(offer, needs);
    offerRest();
  };
}
