/** The platform API under `/v1`. A product joins by adding its routes to the list. */
import type { FastifyInstance } from 'fastify';
import type { AdministerNeeds } from '../../product/account/administer.ts';
import type { SummaryNeeds } from '../../product/account/summary.ts';
import type { IngestNeeds } from '../../product/ingest/append-lines.ts';
import { type Dialect, speak } from '../dialect.ts';
import { accountRoutes } from './account-routes.ts';
import { type BlocklistRouteNeeds, detectBlocklistRoutes } from './detect-blocklist-routes.ts';
import { type DomainRouteNeeds, detectDomainRoutes } from './detect-domain-routes.ts';
import { detectEscalationRoutes, type EscalationRouteNeeds } from './detect-escalation-routes.ts';
import { detectEventRoute, type EventRouteNeeds } from './detect-event-route.ts';
import { detectMonitorRoutes, type MonitorRouteNeeds } from './detect-monitor-routes.ts';
import { detectOwnDomainRoutes, type OwnDomainRouteNeeds } from './detect-own-domain-routes.ts';
import { detectPreviewRoute, type PreviewRouteNeeds } from './detect-preview-route.ts';
import { type DownloadNeeds, downloadRoutes } from './download-routes.ts';
import { type EnrichNeeds, enrichRoutes } from './enrich-routes.ts';
import { type FacetRouteNeeds, facetRoutes } from './facet-routes.ts';
import { type FeedNeeds, feedRoutes } from './feed-routes.ts';
import { type HistoryRouteNeeds, historyRoutes } from './history-routes.ts';
import { ingestRoutes } from './ingest-routes.ts';
import { type InvestigateNeeds, investigateRoutes } from './investigate-routes.ts';
import { keyRoutes } from './key-routes.ts';
import { createOffer, type Offer, type OfferNeeds } from './offer.ts';
import { type RiskRouteNeeds, riskRoutes } from './risk-routes.ts';
import { type TagRouteNeeds, tagRoutes } from './tag-routes.ts';
import { type TailRouteNeeds, tailRoutes } from './tail-route.ts';

export type PlatformNeeds = OfferNeeds &
  SummaryNeeds &
  AdministerNeeds &
  FeedNeeds &
  TailRouteNeeds &
  DownloadNeeds &
  IngestNeeds &
  EnrichNeeds &
  RiskRouteNeeds &
  InvestigateNeeds &
  FacetRouteNeeds &
  TagRouteNeeds &
  HistoryRouteNeeds &
  MonitorRouteNeeds &
  DomainRouteNeeds &
  EscalationRouteNeeds &
  OwnDomainRouteNeeds &
  PreviewRouteNeeds &
  EventRouteNeeds &
  BlocklistRouteNeeds;

/** The scope is for those who have something to end when the server stops. */
export type PlatformRoutes = (offer: Offer, needs: PlatformNeeds, scope: FastifyInstance) => void;

export const platformRoutes: readonly PlatformRoutes[] = [
  accountRoutes,
  keyRoutes,
  feedRoutes,
  tailRoutes,
  downloadRoutes,
  ingestRoutes,
  enrichRoutes,
  riskRoutes,
  investigateRoutes,
  facetRoutes,
  tagRoutes,
  historyRoutes,
  detectMonitorRoutes,
  detectDomainRoutes,
  detectEscalationRoutes,
  detectOwnDomainRoutes,
  detectPreviewRoute,
  detectBlocklistRoutes,
  detectEventRoute,
];

export function platformScope(needs: PlatformNeeds, dialect: Dialect, routes: readonly PlatformRoutes[]) {
  return async (scope: FastifyInstance) => {
    speak(scope, dialect);
    scope.setValidatorCompiler(() => () => true);
    const { offer, offerRest } = createOffer(scope, needs);
    for (const add of routes) add(offer, needs, scope);
    offerRest();
  };
}
