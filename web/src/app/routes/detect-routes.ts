/** Triage and what belongs to Detect. */
import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { oneText } from '../../data/address.ts';
import { campaignSearch, campaignsSearch } from '../../pages/campaigns/campaigns-search.ts';
import { domainSearch } from '../../pages/domain/domain-search.ts';
import { triageSearch } from '../../pages/triage/triage-search.ts';
import { app } from './parents.tsx';

const home = createRoute({
  getParentRoute: () => app,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/triage', replace: true });
  },
});

const triage = createRoute({
  getParentRoute: () => app,
  path: '/triage',
  validateSearch: triageSearch,
  component: lazyRouteComponent(() => import('../../pages/triage/triage.tsx'), 'Triage'),
});

const decisions = createRoute({
  getParentRoute: () => app,
  path: '/decisions',
  validateSearch: (raw: Record<string, unknown>): { by?: string } => {
    const by = oneText(raw['by']);
    return by === undefined ? {} : { by };
  },
  component: lazyRouteComponent(
    () => import('../../pages/decisions/recent-decisions.tsx'),
    'RecentDecisions',
  ),
});

const domain = createRoute({
  getParentRoute: () => app,
  path: '/domain/$name',
  validateSearch: domainSearch,
  component: lazyRouteComponent(() => import('../../pages/domain/domain.tsx'), 'DomainPage'),
});

const visit = createRoute({
  getParentRoute: () => app,
  path: '/visit',
  validateSearch: (raw: Record<string, unknown>): { name?: string } => {
    const name = oneText(raw['name']);
    return name === undefined ? {} : { name };
  },
  component: lazyRouteComponent(() => import('../../pages/visit/visit-with-care.tsx'), 'VisitWithCare'),
});

const monitors = createRoute({
  getParentRoute: () => app,
  path: '/monitors',
  component: lazyRouteComponent(() => import('../../pages/monitors/monitors.tsx'), 'Monitors'),
});

const newMonitor = createRoute({
  getParentRoute: () => app,
  path: '/monitors/new',
  validateSearch: (raw: Record<string, unknown>): { term?: string } => {
    const term = oneText(raw['term']);
    return term === undefined ? {} : { term };
  },
  component: lazyRouteComponent(() => import('../../pages/monitors/new-monitor.tsx'), 'NewMonitor'),
});

const editMonitor = createRoute({
  getParentRoute: () => app,
  path: '/monitors/$id',
  component: lazyRouteComponent(() => import('../../pages/monitors/edit-monitor.tsx'), 'EditMonitor'),
});

const campaigns = createRoute({
  getParentRoute: () => app,
  path: '/campaigns',
  validateSearch: campaignsSearch,
  component: lazyRouteComponent(() => import('../../pages/campaigns/campaigns.tsx'), 'Campaigns'),
});

const campaign = createRoute({
  getParentRoute: () => app,
  path: '/campaigns/$id',
  validateSearch: campaignSearch,
  component: lazyRouteComponent(() => import('../../pages/campaigns/campaign.tsx'), 'CampaignPage'),
});

const alerts = createRoute({
  getParentRoute: () => app,
  path: '/alerts',
  validateSearch: (raw: Record<string, unknown>): { open?: string; make?: true } => {
    const open = oneText(raw['open']);
    const make = raw['make'] === true || oneText(raw['make']) === '1';
    return { ...(open === undefined ? {} : { open }), ...(make ? { make } : {}) };
  },
  component: lazyRouteComponent(() => import('../../pages/alerts/alerts.tsx'), 'Alerts'),
});

const blocklists = createRoute({
  getParentRoute: () => app,
  path: '/blocklists',
  validateSearch: (raw: Record<string, unknown>): { list?: string } => {
    const list = oneText(raw['list']);
    return list === undefined ? {} : { list };
  },
  component: lazyRouteComponent(() => import('../../pages/blocklists/blocklists.tsx'), 'Blocklists'),
});

export const detectRoutes = [
  home,
  triage,
  decisions,
  domain,
  visit,
  monitors,
  newMonitor,
  editMonitor,
  campaigns,
  campaign,
  alerts,
  blocklists,
] as const;
