import {
  createRootRoute,
  createRoute,
  createRouter,
  Link,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { oneText, parseSearch, type RawSearch, stringifySearch } from '../data/address.ts';
import { domainSearch } from '../pages/domain/domain-search.ts';
import { triageSearch } from '../pages/triage/triage-search.ts';
import { Empty } from '../parts/region.tsx';
import { SignedIn } from './signed-in.tsx';
import { ToastList } from './toast-list.tsx';

function NoSuchPage() {
  return (
    <Empty title="There is no such page">
      <Link to="/triage" className="button">
        To Triage
      </Link>
    </Empty>
  );
}

const root = createRootRoute({
  component: () => (
    <>
      <Outlet />
      <ToastList />
    </>
  ),
  notFoundComponent: NoSuchPage,
});

const app = createRoute({ getParentRoute: () => root, id: 'app', component: SignedIn });

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
  component: lazyRouteComponent(() => import('../pages/triage/triage.tsx'), 'Triage'),
});

const decisions = createRoute({
  getParentRoute: () => app,
  path: '/decisions',
  validateSearch: (raw: Record<string, unknown>): { by?: string } => {
    const by = oneText(raw['by']);
    return by === undefined ? {} : { by };
  },
  component: lazyRouteComponent(() => import('../pages/decisions/recent-decisions.tsx'), 'RecentDecisions'),
});

const domain = createRoute({
  getParentRoute: () => app,
  path: '/domain/$name',
  validateSearch: domainSearch,
  component: lazyRouteComponent(() => import('../pages/domain/domain.tsx'), 'DomainPage'),
});

const monitors = createRoute({
  getParentRoute: () => app,
  path: '/monitors',
  component: lazyRouteComponent(() => import('../pages/monitors/monitors.tsx'), 'Monitors'),
});

const newMonitor = createRoute({
  getParentRoute: () => app,
  path: '/monitors/new',
  validateSearch: (raw: Record<string, unknown>): { term?: string } => {
    const term = oneText(raw['term']);
    return term === undefined ? {} : { term };
  },
  component: lazyRouteComponent(() => import('../pages/monitors/new-monitor.tsx'), 'NewMonitor'),
});

const editMonitor = createRoute({
  getParentRoute: () => app,
  path: '/monitors/$id',
  component: lazyRouteComponent(() => import('../pages/monitors/edit-monitor.tsx'), 'EditMonitor'),
});

const alerts = createRoute({
  getParentRoute: () => app,
  path: '/alerts',
  validateSearch: (raw: Record<string, unknown>): { open?: string; make?: true } => {
    const open = oneText(raw['open']);
    const make = raw['make'] === true || oneText(raw['make']) === '1';
    return { ...(open === undefined ? {} : { open }), ...(make ? { make } : {}) };
  },
  component: lazyRouteComponent(() => import('../pages/alerts/alerts.tsx'), 'Alerts'),
});

const blocklists = createRoute({
  getParentRoute: () => app,
  path: '/blocklists',
  component: lazyRouteComponent(() => import('../pages/blocklists/blocklists.tsx'), 'Blocklists'),
});

const me = createRoute({
  getParentRoute: () => app,
  path: '/me',
  component: lazyRouteComponent(() => import('../pages/me/me.tsx'), 'MePage'),
});

const visit = createRoute({
  getParentRoute: () => app,
  path: '/visit',
  validateSearch: (raw: Record<string, unknown>): { name?: string } => {
    const name = oneText(raw['name']);
    return name === undefined ? {} : { name };
  },
  component: lazyRouteComponent(() => import('../pages/visit/visit-with-care.tsx'), 'VisitWithCare'),
});

const enter = createRoute({
  getParentRoute: () => root,
  path: '/enter',
  component: lazyRouteComponent(() => import('../pages/entry/enter.tsx'), 'Enter'),
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (raw: Record<string, unknown>): { next?: string } => {
    const next = oneText(raw['next']);
    return next === undefined ? {} : { next };
  },
  component: lazyRouteComponent(() => import('../pages/entry/sign-in.tsx'), 'SignIn'),
});

export const router = createRouter({
  routeTree: root.addChildren([
    app.addChildren([
      home,
      triage,
      decisions,
      domain,
      monitors,
      newMonitor,
      editMonitor,
      alerts,
      blocklists,
      me,
      visit,
    ]),
    enter,
    signIn,
  ]),
  basepath: '/ui',
  parseSearch,
  stringifySearch: (search) => stringifySearch(search as RawSearch),
  defaultPreload: 'intent',
  scrollRestoration: false,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
