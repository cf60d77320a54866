/** The account, its people and the server. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { auditSearch } from '../../pages/account/audit/audit-search.ts';
import { keysSearch } from '../../pages/account/keys/keys-search.ts';
import { peopleSearch } from '../../pages/account/people/people-search.ts';
import { quotaSearch } from '../../pages/account/quota/quota-search.ts';
import { signInSearch } from '../../pages/account/sign-in/sign-in-search.ts';
import { reportSearch } from '../../pages/report/report-search.ts';
import { app } from './parents.tsx';

const keys = createRoute({
  getParentRoute: () => app,
  path: '/account/keys',
  validateSearch: keysSearch,
  component: lazyRouteComponent(() => import('../../pages/account/keys/keys.tsx'), 'Keys'),
});

const quota = createRoute({
  getParentRoute: () => app,
  path: '/account/quota',
  validateSearch: quotaSearch,
  component: lazyRouteComponent(() => import('../../pages/account/quota/quota.tsx'), 'Quota'),
});

const people = createRoute({
  getParentRoute: () => app,
  path: '/account/people',
  validateSearch: peopleSearch,
  component: lazyRouteComponent(() => import('../../pages/account/people/people.tsx'), 'People'),
});

const audit = createRoute({
  getParentRoute: () => app,
  path: '/account/audit',
  validateSearch: auditSearch,
  component: lazyRouteComponent(() => import('../../pages/account/audit/audit.tsx'), 'AuditLog'),
});

const signInSettings = createRoute({
  getParentRoute: () => app,
  path: '/account/sign-in',
  validateSearch: signInSearch,
  component: lazyRouteComponent(
    () => import('../../pages/account/sign-in/sign-in-settings.tsx'),
    'SignInSettings',
  ),
});

const health = createRoute({
  getParentRoute: () => app,
  path: '/health',
  component: lazyRouteComponent(() => import('../../pages/health/health.tsx'), 'Health'),
});

const healthPart = createRoute({
  getParentRoute: () => app,
  path: '/health/$part',
  component: lazyRouteComponent(() => import('../../pages/health/health-part.tsx'), 'HealthPart'),
});

const report = createRoute({
  getParentRoute: () => app,
  path: '/report',
  validateSearch: reportSearch,
  component: lazyRouteComponent(() => import('../../pages/report/report.tsx'), 'ReportPage'),
});

const me = createRoute({
  getParentRoute: () => app,
  path: '/me',
  component: lazyRouteComponent(() => import('../../pages/me/me.tsx'), 'MePage'),
});

export const accountRoutes = [
  keys,
  quota,
  people,
  audit,
  signInSettings,
  health,
  healthPart,
  report,
  me,
] as const;
